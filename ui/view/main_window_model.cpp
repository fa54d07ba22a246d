// What the window does while a model is opened, and once it is or is not.
#include "ui/model/consistency_model.h"
#include "ui/model/defaults_text.h"
#include "ui/model/error_text.h"
#include "ui/model/prompt_preview.h"
#include "ui/view/composer.h"
#include "ui/view/error_banner.h"
#include "ui/view/loading_strip.h"
#include "ui/view/main_window.h"
#include "ui/view/sampling_panel.h"

#include <QFileInfo>

namespace kaikou {

void MainWindow::openModel(const QString& path)
{
    m_parts.loader.open({path, m_parts.settings.backend()});
}

void MainWindow::noteInterruptedLoading(const QString& path)
{
    m_parts.settings.setLoadingModel({});
    m_banner->showNotice(tr("Kaikou ended while it was opening %1").arg(QFileInfo(path).fileName()),
        tr("It was not opened again by itself."), path);
}

void MainWindow::setBackends(const std::vector<BackendChoice>& backends)
{
    m_actions->setBackends(backends, m_parts.settings.backend());
}

void MainWindow::modelStarted(const ModelSource& source)
{
    if (!source.path.isEmpty())
        m_parts.settings.setLoadingModel(source.path);
    m_banner->dismiss();
    m_loading->begin(sourceName(source));
    updateState();
}

void MainWindow::modelOpened(const OpenedModel& model)
{
    m_loading->end();
    m_parts.settings.setLoadingModel({});
    m_parts.settings.setLastModel(model.source.path);
    const bool first = !m_parts.session.model();
    m_consistencyModel->clear();
    m_preview->clear();
    m_parts.session.setModel(model);
    m_sampling->setDefaults(replyParams(model.defaults), defaultsReason(model.defaults));
    m_sampling->setFamily(model.service->capabilities().family);
    m_sampling->reset();
    if (first && m_chatParams) // of the chat that was read while the model was loading
        m_sampling->setParams(*m_chatParams);
    if (!model.source.path.isEmpty()) {
        m_parts.settings.addRecentModel(model.source.path);
        m_actions->setRecent(m_parts.settings.recentModels());
    }
    if (!model.warnings.empty()) {
        QStringList lines;
        for (const Warning& warning : model.warnings)
            lines += errorDetails({warning.code, warning.message, warning.where});
        m_banner->showNotice(tr("%1 is open, with a remark").arg(model.name),
            errorText(model.warnings.front().code).what, lines.join(QLatin1Char('\n')));
    }
    retranslate();
    updateState();
    updateMetrics();
    updateHint();
    sendQueued();
}

void MainWindow::modelFailed(const ModelSource& source, const Error& error)
{
    modelCancelled();
    const bool fallBack = m_parts.embeddedModel && !m_parts.session.model() && !source.path.isEmpty();
    if (fallBack)
        openModel({}); // the program talks, whatever it was started with
    m_banner->showError(
        (fallBack ? tr("Could not open %1; the built-in model answers instead") : tr("Could not open %1"))
            .arg(sourceName(source)),
        error, tr("Open another model"));
}

// Whatever was queued goes back to where it was typed.
void MainWindow::modelCancelled()
{
    m_loading->end();
    m_parts.settings.setLoadingModel({});
    const QString queued = m_queued;
    m_queued.clear();
    updateState();
    if (m_parts.session.model() && !queued.isEmpty())
        send(queued);
    else if (!queued.isEmpty() && m_composer->draft().isEmpty())
        m_composer->setDraft(queued);
}

QString MainWindow::sourceName(const ModelSource& source) const
{
    return source.path.isEmpty() ? tr("the built-in model") : QFileInfo(source.path).fileName();
}

} // namespace kaikou
