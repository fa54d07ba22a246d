#pragma once

#include "inference/base/result.h"
#include "ui/model/settings.h"

#include <QObject>

#include <array>
#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace kaikou {

enum class ActionId : std::uint8_t
{
    OpenFile,
    OpenFolder,
    OpenEmbedded,
    ImportChat,
    ExportChat,
    Quit,
    Copy,
    CopyProbabilities,
    Preferences,
    NewChat,
    NewTemporaryChat,
    Stop,
    Regenerate,
    GoOn,
    EditLast,
    VariantBefore,
    VariantAfter,
    SearchChats,
    SystemPrompt,
    Consistency,
    FocusInput,
    FocusTranscript,
    Colour,
    FontBigger,
    FontSmaller,
    FontNormal,
    Shortcuts,
    Diagnostics,
    About,
    Count
};

// A place where models can run, for the chooser.
struct BackendChoice
{
    QString name; // of the registry: "cpu", "cuda"
    QString device; // in words; may be empty
    bool available = true;
    Error reason; // why not
};

// Every action of the window with its keys, and the menus made of them. The one table of shortcuts.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    explicit WindowActions(QMainWindow* window);

    [[nodiscard]] QAction* operator[](ActionId id) const { return m_actions[static_cast<std::size_t>(id)]; }

    [[nodiscard]] QMenu* presets() const { return m_presets; } // filled by the window when it is shown

    void addDocks(const QList<QAction*>& toggles); // F7, F8, F9, Ctrl+B in this order
    void setRecent(const QStringList& paths);
    void setBackends(const std::vector<BackendChoice>& backends, const QString& current);
    void setTheme(ThemeChoice theme);
    void setLanguage(LanguageChoice language);
    void retranslate();

    // "Ctrl+N", "New chat" for the help dialog, in menu order, with the keys that are not actions.
    [[nodiscard]] QList<std::pair<QString, QString>> shortcutTable() const;

signals:
    void recentChosen(const QString& path);
    void recentCleared();
    void backendChosen(const QString& name);
    void backendsWanted(); // the chooser is about to be seen
    void themeChosen(kaikou::ThemeChoice theme);
    void languageChosen(kaikou::LanguageChoice language);

private:
    void create();
    void buildMenus();
    void fillRecent();
    void fillBackends();

    QMainWindow* m_window;
    std::array<QAction*, static_cast<std::size_t>(ActionId::Count)> m_actions {};
    QMenu* m_file = nullptr;
    QMenu* m_recent = nullptr;
    QMenu* m_backend = nullptr;
    QMenu* m_edit = nullptr;
    QMenu* m_chat = nullptr;
    QMenu* m_presets = nullptr;
    QMenu* m_view = nullptr;
    QMenu* m_themeMenu = nullptr;
    QMenu* m_languageMenu = nullptr;
    QMenu* m_help = nullptr;
    QAction* m_docksEnd = nullptr; // the docks' toggles stand before it
    QActionGroup* m_themes = nullptr;
    QActionGroup* m_languages = nullptr;
    QActionGroup* m_backends = nullptr;
    QList<QAction*> m_docks;
    QStringList m_recentPaths;
    std::vector<BackendChoice> m_backendChoices;
    QString m_backendName;
};

} // namespace kaikou
