// How the next question is asked, beside the panel: presets of its settings, the system prompt.
#include "ui/model/chat_keeper.h"
#include "ui/model/presets.h"
#include "ui/view/composer.h"
#include "ui/view/error_banner.h"
#include "ui/view/main_window.h"
#include "ui/view/sampling_panel.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QInputDialog>
#include <QMenu>
#include <QUrl>

namespace kaikou {

QString MainWindow::presetFolder() const
{
    return m_parts.settings.folder() + QStringLiteral("/presets");
}

void MainWindow::fillPresets()
{
    QMenu* menu = m_actions->presets();
    menu->clear();
    const QStringList names = presetNames(presetFolder());
    for (const QString& name : names) {
        QString text = name;
        menu->addAction(
            text.replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, name] { usePreset(name); });
    }
    if (names.isEmpty())
        menu->addAction(tr("No presets yet"))->setEnabled(false);
    menu->addSeparator();
    menu->addAction(tr("&Save the present settings…"), this, &MainWindow::savePreset);
    QAction* open = menu->addAction(tr("&Open their folder"), this,
        [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(presetFolder())); });
    open->setEnabled(QDir(presetFolder()).exists());
}

void MainWindow::usePreset(const QString& name)
{
    const auto params = readPreset(presetFolder(), name);
    if (params)
        m_sampling->setParams(*params);
    else
        m_banner->showError(tr("The preset %1 was not used").arg(name), params.error());
}

void MainWindow::savePreset()
{
    bool accepted = false;
    const QString name = QInputDialog::getText(this, tr("Save the present settings"),
        tr("Name of the preset; one of the same name is replaced:"), QLineEdit::Normal, {}, &accepted)
                             .trimmed();
    if (!accepted || name.isEmpty())
        return;
    const auto written = writePreset(presetFolder(), name, m_sampling->params());
    if (!written)
        m_banner->showError(tr("The preset was not saved"), written.error());
}

void MainWindow::editSystemPrompt()
{
    bool accepted = false;
    const QString text = QInputDialog::getMultiLineText(this, tr("System prompt"),
        tr("Stands before the conversation of this chat. Most small models have never seen one."),
        m_parts.keeper.systemPrompt(), &accepted);
    if (!accepted)
        return;
    m_parts.keeper.setSystemPrompt(text.trimmed());
    updateMode();
    updateHint();
}

} // namespace kaikou
