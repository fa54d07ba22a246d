#pragma once

#include "ui/model/chat_files.h"
#include "ui/model/chat_session.h"
#include "ui/store/chat_store.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>
#include <set>

namespace kaikou {

// Keeps the conversation of a session on disk: a question before the model gets it, a running reply every 500
// ms, its end, drafts a second after the last key. A temporary chat leaves nothing there. Switches between
// chats. GUI thread.
class ChatKeeper : public QObject
{
    Q_OBJECT

public:
    ChatKeeper(ChatStore& store, ChatModel& chat, ChatSession& session, QObject* parent = nullptr);

    [[nodiscard]] qint64 current() const noexcept { return m_row.id; } // 0 = nothing of it is on disk yet

    [[nodiscard]] const StoredChat& row() const noexcept { return m_row; }

    [[nodiscard]] bool temporary() const noexcept { return m_temporary; }

    [[nodiscard]] const SavingState& saving() const noexcept { return m_saving; }

    void newChat(bool temporary = false); // a running reply ends as stopped and is kept
    void openChat(qint64 chat);
    void rename(qint64 chat, const QString& title);
    void setPinned(qint64 chat, bool pinned);
    void moveToTrash(qint64 chat); // the open one makes room for a new one
    void restore(qint64 chat);
    // The whole chat, for a file; 0 = the open one, also a temporary one. Answered by exported().
    void requestExport(qint64 chat);
    void importChat(const ImportedChat& imported); // and opens it

    [[nodiscard]] qint64 newId() { return m_store.newId(); }

    void search(const QString& words); // empty = ends the search

    void setSystemPrompt(const QString& text); // of the open chat

    [[nodiscard]] const QString& systemPrompt() const noexcept { return m_row.systemPrompt; }

    void setDraft(const Draft& draft); // of the open chat
    void forgetDraft(); // what was set since the last write
    void setParams(const ReplyParams& params); // of the open chat, for its next opening
    void setPlace(const ViewPlace& place); // where the open chat is scrolled to

    [[nodiscard]] ViewPlace place() const noexcept { return m_place; } // as the open chat was left

    // Brings everything to disk; a running reply goes on.
    void flush();
    void close(); // the end: a running reply ends as stopped

signals:
    void chatsListed(const QList<kaikou::StoredChat>& chats);
    void currentChanged(qint64 chat); // 0 = nothing of it is on disk yet
    // Another chat, or an empty one, is in the model now; with the parameters it was left with.
    void chatOpened(const std::optional<kaikou::ReplyParams>& params);
    void draftRead(const kaikou::Draft& draft);
    void exported(const kaikou::LoadedChat& chat);
    void found(const QList<kaikou::SearchHit>& hits);
    void searchEnded();
    void savingChanged(const kaikou::SavingState& state);
    void storeOpened(const kaikou::StoreReport& report);

private:
    void writeQuestion(quint64 reply);
    void release(quint64 upTo);
    void takeBack(quint64 message);
    void checkpoint();
    void writeEnd(quint64 reply);
    void showLeaf(quint64 leaf);
    void take(const LoadedChat& loaded, const std::optional<ViewPlace>& place);
    void leave();
    void writeDraft();
    void touched();

    ChatStore& m_store;
    ChatModel& m_chat;
    ChatSession& m_session;
    StoredChat m_row; // of the open chat
    std::set<quint64> m_onDisk; // messages that have a row
    bool m_temporary = false;
    qint64 m_wanted = 0; // the chat that was asked for
    quint64 m_pending = 0; // number of the write a reply waits for
    quint64 m_pendingReply = 0;
    int m_written = 0; // tokens of the running reply that are on disk
    quint64 m_search = 0;
    SavingState m_saving;
    QTimer m_checkpoints;
    QTimer m_draftTimer;
    std::optional<Draft> m_draft; // not on disk yet
    ViewPlace m_place;
    QTimer m_listTimer; // one listing for many writes
};

} // namespace kaikou
