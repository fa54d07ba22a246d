#include "ui/model/chat_keeper.h"

#include "ui/model/params_json.h"
#include "ui/model/stored_chat.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QUuid>

#include <utility>

namespace kaikou {

namespace {

constexpr int kCheckpointMs = 500;
constexpr int kDraftMs = 1000;
constexpr int kListMs = 50;

QString paramsText(const ReplyParams& params)
{
    return QString::fromUtf8(QJsonDocument(paramsToJson(params)).toJson(QJsonDocument::Compact));
}

} // namespace

ChatKeeper::ChatKeeper(ChatStore& store, ChatModel& chat, ChatSession& session, QObject* parent)
    : QObject(parent)
    , m_store(store)
    , m_chat(chat)
    , m_session(session)
{
    session.setHeld(true);
    chat.setIds([&store] { return static_cast<quint64>(store.newId()); });
    m_checkpoints.setInterval(kCheckpointMs);
    for (QTimer* timer : {&m_draftTimer, &m_listTimer})
        timer->setSingleShot(true);
    connect(&m_checkpoints, &QTimer::timeout, this, &ChatKeeper::checkpoint);
    connect(&m_draftTimer, &QTimer::timeout, this, &ChatKeeper::writeDraft);
    connect(&m_listTimer, &QTimer::timeout, &store, [&store] { store.requestChats(); });
    connect(&session, &ChatSession::replyPrepared, this, &ChatKeeper::writeQuestion);
    connect(&session, &ChatSession::replyEnded, this, &ChatKeeper::writeEnd);
    connect(&session, &ChatSession::replyAdopted, this, [this](quint64 reply) {
        writeQuestion(reply);
        writeEnd(reply);
    });
    connect(&session, &ChatSession::replyRefused, this, &ChatKeeper::takeBack);
    connect(&session, &ChatSession::pathChanged, this, &ChatKeeper::showLeaf);
    connect(&store, &ChatStore::opened, this, &ChatKeeper::storeOpened);
    connect(&store, &ChatStore::written, this, &ChatKeeper::release);
    connect(&store, &ChatStore::refused, this, &ChatKeeper::release);
    connect(&store, &ChatStore::savingChanged, this, [this](const SavingState& state) {
        m_saving = state;
        if (!state.saved)
            release(m_pending); // kept in memory: the conversation goes on
        emit savingChanged(state);
    });
    connect(&store, &ChatStore::chatsListed, this, [this](bool trash, const QList<StoredChat>& chats) {
        if (!trash)
            emit chatsListed(chats);
    });
    connect(&store, &ChatStore::wholeChatRead, this, &ChatKeeper::exported);
    connect(&store, &ChatStore::chatLoaded, this, &ChatKeeper::take);
    connect(&store, &ChatStore::draftRead, this, [this](qint64 of, const Draft& draft) {
        if (of == m_row.id)
            emit draftRead(draft);
    });
    connect(&store, &ChatStore::found, this, [this](quint64 number, const QList<SearchHit>& hits) {
        if (number == m_search)
            emit found(hits);
    });
    connect(&store, &ChatStore::searchEnded, this, [this](quint64 number) {
        if (number == m_search)
            emit searchEnded();
    });
    store.requestChats();
    store.requestDraft(0);
}

void ChatKeeper::newChat(bool temporary)
{
    leave();
    m_session.newChat();
    m_row = {};
    m_place = {};
    m_session.setSystemPrompt({});
    m_onDisk.clear();
    m_wanted = 0;
    m_temporary = temporary;
    if (!temporary)
        m_store.requestDraft(0);
    emit currentChanged(0);
    emit chatOpened(std::nullopt);
}

void ChatKeeper::openChat(qint64 chat)
{
    if (chat == m_row.id && chat != 0)
        return;
    m_wanted = chat;
    m_store.requestChat(chat);
}

// What leaves the screen is complete on disk first.
void ChatKeeper::leave()
{
    writeDraft();
    m_session.stopNow(); // which writes the reply's end
}

void ChatKeeper::take(const LoadedChat& loaded, const std::optional<ViewPlace>& place)
{
    if (loaded.chat.id != m_wanted)
        return;
    const bool same = loaded.chat.id == m_row.id; // a branch of the open chat was read
    if (same && m_session.replying())
        return;
    if (!same)
        leave();
    m_temporary = false;
    m_row = loaded.chat;
    m_place = place.value_or(ViewPlace {});
    m_session.setSystemPrompt(m_row.systemPrompt);
    m_onDisk.clear();
    std::vector<std::pair<Message, quint64>> messages;
    for (const auto& [list, read] : {std::pair(&loaded.path, true), std::pair(&loaded.others, false)}) {
        for (const StoredMessage& stored : *list) {
            if (stored.role != StoredRole::User && stored.role != StoredRole::Assistant)
                continue;
            messages.push_back(messageOf(stored, read));
            m_onDisk.insert(messages.back().first.id);
        }
    }
    const quint64 leaf = loaded.path.isEmpty() ? 0 : static_cast<quint64>(loaded.path.last().id);
    m_session.load(std::move(messages), leaf);
    if (same)
        return;
    const auto params = paramsFromJson(QJsonDocument::fromJson(m_row.paramsJson.toUtf8()).object());
    const bool has = params.ok() && m_row.paramsJson.size() > 2;
    m_store.requestDraft(m_row.id);
    emit currentChanged(m_row.id);
    emit chatOpened(has ? std::optional(*params) : std::nullopt);
}

void ChatKeeper::rename(qint64 chat, const QString& title)
{
    if (chat == m_row.id)
        m_row.title = title;
    m_store.rename(chat, title);
    touched();
}

void ChatKeeper::setPinned(qint64 chat, bool pinned)
{
    if (chat == m_row.id)
        m_row.pinned = pinned;
    m_store.setPinned(chat, pinned);
    touched();
}

void ChatKeeper::moveToTrash(qint64 chat)
{
    if (chat == m_row.id)
        newChat();
    m_store.moveToTrash(chat);
    touched();
}

void ChatKeeper::restore(qint64 chat)
{
    m_store.restore(chat);
    touched();
}

void ChatKeeper::requestExport(qint64 chat)
{
    const qint64 wanted = chat == 0 ? m_row.id : chat;
    if (wanted != 0) {
        m_store.requestWholeChat(wanted);
        return;
    }
    LoadedChat open; // what is on screen only
    open.chat.title = titleOf(m_session.lastQuestion());
    for (int i = 0; i < m_chat.count(); ++i) {
        const Message& message = m_chat.at(i);
        if (message.kind == MessageKind::Note)
            continue;
        const qint64 parent = open.path.isEmpty() ? 0 : open.path.last().id;
        open.path += storedMessage(message, 0, parent);
        if (message.kind == MessageKind::Answer) {
            const ReplyEnd end = endOf(message.id, message.reply, 0);
            open.path.last().tokens = end.last.tokens;
            open.path.last().stop = end.stop;
        }
        open.chat.activeLeaf = open.path.last().id;
    }
    emit exported(open);
}

void ChatKeeper::importChat(const ImportedChat& imported)
{
    m_store.ask(imported.chat, imported.messages);
    for (const StoredMessage& message : imported.messages) {
        if (message.role != StoredRole::Assistant)
            continue;
        ReplyEnd end;
        end.last = {message.id, message.text, 0, message.tokens};
        end.state = message.state;
        end.stop = message.stop;
        end.tokenCount = message.tokens.size();
        end.run = *message.run;
        m_store.finish(end);
    }
    if (imported.chat.activeLeaf != 0)
        m_store.setActiveLeaf(imported.chat.id, imported.chat.activeLeaf);
    touched();
    openChat(imported.chat.id);
}

void ChatKeeper::search(const QString& words)
{
    if (words.isEmpty()) {
        m_store.cancelSearch();
        m_search = 0;
        return;
    }
    m_search = m_store.search(words);
}

void ChatKeeper::setSystemPrompt(const QString& text)
{
    m_row.systemPrompt = text;
    m_session.setSystemPrompt(text);
    if (m_row.id != 0)
        m_store.updateChat(m_row);
}

void ChatKeeper::setDraft(const Draft& draft)
{
    if (m_temporary)
        return;
    m_draft = draft;
    m_draftTimer.start(kDraftMs);
}

void ChatKeeper::forgetDraft()
{
    m_draftTimer.stop();
    m_draft.reset();
}

void ChatKeeper::writeDraft()
{
    m_draftTimer.stop();
    if (m_draft && !m_temporary)
        m_store.setDraft(m_row.id, *m_draft);
    m_draft.reset();
}

void ChatKeeper::setParams(const ReplyParams& params)
{
    const QString text = paramsText(params);
    if (text == m_row.paramsJson)
        return;
    m_row.paramsJson = text;
    if (m_row.id != 0)
        m_store.updateChat(m_row);
}

void ChatKeeper::setPlace(const ViewPlace& place)
{
    if (m_row.id != 0 && !m_temporary)
        m_store.setViewPlace(m_row.id, place);
}

void ChatKeeper::close()
{
    leave();
    m_store.flush();
}

void ChatKeeper::flush()
{
    writeDraft();
    checkpoint();
    m_store.flush();
}

void ChatKeeper::writeQuestion(quint64 reply)
{
    if (m_temporary) {
        m_session.release(reply);
        return;
    }
    const quint64 question = m_session.tree().parent(reply);
    std::optional<StoredChat> created;
    if (m_row.id == 0) {
        m_row.id = m_store.newId();
        m_row.uuid = QUuid::createUuid().toString(QUuid::WithoutBraces);
        m_row.title = titleOf(m_session.lastQuestion());
        m_row.createdMs = m_row.updatedMs = QDateTime::currentMSecsSinceEpoch();
        created = m_row;
    }
    QList<StoredMessage> rows;
    for (const quint64 id : {question, reply}) {
        if (!m_onDisk.insert(id).second)
            continue;
        const Message& message = m_chat.at(m_chat.indexOf(id));
        rows += storedMessage(message, m_row.id, static_cast<qint64>(m_session.tree().parent(id)));
    }
    m_written = 0;
    m_pendingReply = reply;
    m_pending = m_store.ask(created, rows);
    if (created) {
        m_draft.reset(); // the new chat's draft was sent
        m_draftTimer.stop();
        m_store.setDraft(0, {});
        emit currentChanged(m_row.id);
    }
    if (!m_saving.saved)
        release(m_pending); // nothing more is told while the disk refuses
    touched();
}

void ChatKeeper::release(quint64 upTo)
{
    if (m_pending == 0 || upTo < m_pending)
        return;
    m_pending = 0;
    m_checkpoints.start();
    m_session.release(std::exchange(m_pendingReply, 0));
}

// The model refused what was to be asked: nothing of it stays, not even a chat made for it.
void ChatKeeper::takeBack(quint64 message)
{
    m_checkpoints.stop();
    if (m_onDisk.erase(message) == 0)
        return;
    if (m_chat.count() > 0) {
        m_store.deleteMessage(static_cast<qint64>(message));
    } else {
        m_store.purge(m_row.id);
        m_row = {};
        m_onDisk.clear();
        emit currentChanged(0);
    }
    touched();
}

void ChatKeeper::checkpoint()
{
    const quint64 id = m_session.runningReply();
    const Reply* reply = m_chat.reply(id);
    if (reply == nullptr || !m_onDisk.contains(id))
        return;
    const ReplyPart part = checkpointOf(id, *reply, m_written);
    if (part.tokens.isEmpty())
        return;
    m_written += static_cast<int>(part.tokens.size());
    m_store.checkpoint(part);
}

void ChatKeeper::writeEnd(quint64 id)
{
    m_checkpoints.stop();
    m_pending = 0;
    const Reply* reply = m_chat.reply(id);
    if (reply == nullptr || !m_onDisk.contains(id))
        return;
    m_store.finish(endOf(id, *reply, m_written));
    touched();
}

void ChatKeeper::showLeaf(quint64 leaf)
{
    if (m_temporary || m_row.id == 0)
        return;
    m_store.setActiveLeaf(m_row.id, static_cast<qint64>(leaf));
    for (int i = 0; i < m_chat.count(); ++i) {
        if (!m_chat.at(i).reply.unread)
            continue;
        m_wanted = m_row.id;
        m_store.requestChat(m_row.id); // its tokens are on disk only
        return;
    }
}

void ChatKeeper::touched()
{
    m_listTimer.start(kListMs);
}

} // namespace kaikou
