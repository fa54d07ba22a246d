// Chats in the window: the list, switching, the branches of the open one, and what the disk says.
#include "ui/model/chat_keeper.h"
#include "ui/model/chat_model.h"
#include "ui/model/consistency_model.h"
#include "ui/model/distribution_model.h"
#include "ui/model/record_keeper.h"
#include "ui/view/chat_list.h"
#include "ui/view/composer.h"
#include "ui/view/consistency_view.h"
#include "ui/view/distribution_chart.h"
#include "ui/view/error_banner.h"
#include "ui/view/inspector_panel.h"
#include "ui/view/main_window.h"
#include "ui/view/sampling_panel.h"
#include "ui/view/seed_field.h"
#include "ui/view/transcript_view.h"

#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QRegularExpression>
#include <QStatusBar>

namespace kaikou {

namespace {

constexpr float kAgainstLoops = 1.15F;

} // namespace

void MainWindow::wireChats()
{
    ChatKeeper& keeper = m_parts.keeper;
    connect(m_chats, &ChatList::openRequested, this, [this](qint64 chat) { openChat(chat, 0); });
    connect(m_chats, &ChatList::openMessageRequested, this,
        [this](qint64 chat, qint64 message) { openChat(chat, static_cast<quint64>(message)); });
    connect(m_chats, &ChatList::newRequested, action(ActionId::NewChat), &QAction::trigger);
    connect(m_chats, &ChatList::renameRequested, &keeper, &ChatKeeper::rename);
    connect(m_chats, &ChatList::pinRequested, &keeper, &ChatKeeper::setPinned);
    connect(m_chats, &ChatList::deleteRequested, &keeper, &ChatKeeper::moveToTrash);
    connect(m_chats, &ChatList::undoDeleteRequested, &keeper, &ChatKeeper::restore);
    connect(m_chats, &ChatList::searchChanged, &keeper, &ChatKeeper::search);
    connect(&keeper, &ChatKeeper::chatsListed, m_chats, &ChatList::setChats);
    connect(&keeper, &ChatKeeper::found, m_chats, &ChatList::showHits);
    connect(&keeper, &ChatKeeper::searchEnded, m_chats, &ChatList::endSearch);
    connect(&keeper, &ChatKeeper::currentChanged, m_chats, &ChatList::setCurrent);
    connect(&keeper, &ChatKeeper::currentChanged, this, [this](qint64 chat) {
        m_parts.settings.setOpenChat(chat);
    }); // at once: a killed program comes back here
    connect(&keeper, &ChatKeeper::chatOpened, this, &MainWindow::chatOpened);
    connect(&keeper, &ChatKeeper::draftRead, this, [this](const Draft& draft) {
        if (m_composer->draft().isEmpty() && m_edited == 0)
            m_composer->setDraft(draft.text);
    });
    connect(m_chats, &ChatList::exportRequested, &keeper, &ChatKeeper::requestExport);
    connect(action(ActionId::ExportChat), &QAction::triggered, this, [this] {
        if (m_parts.chat.count() > 0)
            m_parts.keeper.requestExport(0);
    });
    connect(&keeper, &ChatKeeper::exported, this, &MainWindow::exportChat);
    connect(action(ActionId::ImportChat), &QAction::triggered, this, &MainWindow::chooseImport);
    connect(&keeper, &ChatKeeper::savingChanged, this, &MainWindow::showSaving);
    connect(&keeper, &ChatKeeper::storeOpened, this, &MainWindow::showStore);
    connect(m_savingBanner, &ErrorBanner::actionRequested, this, &MainWindow::saveChatsElsewhere);
    connect(action(ActionId::NewChat), &QAction::triggered, this, [this] {
        leaveChat();
        m_parts.keeper.newChat();
        m_composer->setFocus();
    });
    connect(action(ActionId::NewTemporaryChat), &QAction::triggered, this, [this] {
        leaveChat();
        m_parts.keeper.newChat(true);
        m_composer->setFocus();
    });
    connect(action(ActionId::SystemPrompt), &QAction::triggered, this, &MainWindow::editSystemPrompt);
    connect(m_actions->presets(), &QMenu::aboutToShow, this, &MainWindow::fillPresets);
    connect(action(ActionId::SearchChats), &QAction::triggered, this, [this] {
        m_docks[3]->show();
        m_docks[3]->raise();
        m_chats->focusSearch();
    });
}

void MainWindow::wireBranches()
{
    connect(m_transcript, &TranscriptView::siblingRequested, &m_parts.session, &ChatSession::showSibling);
    connect(m_transcript, &TranscriptView::editRequested, this, &MainWindow::edit);
    connect(m_transcript, &TranscriptView::answerAgainRequested, this, &MainWindow::answerAgain);
    connect(m_transcript, &TranscriptView::newChatRequested, action(ActionId::NewChat), &QAction::trigger);
    connect(m_transcript, &TranscriptView::penaltyRequested, this, [this] {
        ReplyParams params = m_sampling->params();
        params.sampling.repetitionPenalty = kAgainstLoops;
        m_sampling->setParams(params);
        regenerate(false);
    });
    connect(m_transcript, &TranscriptView::goOnRequested, this, [this](quint64 answer) {
        if (const Reply* reply = m_parts.chat.reply(answer))
            goOn(answer, openEnd(*reply), std::nullopt);
    });
    connect(m_inspector, &InspectorPanel::alternativeChosen, this, [this](TokenId id) {
        const TokenPlace place = m_transcript->selectedToken();
        if (place.token >= 0)
            goOn(place.reply, place.token, id);
    });
    connect(m_consistency, &ConsistencyView::sampleChosen, this, [this](const Reply& sample) {
        m_parts.session.adopt(m_consistencyModel->question(), sample);
        m_transcript->scrollToEnd();
        updateState();
        updateMetrics();
        updateHint();
    });
    connect(&m_parts.session, &ChatSession::replyAdopted, &m_parts.records, &RecordKeeper::adopt);
    connect(m_composer, &Composer::modeCancelled, this, [this] { endEdit(false); });
    connect(&m_parts.session, &ChatSession::pathChanged, this, [this] {
        if (m_edited != 0)
            endEdit(false);
        updateState();
        updateMetrics();
        updateHint();
    });
    connect(action(ActionId::EditLast), &QAction::triggered, this, &MainWindow::editLast);
    connect(action(ActionId::VariantBefore), &QAction::triggered, this, [this] { showSibling(-1); });
    connect(action(ActionId::VariantAfter), &QAction::triggered, this, [this] { showSibling(1); });
    connect(action(ActionId::GoOn), &QAction::triggered, this, [this] {
        if (const Reply* reply = m_parts.chat.reply(answerMeant()); reply && openEnd(*reply) > 0)
            goOn(answerMeant(), openEnd(*reply), std::nullopt);
    });
}

void MainWindow::openChat(qint64 chat, quint64 message)
{
    m_goTo = message;
    if (chat != m_parts.keeper.current()) {
        leaveChat();
        m_parts.keeper.openChat(chat);
        return;
    }
    m_parts.session.show(m_goTo);
    m_transcript->setPlace(std::exchange(m_goTo, 0), 0);
}

// What must be remembered of the chat on screen before another one comes.
void MainWindow::leaveChat()
{
    if (m_edited != 0)
        endEdit(false);
    const auto [message, offset] = m_transcript->place();
    m_parts.keeper.setPlace({static_cast<qint64>(message), 0, offset});
}

void MainWindow::chatOpened(const std::optional<ReplyParams>& params)
{
    m_distribution->clear();
    m_parts.records.clear();
    m_composer->setDraft({});
    m_parts.keeper.forgetDraft(); // that was no key of the user's
    m_chatParams = params;
    if (params)
        m_sampling->setParams(*params);
    if (m_goTo != 0)
        m_parts.session.show(m_goTo);
    const ViewPlace place = m_parts.keeper.place();
    if (m_goTo != 0)
        m_transcript->setPlace(std::exchange(m_goTo, 0), 0);
    else
        m_transcript->setPlace(static_cast<quint64>(place.message), place.offsetPx);
    updateMode();
    updateState();
    updateMetrics();
    updateHint();
}

void MainWindow::updateMode()
{
    constexpr qsizetype kShown = 60; // characters of the system prompt
    QStringList lines;
    if (m_parts.keeper.temporary())
        lines += tr("Temporary chat: nothing of it is saved");
    if (const QString system = m_parts.keeper.systemPrompt().simplified(); !system.isEmpty())
        lines += tr("System prompt: %1")
                     .arg(system.size() > kShown ? system.left(kShown) + QStringLiteral("…") : system);
    if (m_edited != 0)
        m_composer->setMode(tr("Editing an earlier message; what followed it stays as a variant"), true);
    else
        m_composer->setMode(lines.join(QLatin1Char('\n')));
}

void MainWindow::edit(quint64 question)
{
    const int index = m_parts.chat.indexOf(question);
    if (index < 0 || m_parts.session.replying())
        return;
    if (m_edited == 0)
        m_beforeEdit = m_composer->draft();
    m_edited = question;
    m_composer->setDraft(QString::fromStdString(m_parts.chat.at(index).text));
    updateMode();
    m_composer->setFocus();
}

void MainWindow::endEdit(bool sent)
{
    m_edited = 0;
    const QString draft = std::exchange(m_beforeEdit, {});
    if (!sent || !draft.isEmpty())
        m_composer->setDraft(draft);
    updateMode();
}

void MainWindow::editLast()
{
    for (int i = m_parts.chat.count() - 1; i >= 0; --i) {
        if (m_parts.chat.at(i).kind == MessageKind::Question) {
            edit(m_parts.chat.at(i).id);
            return;
        }
    }
}

// The answer with the selected token, else the last one.
quint64 MainWindow::answerMeant() const
{
    const TokenPlace place = m_transcript->selectedToken();
    return place.token >= 0 ? place.reply : m_parts.chat.lastAnswer();
}

void MainWindow::showSibling(int step)
{
    m_parts.session.showSibling(answerMeant(), step);
}

void MainWindow::answerAgain(quint64 answer)
{
    if (!m_parts.session.model() || m_parts.session.replying())
        return;
    const auto started = m_parts.session.answerAgain(answer, ask(m_sampling->seed()->next()));
    if (!started)
        m_banner->showError(tr("The answer could not be generated again"), started.error());
}

void MainWindow::goOn(quint64 answer, int keep, std::optional<TokenId> next)
{
    const Reply* reply = m_parts.chat.reply(answer);
    const auto& model = m_parts.session.model();
    if (!reply || !model || m_parts.session.replying())
        return;
    // Token ids mean something else to another model.
    if (reply->setup.fingerprint.toStdString() != model->service->capabilities().fingerprint) {
        m_banner->showNotice(tr("Another model wrote this answer"),
            tr("Open %1 to go on from one of its tokens, or ask for another answer.")
                .arg(reply->setup.modelName));
        return;
    }
    Ask how = ask(reply->setup.seed);
    how.useEarlier = reply->setup.useEarlier;
    const auto started = m_parts.session.goOn(answer, keep, next, how);
    if (!started)
        m_banner->showError(tr("The answer could not be continued"), started.error());
}

void MainWindow::showSaving(const SavingState& state)
{
    if (state.saved) {
        m_savingBanner->dismiss();
        return;
    }
    const QString why = state.cause == StoreCause::DiskFull ? tr("Chats are not saved: the disk is full")
        : state.cause == StoreCause::Permission ? tr("Chats are not saved: the folder cannot be written")
        : state.cause == StoreCause::Newer      ? tr("Chats are not saved: a newer Kaikou made the file")
                                                : tr("Chats are not saved");
    m_savingBanner->showError(
        why, {ErrorCode::StorageWrite, state.detail.toStdString(), {}}, tr("Save elsewhere…"));
}

void MainWindow::showStore(const StoreReport& report)
{
    if (report.cause == StoreCause::Damaged)
        m_banner->showNotice(tr("The file with your chats was damaged"),
            tr("What could be read was kept. The damaged file is in %1.").arg(report.movedTo), report.detail);
    else if (report.state == StoreState::ReadOnly)
        m_banner->showNotice(tr("Your chats can be read, but nothing new is saved"),
            tr("The file %1 was made by a newer Kaikou or cannot be written.").arg(report.path),
            report.detail);
    if (const qint64 last = m_parts.settings.openChat();
        last != 0 && m_parts.keeper.current() == 0 && m_parts.chat.count() == 0)
        m_parts.keeper.openChat(last);
}

void MainWindow::saveChatsElsewhere()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save the chats in"), QStringLiteral("chats.db"), tr("Kaikou chats (*.db)"));
    if (path.isEmpty())
        showSaving(m_parts.keeper.saving());
    else
        m_parts.store.saveElsewhere(path);
}

void MainWindow::exportChat(const LoadedChat& chat)
{
    QString name = chat.chat.title.isEmpty() ? tr("Chat") : chat.chat.title;
    static const QRegularExpression unsafe(QStringLiteral("[/\\\\:*?\"<>|\\x00-\\x1f]"));
    name.replace(unsafe, QStringLiteral("_"));
    const QStringList kinds {tr("Chat with everything (*.json)"), tr("Web page with colours (*.html)"),
        tr("Markdown (*.md)"), tr("Table of tokens (*.csv)")};
    const QStringList suffixes {
        QStringLiteral("json"), QStringLiteral("html"), QStringLiteral("md"), QStringLiteral("csv")};
    QString kind;
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export the chat"), name + QStringLiteral(".json"), kinds.join(QStringLiteral(";;")), &kind);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty()
        || (kinds.indexOf(kind) > 0 && path.endsWith(QStringLiteral(".json"))))
        path = QFileInfo(path).path() + u'/' + QFileInfo(path).completeBaseName() + u'.'
            + suffixes.value(kinds.indexOf(kind), suffixes.first());
    const auto& model = m_parts.session.model();
    const auto text = model ? model->service->text() : nullptr;
    const auto piece = [&text](TokenId id) { return text ? std::string(text->piece(id)) : std::string(); };
    const ExportWords words {tr("You").toStdString(), tr("Model").toStdString(),
        tr("Background: what the model gave each token").toStdString()};
    const auto written = writeChatFile(path, chat, words, piece);
    if (!written)
        m_banner->showError(tr("The chat was not exported"), written.error());
    else
        statusBar()->showMessage(tr("Exported to %1").arg(path), 5000);
}

void MainWindow::chooseImport()
{
    const QString path
        = QFileDialog::getOpenFileName(this, tr("Import a chat"), QString(), tr("Chats of Kaikou (*.json)"));
    if (!path.isEmpty())
        importChat(path);
}

void MainWindow::importChat(const QString& path)
{
    const auto document = readChatFile(path);
    if (!document) {
        m_banner->showError(tr("%1 was not imported").arg(QFileInfo(path).fileName()), document.error());
        return;
    }
    leaveChat();
    m_parts.keeper.importChat(importedChat(*document, [this] { return m_parts.keeper.newId(); }));
}

// False: the user wants to stay, because something is not on disk.
bool MainWindow::mayClose()
{
    m_parts.keeper.close();
    const int waiting = m_parts.keeper.saving().waiting;
    if (m_parts.keeper.saving().saved || waiting == 0)
        return true;
    QMessageBox box(QMessageBox::Warning, tr("Chats are not saved"),
        tr("The last messages are in memory only and are lost when the program ends."), QMessageBox::NoButton,
        this);
    const QPushButton* leave = box.addButton(tr("Quit without saving"), QMessageBox::DestructiveRole);
    const QPushButton* elsewhere = box.addButton(tr("Save elsewhere…"), QMessageBox::AcceptRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (static_cast<const QAbstractButton*>(elsewhere) == box.clickedButton())
        saveChatsElsewhere();
    return static_cast<const QAbstractButton*>(leave) == box.clickedButton();
}

} // namespace kaikou
