#include "ui/view/main_window_actions.h"

#include "ui/model/error_text.h"

#include <QAction>
#include <QActionGroup>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>

namespace kaikou {

namespace {

struct Row
{
    ActionId id;
    const char* text;
    const char* keys; // portable text; several separated by '|'
    QAction::MenuRole role = QAction::NoRole;
};

// Ctrl+Space, Ctrl+Shift+F, Ctrl+. and Ctrl+; belong to input methods and stay free.
constexpr Row kRows[] = {
    {ActionId::OpenFile, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Open model file…"), "Ctrl+O"},
    {ActionId::OpenFolder, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Open model &folder…"), ""},
    {ActionId::OpenEmbedded, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Use the &built-in model"), ""},
    {ActionId::ImportChat, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Import chat…"), "Ctrl+Shift+O"},
    {ActionId::ExportChat, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Export chat…"), "Ctrl+S"},
    {ActionId::Quit, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Quit"), "Ctrl+Q", QAction::QuitRole},
    {ActionId::Copy, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Copy"), "Ctrl+C"},
    {ActionId::CopyProbabilities, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Copy with &probabilities"),
        "Ctrl+Shift+C"},
    {ActionId::Preferences, QT_TRANSLATE_NOOP("kaikou::WindowActions", "P&references…"), "Ctrl+,",
        QAction::PreferencesRole},
    {ActionId::NewChat, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&New chat"), "Ctrl+N"},
    {ActionId::NewTemporaryChat, QT_TRANSLATE_NOOP("kaikou::WindowActions", "New &temporary chat"), ""},
    {ActionId::Stop, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Stop"), "Esc"},
    {ActionId::Regenerate, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Regenerate the last answer"),
        "Ctrl+R"},
    {ActionId::GoOn, QT_TRANSLATE_NOOP("kaikou::WindowActions", "C&ontinue the answer"), "Alt+Return"},
    {ActionId::EditLast, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Edit the last message"), "Ctrl+Up"},
    {ActionId::VariantBefore, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Previous variant"), "Alt+Left"},
    {ActionId::VariantAfter, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Ne&xt variant"), "Alt+Right"},
    {ActionId::SearchChats, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Search all c&hats"), "Ctrl+K"},
    {ActionId::SystemPrompt, QT_TRANSLATE_NOOP("kaikou::WindowActions", "S&ystem prompt…"), ""},
    {ActionId::Consistency, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Self-&consistency"), "Ctrl+Shift+R"},
    {ActionId::FocusInput, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Go to the &input"), "Ctrl+L"},
    {ActionId::FocusTranscript, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Go to the &answers"), "F6"},
    {ActionId::Colour, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Colour by model probability"),
        "Ctrl+Shift+P"},
    {ActionId::FontBigger, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Larger text"), "Ctrl++|Ctrl+="},
    {ActionId::FontSmaller, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Smaller text"), "Ctrl+-"},
    {ActionId::FontNormal, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Normal text size"), "Ctrl+0"},
    {ActionId::Shortcuts, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&Keyboard shortcuts"), "F1"},
    {ActionId::Diagnostics, QT_TRANSLATE_NOOP("kaikou::WindowActions", "Copy &diagnostics"), ""},
    {ActionId::About, QT_TRANSLATE_NOOP("kaikou::WindowActions", "&About Kaikou"), "", QAction::AboutRole},
};

QList<QKeySequence> keysOf(const char* text)
{
    QList<QKeySequence> keys;
    for (const QString& part : QString::fromLatin1(text).split(QLatin1Char('|'), Qt::SkipEmptyParts))
        keys += QKeySequence(part, QKeySequence::PortableText);
    return keys;
}

QString plain(QString text)
{
    static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)")); // as Chinese menus write it
    text.remove(mnemonic);
    text.remove(QLatin1Char('&'));
    return text.remove(QStringLiteral("…"));
}

} // namespace

WindowActions::WindowActions(QMainWindow* window)
    : QObject(window)
    , m_window(window)
    , m_themes(new QActionGroup(this))
    , m_languages(new QActionGroup(this))
    , m_backends(new QActionGroup(this))
{
    create();
    buildMenus();
    retranslate();
    connect(m_themes, &QActionGroup::triggered, this, [this](const QAction* action) {
        emit themeChosen(static_cast<ThemeChoice>(action->data().toInt()));
    });
    connect(m_languages, &QActionGroup::triggered, this, [this](const QAction* action) {
        emit languageChosen(static_cast<LanguageChoice>(action->data().toInt()));
    });
    connect(m_backends, &QActionGroup::triggered, this,
        [this](const QAction* action) { emit backendChosen(action->data().toString()); });
    connect(m_backend, &QMenu::aboutToShow, this, &WindowActions::backendsWanted);
}

void WindowActions::create()
{
    for (const Row& row : kRows) {
        auto* action = new QAction(m_window);
        action->setShortcuts(keysOf(row.keys));
        action->setMenuRole(row.role);
        m_actions[static_cast<std::size_t>(row.id)] = action;
        m_window->addAction(action);
    }
    (*this)[ActionId::Colour]->setCheckable(true);
    for (int i = 0; i < 3; ++i) {
        for (QActionGroup* group : {m_themes, m_languages}) {
            auto* action = new QAction(group);
            action->setCheckable(true);
            action->setData(i);
        }
    }
}

void WindowActions::buildMenus()
{
    const auto at = [this](ActionId id) { return (*this)[id]; };
    QMenuBar* bar = m_window->menuBar();
    m_file = bar->addMenu(QString());
    m_file->addActions({at(ActionId::OpenFile), at(ActionId::OpenFolder), at(ActionId::OpenEmbedded)});
    m_recent = m_file->addMenu(QString());
    m_file->addSeparator();
    m_file->addActions({at(ActionId::ImportChat), at(ActionId::ExportChat)});
    m_file->addSeparator();
    m_backend = m_file->addMenu(QString());
    m_backend->setToolTipsVisible(true);
    m_file->addSeparator();
    m_file->addAction(at(ActionId::Quit));
    m_edit = bar->addMenu(QString());
    m_edit->addActions({at(ActionId::Copy), at(ActionId::CopyProbabilities)});
    m_edit->addSeparator();
    m_edit->addAction(at(ActionId::Preferences));
    m_chat = bar->addMenu(QString());
    m_chat->addActions({at(ActionId::NewChat), at(ActionId::NewTemporaryChat), at(ActionId::SearchChats)});
    m_chat->addSeparator();
    m_chat->addActions({at(ActionId::Stop), at(ActionId::Regenerate), at(ActionId::GoOn),
        at(ActionId::EditLast), at(ActionId::VariantBefore), at(ActionId::VariantAfter)});
    m_chat->addSeparator();
    m_chat->addAction(at(ActionId::SystemPrompt));
    m_presets = m_chat->addMenu(QString());
    m_chat->addAction(at(ActionId::Consistency));
    m_view = bar->addMenu(QString());
    m_themeMenu = m_view->addMenu(QString());
    m_themeMenu->addActions(m_themes->actions());
    m_languageMenu = m_view->addMenu(QString());
    m_languageMenu->addActions(m_languages->actions());
    m_view->addSeparator();
    m_view->addActions({at(ActionId::FontBigger), at(ActionId::FontSmaller), at(ActionId::FontNormal)});
    m_view->addSeparator();
    m_view->addAction(at(ActionId::Colour));
    m_view->addSeparator();
    m_docksEnd = m_view->addSeparator();
    m_view->addActions({at(ActionId::FocusInput), at(ActionId::FocusTranscript)});
    m_help = bar->addMenu(QString());
    m_help->addActions({at(ActionId::Shortcuts), at(ActionId::Diagnostics), at(ActionId::About)});
}

void WindowActions::addDocks(const QList<QAction*>& toggles)
{
    const QList<QKeyCombination> keys = {Qt::Key_F7, Qt::Key_F8, Qt::Key_F9, Qt::CTRL | Qt::Key_B};
    m_docks = toggles;
    for (int i = 0; i < toggles.size(); ++i) {
        toggles[i]->setShortcut(QKeySequence(keys[i]));
        m_view->insertAction(m_docksEnd, toggles[i]);
        m_window->addAction(toggles[i]);
    }
}

void WindowActions::setRecent(const QStringList& paths)
{
    m_recentPaths = paths;
    fillRecent();
}

void WindowActions::fillRecent()
{
    m_recent->clear();
    m_recent->setEnabled(!m_recentPaths.isEmpty());
    for (const QString& path : m_recentPaths) {
        const QFileInfo info(path);
        QString text = info.fileName() + QStringLiteral("  —  ") + info.absolutePath();
        if (!info.exists())
            text = tr("%1 (not there now)").arg(text);
        QAction* action = m_recent->addAction(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setEnabled(info.exists());
        connect(action, &QAction::triggered, this, [this, path] { emit recentChosen(path); });
    }
    m_recent->addSeparator();
    connect(
        m_recent->addAction(tr("Clear this list")), &QAction::triggered, this, &WindowActions::recentCleared);
}

void WindowActions::setBackends(const std::vector<BackendChoice>& backends, const QString& current)
{
    m_backendChoices = backends;
    m_backendName = current;
    fillBackends();
}

void WindowActions::fillBackends()
{
    m_backend->clear();
    for (QAction* action : m_backends->actions())
        delete action;
    for (const BackendChoice& choice : m_backendChoices) {
        QString text = choice.name == QStringLiteral("cpu") ? tr("Processor (CPU)") : choice.name.toUpper();
        if (!choice.available)
            text += QStringLiteral(" — ") + errorText(choice.reason.code).what;
        else if (!choice.device.isEmpty())
            text += QStringLiteral(" — ") + choice.device;
        auto* action = new QAction(text, m_backends);
        action->setCheckable(true);
        action->setChecked(choice.available && choice.name == m_backendName);
        action->setEnabled(choice.available);
        action->setData(choice.name);
        action->setToolTip(choice.available ? choice.device : errorDetails(choice.reason));
        m_backend->addAction(action);
    }
    m_backend->setEnabled(!m_backendChoices.empty());
}

void WindowActions::setTheme(ThemeChoice theme)
{
    m_themes->actions().at(static_cast<int>(theme))->setChecked(true);
}

void WindowActions::setLanguage(LanguageChoice language)
{
    m_languages->actions().at(static_cast<int>(language))->setChecked(true);
}

void WindowActions::retranslate()
{
    for (const Row& row : kRows)
        (*this)[row.id]->setText(tr(row.text));
    m_file->setTitle(tr("&File"));
    m_recent->setTitle(tr("&Recent models"));
    m_presets->setTitle(tr("Presets of &settings"));
    m_backend->setTitle(tr("&Compute on"));
    m_edit->setTitle(tr("&Edit"));
    m_chat->setTitle(tr("&Chat"));
    m_view->setTitle(tr("&View"));
    m_themeMenu->setTitle(tr("&Theme"));
    m_languageMenu->setTitle(tr("Lan&guage"));
    m_help->setTitle(tr("&Help"));
    const QString themes[] = {tr("As the system"), tr("Light"), tr("Dark")};
    const QString languages[] = {tr("As the system"), QStringLiteral("中文"), QStringLiteral("English")};
    for (int i = 0; i < 3; ++i) {
        m_themes->actions().at(i)->setText(themes[i]);
        m_languages->actions().at(i)->setText(languages[i]);
    }
    fillRecent();
    fillBackends();
}

QList<std::pair<QString, QString>> WindowActions::shortcutTable() const
{
    QList<std::pair<QString, QString>> table = {{tr("Enter"), tr("Send")},
        {tr("Shift+Enter"), tr("New line")}, {tr("← → in the answers"), tr("Previous, next token")}};
    QList<QAction*> actions(m_actions.begin(), m_actions.end());
    actions += m_docks;
    for (const QAction* action : actions) {
        if (!action->shortcut().isEmpty())
            table += {action->shortcut().toString(QKeySequence::NativeText), plain(action->text())};
    }
    return table;
}

} // namespace kaikou
