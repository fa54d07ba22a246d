#pragma once

#include "ui/store/chat_values.h"
#include "ui/store/sql.h"

// The rows of chats.db as values. Writers run inside the caller's transaction; all on the thread that owns
// the connection.
namespace kaikou::records {

[[nodiscard]] SqlFault insertChat(const QSqlDatabase& sql, const StoredChat& chat);
// Title, pin, trash, system prompt, parameters, model, extra; neither uuid, leaf nor creation.
[[nodiscard]] SqlFault updateChat(const QSqlDatabase& sql, const StoredChat& chat);
[[nodiscard]] SqlFault setTitle(const QSqlDatabase& sql, qint64 chat, const QString& title);
[[nodiscard]] SqlFault setPinned(const QSqlDatabase& sql, qint64 chat, bool pinned);
[[nodiscard]] SqlFault setTrashed(const QSqlDatabase& sql, qint64 chat, std::optional<qint64> ms);
[[nodiscard]] SqlFault setActiveLeaf(const QSqlDatabase& sql, qint64 chat, qint64 message);
[[nodiscard]] SqlFault purgeChat(const QSqlDatabase& sql, qint64 chat);
[[nodiscard]] SqlFault purgeTrash(const QSqlDatabase& sql, qint64 beforeMs);

// Adds it as the last variant among its siblings and makes it the active leaf; tokens are not written.
[[nodiscard]] SqlFault insertMessage(const QSqlDatabase& sql, const StoredMessage& message);
[[nodiscard]] SqlFault deleteMessage(const QSqlDatabase& sql, qint64 message); // with all that follows it
[[nodiscard]] SqlFault checkpoint(const QSqlDatabase& sql, const ReplyPart& part);
// The last checkpoint with the end; the token blocks become one.
[[nodiscard]] SqlFault finishReply(const QSqlDatabase& sql, const ReplyEnd& end);
[[nodiscard]] SqlFault interruptStreaming(const QSqlDatabase& sql);

// chat 0 = the one that does not exist yet. An empty draft is removed.
[[nodiscard]] SqlFault setDraft(const QSqlDatabase& sql, qint64 chat, const Draft& draft);
[[nodiscard]] SqlFault setViewPlace(const QSqlDatabase& sql, qint64 chat, const ViewPlace& place);

// Pinned first, then the newest change; `trash` = those in the trash instead.
[[nodiscard]] QList<StoredChat> listChats(const QSqlDatabase& sql, bool trash);
// Nothing when there is no such chat. A dangling leaf becomes the newest message's; a damaged row is marked.
// whole: the tokens of the other branches are read too.
[[nodiscard]] std::optional<LoadedChat> loadChat(const QSqlDatabase& sql, qint64 chat, bool whole = false);
// All tokens in order; nothing when a block is damaged or one is missing.
[[nodiscard]] std::optional<QList<StoredToken>> readTokens(const QSqlDatabase& sql, qint64 message);
[[nodiscard]] Draft draft(const QSqlDatabase& sql, qint64 chat);
[[nodiscard]] std::optional<ViewPlace> viewPlace(const QSqlDatabase& sql, qint64 chat);
[[nodiscard]] qint64 greatestId(const QSqlDatabase& sql); // of chats and messages

} // namespace kaikou::records
