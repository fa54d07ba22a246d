#pragma once

#include "ui/store/chat_search.h"
#include "ui/store/chat_values.h"
#include "ui/store/store_writer.h"

#include <QtCore/QObject>
#include <QtCore/QThread>

#include <memory>

namespace kaikou {

// All chats on disk. Calls return at once; one thread writes them in call order, each in one transaction
// (WAL, FULL). Every write has a number: written() = it survives a kill from now on; savingChanged() with
// saved = false = it is kept in memory and tried again every second, while everything else goes on.
//
// Order for a reply: ask(), wait for written() or savingChanged(), submit to the engine, checkpoint() every
// 500 ms, finish(). GUI thread only.
class ChatStore : public QObject
{
    Q_OBJECT

public:
    // Opens `path` (chats.db) in the background; opened() tells how that went.
    explicit ChatStore(const QString& path, QObject* parent = nullptr);
    ~ChatStore() override; // writes what waits, one last try, and closes

    // A fresh id for a chat or a message, larger than all before. Waits for the opening when called earlier.
    [[nodiscard]] qint64 newId();

    // Writes. The numbers count from 1.
    // Question and reply row (state Streaming), with the chat when it is new: all or nothing. The last one
    // becomes the active leaf.
    quint64 ask(const std::optional<StoredChat>& newChat, const QList<StoredMessage>& messages);
    quint64 checkpoint(const ReplyPart& part);
    quint64 finish(const ReplyEnd& end);
    quint64 setActiveLeaf(qint64 chat, qint64 message);
    quint64 deleteMessage(qint64 message); // with all that follows it
    quint64 updateChat(const StoredChat& chat); // see records::updateChat
    quint64 rename(qint64 chat, const QString& title);
    quint64 setPinned(qint64 chat, bool pinned);
    quint64 moveToTrash(qint64 chat);
    quint64 restore(qint64 chat); // undo of moveToTrash
    quint64 purge(qint64 chat); // for ever; its bytes leave the WAL too
    quint64 purgeTrash(qint64 beforeMs); // chats that went to the trash before
    quint64 setDraft(qint64 chat, const Draft& draft); // chat 0 = the chat that does not exist yet
    quint64 setViewPlace(qint64 chat, const ViewPlace& place);

    // Questions; answered by the signals, after all earlier writes. What waits in memory is seen too.
    void requestChats(bool trash = false);
    void requestChat(qint64 chat);
    void requestWholeChat(qint64 chat); // all branches with their tokens, for files
    void requestDraft(qint64 chat);
    // Titles and texts outside the trash; replaces a running search. Gives its number.
    quint64 search(const QString& words);
    void cancelSearch();

    void retry(); // now, not in a second
    void saveElsewhere(const QString& path); // new file; goes on there with all chats
    void eraseNow(); // VACUUM: nothing of purged chats stays in the file
    // Waits until all earlier calls were tried: before the end of the session, on SIGTERM and suspend.
    void flush();

signals:
    void opened(const kaikou::StoreReport& report);
    void written(quint64 number);
    void refused(quint64 number, const QString& detail); // breaks a rule of the schema; dropped
    void savingChanged(const kaikou::SavingState& state);
    void chatsListed(bool trash, const QList<kaikou::StoredChat>& chats);
    void chatLoaded(const kaikou::LoadedChat& chat, const std::optional<kaikou::ViewPlace>& place);
    void wholeChatRead(const kaikou::LoadedChat& chat);
    void chatMissing(qint64 chat);
    void draftRead(qint64 chat, const kaikou::Draft& draft);
    void found(quint64 search, const QList<kaikou::SearchHit>& hits);
    void searchEnded(quint64 search, bool complete); // false = cancelled

private:
    quint64 write(StoreWriter::Write write);
    template <class F>
    void post(F job);

    QThread m_thread;
    std::unique_ptr<StoreWriter> m_writer; // lives on m_thread
    qint64 m_lastId = 0; // 0 = not known yet
    quint64 m_writes = 0;
    quint64 m_searches = 0;
};

} // namespace kaikou
