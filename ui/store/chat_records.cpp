#include "ui/store/chat_records.h"

#include <QtCore/QtEndian>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

namespace kaikou::records {
namespace {

QVariant orNull(const QString& text)
{
    return text.isEmpty() ? QVariant() : QVariant(text);
}

QVariant idOrNull(qint64 id)
{
    return id == 0 ? QVariant() : QVariant(id);
}

template <class T>
QVariant orNull(const std::optional<T>& value)
{
    return value ? QVariant::fromValue(*value) : QVariant();
}

QByteArray packIds(const QList<quint32>& ids)
{
    QByteArray bytes(ids.size() * 4, '\0');
    for (qsizetype i = 0; i < ids.size(); ++i)
        qToLittleEndian(ids[i], bytes.data() + 4 * i);
    return bytes;
}

SqlFault insertRun(const QSqlDatabase& sql, qint64 message, const StoredRun& run)
{
    return runSql(sql,
        "INSERT OR REPLACE INTO run (message, seed, params_json, model_fingerprint, tokenizer_fingerprint,"
        " backend, build, chat_form, prompt_ids, dropped_turns, prompt_tokens, cached_tokens, new_tokens,"
        " ttft_us, prefill_us, decode_us, error_json, fallback_text, position_mode, said_count)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        {message, static_cast<qint64>(run.seed), run.paramsJson, run.modelFingerprint,
            run.tokenizerFingerprint, run.backend, run.build, run.chatForm, packIds(run.promptIds),
            run.droppedTurns, run.promptTokens, run.cachedTokens, run.newTokens, run.ttftUs, run.prefillUs,
            run.decodeUs, orNull(run.errorJson), orNull(run.fallbackText), run.positionMode, run.saidCount});
}

SqlFault insertBlock(const QSqlDatabase& sql, qint64 message, qint64 first, const QList<StoredToken>& tokens)
{
    if (tokens.isEmpty())
        return {};
    return runSql(sql, "INSERT OR REPLACE INTO token_block VALUES (?, ?, ?, ?, ?)",
        {message, first, static_cast<qint64>(tokens.size()), kTokenBlockFormat, encodeTokens(tokens)});
}

SqlFault mergeBlocks(const QSqlDatabase& sql, qint64 message, qint64 count)
{
    const auto tokens = readTokens(sql, message);
    if (!tokens)
        return {}; // damaged blocks stay as they are
    KAIKOU_SQL(sql, "DELETE FROM token_block WHERE message = ?", {message});
    return insertBlock(sql, message, 0, count < 0 ? *tokens : tokens->first(qMin(count, tokens->size())));
}

} // namespace

SqlFault insertChat(const QSqlDatabase& sql, const StoredChat& chat)
{
    return runSql(sql,
        "INSERT INTO conversation (id, uuid, title, pinned, created_ms, updated_ms, trashed_ms, active_leaf,"
        " system_prompt, params_json, model_json, extra_json) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        {chat.id, chat.uuid, chat.title, chat.pinned, chat.createdMs, chat.updatedMs, orNull(chat.trashedMs),
            idOrNull(chat.activeLeaf), chat.systemPrompt, chat.paramsJson, chat.modelJson, chat.extraJson});
}

SqlFault updateChat(const QSqlDatabase& sql, const StoredChat& chat)
{
    return runSql(sql,
        "UPDATE conversation SET title = ?, pinned = ?, trashed_ms = ?, system_prompt = ?, params_json = ?,"
        " model_json = ?, extra_json = ? WHERE id = ?",
        {chat.title, chat.pinned, orNull(chat.trashedMs), chat.systemPrompt, chat.paramsJson, chat.modelJson,
            chat.extraJson, chat.id});
}

SqlFault setTitle(const QSqlDatabase& sql, qint64 chat, const QString& title)
{
    return runSql(sql, "UPDATE conversation SET title = ? WHERE id = ?", {title, chat});
}

SqlFault setPinned(const QSqlDatabase& sql, qint64 chat, bool pinned)
{
    return runSql(sql, "UPDATE conversation SET pinned = ? WHERE id = ?", {pinned, chat});
}

SqlFault setTrashed(const QSqlDatabase& sql, qint64 chat, std::optional<qint64> ms)
{
    return runSql(sql, "UPDATE conversation SET trashed_ms = ? WHERE id = ?", {orNull(ms), chat});
}

SqlFault setActiveLeaf(const QSqlDatabase& sql, qint64 chat, qint64 message)
{
    return runSql(sql, "UPDATE conversation SET active_leaf = ? WHERE id = ?", {idOrNull(message), chat});
}

SqlFault purgeChat(const QSqlDatabase& sql, qint64 chat)
{
    return runSql(sql, "DELETE FROM conversation WHERE id = ?", {chat});
}

SqlFault purgeTrash(const QSqlDatabase& sql, qint64 beforeMs)
{
    return runSql(sql, "DELETE FROM conversation WHERE trashed_ms < ?", {beforeMs});
}

SqlFault insertMessage(const QSqlDatabase& sql, const StoredMessage& message)
{
    KAIKOU_SQL(sql,
        "INSERT INTO message (id, conv, parent, variant, role, state, stop_reason, fork_token, text,"
        " created_ms, extra_json) VALUES (?, ?, ?, (SELECT ifnull(max(variant), -1) + 1 FROM message"
        " WHERE conv = ? AND ifnull(parent, 0) = ?), ?, ?, ?, ?, ?, ?, ?)",
        {message.id, message.chat, idOrNull(message.parent), message.chat, message.parent,
            static_cast<int>(message.role), static_cast<int>(message.state), static_cast<int>(message.stop),
            orNull(message.forkToken), message.text, message.createdMs, message.extraJson});
    if (message.run)
        if (SqlFault fault = insertRun(sql, message.id, *message.run); !fault.ok())
            return fault;
    return runSql(sql, "UPDATE conversation SET active_leaf = ?, updated_ms = ? WHERE id = ?",
        {message.id, message.createdMs, message.chat});
}

SqlFault deleteMessage(const QSqlDatabase& sql, qint64 message)
{
    return runSql(sql, "DELETE FROM message WHERE id = ?", {message});
}

SqlFault checkpoint(const QSqlDatabase& sql, const ReplyPart& part)
{
    KAIKOU_SQL(sql, "UPDATE message SET text = ? WHERE id = ?", {part.text, part.message});
    return insertBlock(sql, part.message, part.firstToken, part.tokens);
}

SqlFault finishReply(const QSqlDatabase& sql, const ReplyEnd& end)
{
    const qint64 message = end.last.message;
    if (SqlFault fault = checkpoint(sql, end.last); !fault.ok())
        return fault;
    KAIKOU_SQL(sql, "UPDATE message SET state = ?, stop_reason = ? WHERE id = ?",
        {static_cast<int>(end.state), static_cast<int>(end.stop), message});
    if (SqlFault fault = insertRun(sql, message, end.run); !fault.ok())
        return fault;
    return mergeBlocks(sql, message, end.tokenCount);
}

SqlFault interruptStreaming(const QSqlDatabase& sql)
{
    return runSql(sql, "UPDATE message SET state = 3 WHERE state = 1");
}

SqlFault setDraft(const QSqlDatabase& sql, qint64 chat, const Draft& draft)
{
    if (chat == 0)
        return runSql(sql, "UPDATE profile SET draft_text = ?, draft_cursor = ?", {draft.text, draft.cursor});
    if (draft.text.isEmpty())
        return runSql(sql, "DELETE FROM draft WHERE conv = ?", {chat});
    return runSql(sql, "INSERT OR REPLACE INTO draft VALUES (?, ?, ?)", {chat, draft.text, draft.cursor});
}

SqlFault setViewPlace(const QSqlDatabase& sql, qint64 chat, const ViewPlace& place)
{
    return runSql(sql, "INSERT OR REPLACE INTO view_state VALUES (?, ?, ?, ?)",
        {chat, place.message, place.byte, place.offsetPx});
}

} // namespace kaikou::records
