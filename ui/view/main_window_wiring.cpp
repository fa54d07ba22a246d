// The one list of who hears whom, and what the window does then; opening models is in main_window_model.cpp.
#include "ui/model/chat_keeper.h"
#include "ui/model/chat_model.h"
#include "ui/model/consistency_model.h"
#include "ui/model/distribution_model.h"
#include "ui/model/error_text.h"
#include "ui/model/generation_bridge.h"
#include "ui/model/language.h"
#include "ui/model/prompt_preview.h"
#include "ui/model/recompute.h"
#include "ui/model/record_keeper.h"
#include "ui/view/composer.h"
#include "ui/view/consistency_view.h"
#include "ui/view/error_banner.h"
#include "ui/view/inspector_panel.h"
#include "ui/view/loading_strip.h"
#include "ui/view/main_window.h"
#include "ui/view/metrics_bar.h"
#include "ui/view/sampling_panel.h"
#include "ui/view/seed_field.h"
#include "ui/view/transcript_view.h"

#include <QAction>
#include <QDockWidget>

namespace kaikou {

void MainWindow::wireModel()
{
    CheckpointLoader& loader = m_parts.loader;
    connect(&loader, &CheckpointLoader::started, this, &MainWindow::modelStarted);
    connect(&loader, &CheckpointLoader::progressed, m_loading, &LoadingStrip::setProgress);
    connect(&loader, &CheckpointLoader::opened, this, &MainWindow::modelOpened);
    connect(&loader, &CheckpointLoader::failed, this, &MainWindow::modelFailed);
    connect(m_actions, &WindowActions::backendsWanted, this, &MainWindow::backendsWanted);
    connect(&loader, &CheckpointLoader::cancelled, this, &MainWindow::modelCancelled);
    connect(m_loading, &LoadingStrip::cancelRequested, &loader, &CheckpointLoader::cancel);
    connect(m_banner, &ErrorBanner::actionRequested, this, [this] { chooseFile(); });
    connect(m_banner, &ErrorBanner::noticeAnswered, this, &MainWindow::setSamplingBack);
}

void MainWindow::wireChat()
{
    connect(m_composer, &Composer::sendRequested, this, &MainWindow::send);
    connect(m_composer, &Composer::stopRequested, this, &MainWindow::stopEverything);
    connect(m_composer, &Composer::openModelRequested, this, &MainWindow::chooseFile);
    connect(m_composer, &Composer::withdrawRequested, this, [this] { m_queued.clear(); });
    connect(m_composer, &Composer::draftChanged, this, &MainWindow::updateHint);
    connect(m_composer, &Composer::draftChanged, this, [this](const QString& text) {
        if (m_edited == 0)
            m_parts.keeper.setDraft({text, static_cast<int>(text.size())});
    });
    connect(m_composer, &Composer::useEarlierTurnsChanged, this, [this](bool on) {
        m_parts.settings.setUseEarlierTurns(on);
        updateHint();
    });
    connect(m_preview, &PromptPreview::ready, this, &MainWindow::showHint);
    connect(&m_parts.session, &ChatSession::replyStarted, this, [this] {
        updateState();
        m_transcript->scrollToEnd();
    });
    connect(&m_parts.session, &ChatSession::replyEnded, this, &MainWindow::replyEnded);
    connect(&m_parts.session, &ChatSession::replyRefused, this,
        [this](quint64, const QString& question, const Error& error) {
            updateState();
            if (question.isEmpty()) {
                m_banner->showError(tr("The answer could not be generated again"), error);
                return;
            }
            m_composer->setDraft(question);
            showRefusal(tr("The message was not sent"), question, error);
        });
    connect(&m_parts.bridge, &GenerationBridge::busyChanged, this, &MainWindow::updateState);
    connect(m_transcript, &TranscriptView::openModelRequested, this, &MainWindow::chooseFile);
    connect(m_transcript, &TranscriptView::starterChosen, this, &MainWindow::chooseStarter);
    connect(m_transcript, &TranscriptView::regenerateRequested, this, &MainWindow::regenerate);
    connect(m_transcript, &TranscriptView::leaveRequested, m_composer, [this] { m_composer->setFocus(); });
    connect(m_transcript, &TranscriptView::seedClicked, m_sampling->seed(), &SeedField::setSeed);
    connect(m_consistency, &ConsistencyView::runRequested, this, &MainWindow::runConsistency);
    connect(m_consistencyModel, &ConsistencyModel::changed, this, &MainWindow::updateState);
}

void MainWindow::wireInspection()
{
    connect(m_transcript, &TranscriptView::tokenSelected, this, &MainWindow::inspect);
    connect(m_transcript, &TranscriptView::alternativesRequested, this, [this](quint64 reply, int token) {
        inspect(reply, token);
        m_docks[1]->show();
        m_docks[1]->raise();
    });
    connect(m_inspector, &InspectorPanel::moveRequested, this, &MainWindow::moveToken);
    connect(m_inspector, &InspectorPanel::originalParamsRequested, this, [this] {
        ReplyParams params = m_sampling->params();
        params.sampling = m_distribution->step()->made;
        m_sampling->setParams(params);
    });
    connect(m_sampling, &SamplingPanel::paramsChanged, this, [this](const ReplyParams& params) {
        m_distribution->setParams(params.sampling);
        m_transcript->setCurrentParams(params.sampling);
        updateHint();
    });
    connect(&m_parts.records, &RecordKeeper::changed, this, &MainWindow::updateMetrics);
    connect(m_inspector, &InspectorPanel::recomputeRequested, this, &MainWindow::recompute);
    connect(m_recompute, &Recompute::done, &m_parts.records, &RecordKeeper::adopt);
    connect(m_recompute, &Recompute::done, this, [this](quint64 reply) {
        const TokenPlace place = m_transcript->selectedToken();
        if (place.reply == reply)
            inspect(reply, place.token);
    });
    connect(m_recompute, &Recompute::failed, this, [this](quint64, const Error& error) {
        m_banner->showError(tr("The distributions could not be computed again"), error);
    });
}

void MainWindow::wireActions()
{
    const auto on = [this](ActionId id, auto slot) { connect(action(id), &QAction::triggered, this, slot); };
    on(ActionId::OpenFile, [this] { chooseFile(); });
    on(ActionId::OpenFolder, [this] { chooseFolder(); });
    on(ActionId::OpenEmbedded, [this] { openModel({}); });
    on(ActionId::Quit, [this] { close(); });
    on(ActionId::Copy, [this] { m_transcript->copy(); });
    on(ActionId::CopyProbabilities, [this] { m_transcript->copyWithProbabilities(); });
    on(ActionId::Preferences, [this] { showPreferences(); });
    on(ActionId::Stop, [this] { stopEverything(); });
    on(ActionId::Regenerate, [this] { regenerate(false); });
    on(ActionId::Consistency, [this] {
        m_docks[2]->show();
        m_docks[2]->raise();
        runConsistency();
    });
    on(ActionId::FocusInput, [this] { m_composer->setFocus(); });
    on(ActionId::FocusTranscript, [this] { m_transcript->setFocus(Qt::ShortcutFocusReason); });
    on(ActionId::Colour, [this](bool checked) {
        m_parts.settings.setColourTokens(checked);
        m_transcript->setColoured(checked);
    });
    const auto zoom = [this](int percent) {
        m_parts.settings.setFontPercent(percent);
        applyAppearance();
    };
    on(ActionId::FontBigger, [this, zoom] { zoom(m_parts.settings.fontPercent() + 10); });
    on(ActionId::FontSmaller, [this, zoom] { zoom(m_parts.settings.fontPercent() - 10); });
    on(ActionId::FontNormal, [zoom] { zoom(100); });
    on(ActionId::Shortcuts, [this] { showShortcuts(); });
    on(ActionId::Diagnostics, [this] { QApplication::clipboard()->setText(diagnostics()); });
    on(ActionId::About, [this] { showAbout(); });
    connect(m_actions, &WindowActions::recentChosen, this, &MainWindow::openModel);
    connect(m_actions, &WindowActions::recentCleared, this, [this] {
        m_parts.settings.clearRecentModels();
        m_actions->setRecent({});
    });
    connect(m_actions, &WindowActions::backendChosen, this, [this](const QString& name) {
        m_parts.settings.setBackend(name);
        if (const auto& model = m_parts.session.model())
            openModel(model->source.path);
    });
    connect(m_actions, &WindowActions::themeChosen, this, [this](ThemeChoice theme) {
        m_parts.settings.setTheme(theme);
        applyAppearance();
    });
    connect(m_actions, &WindowActions::languageChosen, this, [this](LanguageChoice language) {
        m_parts.settings.setLanguage(language);
        m_parts.language.use(language);
    });
}

void MainWindow::send(const QString& text)
{
    if (m_parts.loader.busy()) {
        m_queued = text;
        return;
    }
    const Ask how = ask(m_sampling->seed()->next());
    m_parts.keeper.setParams(how.params);
    const auto reply
        = m_edited != 0 ? m_parts.session.askInstead(m_edited, text, how) : m_parts.session.ask(text, how);
    if (!reply) {
        m_composer->setDraft(text);
        showRefusal(tr("The message was not sent"), text, reply.error());
        return;
    }
    if (m_edited != 0)
        endEdit(true);
    if (!m_banner->asks())
        m_banner->dismiss();
    updateHint();
}

void MainWindow::sendQueued()
{
    if (m_queued.isEmpty())
        return;
    const QString text = m_queued;
    m_queued.clear();
    send(text);
}

void MainWindow::regenerate(bool sameDice)
{
    if (!m_parts.session.model() || m_parts.session.replying() || !m_parts.session.hasQuestion())
        return;
    const Reply* old = m_parts.chat.reply(m_parts.chat.lastAnswer());
    const std::uint64_t seed = sameDice && old ? old->setup.seed : m_sampling->seed()->next();
    const auto started = m_parts.session.askAgain(ask(seed));
    if (!started)
        m_banner->showError(tr("The answer could not be generated again"), started.error());
}

void MainWindow::runConsistency()
{
    const QString draft = m_composer->draft().trimmed();
    const QString question = draft.isEmpty() ? m_parts.session.lastQuestion() : draft;
    if (!m_parts.session.model() || question.isEmpty() || m_consistencyModel->running())
        return;
    Ask how = ask(m_sampling->seed()->next());
    how.useEarlier = false;
    if (m_consistency->asGptTeacher())
        how.params.sampling = ConsistencyModel::gptTeacherParams(how.params.sampling);
    Turns turns;
    turns.system = m_parts.keeper.systemPrompt().toStdString();
    turns.turns.push_back({Role::User, question.toStdString()});
    const auto started = m_consistencyModel->run(m_parts.session.requestFor(std::move(turns), how), question,
        m_consistency->samples(), m_parts.session.setupOf(how));
    if (!started)
        showRefusal(tr("The samples could not be generated"), question, started.error());
    updateState();
}

// text: what was to be sent. A prompt of no tokens is not always an empty box.
void MainWindow::showRefusal(const QString& context, const QString& text, const Error& error)
{
    if (error.code != ErrorCode::PromptEmpty || text.trimmed().isEmpty()) {
        m_banner->showError(context, error);
        return;
    }
    m_banner->showNotice(context,
        tr("This model's tokenizer knows none of these characters. Write something else, or open another "
           "model."),
        errorDetails(error));
}

void MainWindow::stopEverything()
{
    m_parts.session.stop();
    m_consistencyModel->cancel();
}

void MainWindow::replyEnded(quint64 id)
{
    const Reply* reply = m_parts.chat.reply(id);
    if (reply && reply->error)
        m_banner->showError(tr("The answer ended early"), *reply->error);
    showWhatItShows(id);
    updateState();
    updateMetrics();
    updateHint();
}

void MainWindow::inspect(quint64 id, int token)
{
    const Reply* reply = m_parts.chat.reply(id);
    if (!reply || token < 0 || token >= static_cast<int>(reply->tokens.size())) {
        m_parts.records.pin(0);
        m_distribution->clear();
        return;
    }
    if (!m_distribution->step() && m_docks[1]->toggleViewAction()->isChecked())
        m_docks[1]->raise(); // the first selected token answers visibly, even where panels share one place
    m_parts.records.pin(id);
    const auto& model = m_parts.session.model();
    const QString open
        = model ? QString::fromStdString(model->service->capabilities().fingerprint) : QString();
    m_inspector->setRecomputable(Recompute::possible(*reply, open));
    m_distribution->setParams(m_sampling->params().sampling);
    m_distribution->show(stepView(*reply, token));
}

void MainWindow::recompute()
{
    const auto started = m_recompute->start(m_transcript->selectedToken().reply);
    if (!started)
        m_banner->showError(tr("The distributions could not be computed again"), started.error());
}

void MainWindow::inspectLast(int token)
{
    for (int i = m_parts.chat.count() - 1; i >= 0; --i) {
        if (m_parts.chat.at(i).kind == MessageKind::Answer) {
            m_transcript->selectToken({m_parts.chat.at(i).id, token});
            return;
        }
    }
}

void MainWindow::moveToken(int delta)
{
    const TokenPlace place = m_transcript->selectedToken();
    if (place.token >= 0)
        m_transcript->selectToken({place.reply, place.token + delta});
}

void MainWindow::updateState()
{
    const bool model = m_parts.session.model().has_value();
    const bool loading = m_parts.loader.busy();
    const bool replying = m_parts.session.replying();
    const bool sampling = m_consistencyModel->running();
    m_composer->setState(replying ? Composer::State::Generating
            : loading             ? Composer::State::Loading
            : model               ? Composer::State::Ready
                                  : Composer::State::NoModel);
    m_transcript->setInvitation(loading && !model ? TranscriptView::Invitation::Loading
            : model                               ? TranscriptView::Invitation::Ask
                                                  : TranscriptView::Invitation::OpenModel);
    action(ActionId::Stop)->setEnabled(replying || sampling);
    action(ActionId::Regenerate)->setEnabled(model && !replying && m_parts.session.hasQuestion());
    action(ActionId::Consistency)->setEnabled(model && !sampling);
    m_consistency->setAvailable(model);
    m_metrics->setState(replying ? tr("generating") : sampling ? tr("sampling") : QString());
}

void MainWindow::updateHint()
{
    const auto& model = m_parts.session.model();
    const auto text = model ? model->service->text() : nullptr;
    if (text) {
        m_preview->ask(text, m_parts.session.requestWith(m_composer->draft(), ask(0)));
        return;
    }
    m_preview->clear();
    m_composer->setHint({});
}

void MainWindow::showHint(const Result<PromptInfo>& info)
{
    const std::uint32_t limit = m_parts.session.model()->service->capabilities().context;
    if (!info) {
        const bool unknown
            = info.error().code == ErrorCode::PromptEmpty && !m_composer->draft().trimmed().isEmpty();
        m_composer->setHint(info.error().code == ErrorCode::PromptTooLong ? tr("too long for this model")
                : unknown                                                 ? tr("unknown to the tokenizer")
                                                                          : QString());
        m_metrics->setContext(0, limit);
        return;
    }
    const auto used = static_cast<std::uint32_t>(info->ids.size());
    QString hint = tr("%n token(s)", nullptr, static_cast<int>(used)) + QStringLiteral(" · ")
        + tr("%1 left for the answer").arg(info->answerTokens);
    if (info->droppedTurns > 0)
        hint += QStringLiteral(" · ")
            + tr("%n old turn(s) do not fit", nullptr, static_cast<int>(info->droppedTurns));
    m_composer->setHint(hint);
    m_metrics->setContext(used, limit);
}

void MainWindow::updateMetrics()
{
    const auto& model = m_parts.session.model();
    m_metrics->setModel(model ? std::optional(model->service->capabilities()) : std::nullopt);
    m_metrics->setRecords(m_parts.records.used(), m_parts.records.limit());
    for (int i = m_parts.chat.count() - 1; i >= 0; --i) {
        const Message& message = m_parts.chat.at(i);
        if (message.kind != MessageKind::Answer || message.reply.running())
            continue;
        m_metrics->setReply(message.reply.metrics, message.reply.setup.seed);
        return;
    }
    m_metrics->setReply(std::nullopt, 0);
}

Ask MainWindow::ask(std::uint64_t seed) const
{
    Ask result;
    result.params = m_sampling->params();
    result.seed = seed;
    result.useEarlier = m_composer->useEarlierTurns();
    result.recordLimitBytes = static_cast<std::uint64_t>(m_parts.settings.recordLimitMiB()) << 20;
    return result;
}

} // namespace kaikou
