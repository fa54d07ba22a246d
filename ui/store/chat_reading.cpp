#include "ui/store/chat_records.h"

#include <QtCore/QHash>
#include <QtCore/QSet>
#include <QtCore/QtEndian>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

#include <algorithm>

namespace kaikou {

QList<qint64> LoadedChat::variants(qint64 message) const
{
    QList<const StoredMessage*> all;
    for (const StoredMessage& one : path)
        all.append(&one);
    for (const StoredMessage& one : others)
        all.append(&one);
    const auto self
        = std::find_if(all.begin(), all.end(), [message](const auto* one) { return one->id == message; });
    if (self == all.end())
        return {};
    const qint64 parent = (*self)->parent;
    all.removeIf([parent](const StoredMessage* one) { return one->parent != parent; });
    std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->variant < b->variant; });
    QList<qint64> ids;
    for (const StoredMessage* one : all)
        ids.append(one->id);
    return ids;
}

namespace records {
namespace {

constexpr auto kChatColumns
    = "SELECT id, uuid, title, pinned, created_ms, updated_ms, trashed_ms, active_leaf, system_prompt,"
      " params_json, model_json, extra_json FROM conversation ";

std::optional<qint64> number(const QVariant& value)
{
    return value.isNull() ? std::nullopt : std::optional(value.toLongLong());
}

StoredChat takeChat(const QSqlQuery& row)
{
    StoredChat chat;
    chat.id = row.value(0).toLongLong();
    chat.uuid = row.value(1).toString();
    chat.title = row.value(2).toString();
    chat.pinned = row.value(3).toBool();
    chat.createdMs = row.value(4).toLongLong();
    chat.updatedMs = row.value(5).toLongLong();
    chat.trashedMs = number(row.value(6));
    chat.activeLeaf = row.value(7).toLongLong();
    chat.systemPrompt = row.value(8).toString();
    chat.paramsJson = row.value(9).toString();
    chat.modelJson = row.value(10).toString();
    chat.extraJson = row.value(11).toString();
    return chat;
}

StoredMessage takeMessage(const QSqlQuery& row)
{
    StoredMessage message;
    message.id = row.value(0).toLongLong();
    message.chat = row.value(1).toLongLong();
    message.parent = row.value(2).toLongLong();
    message.variant = row.value(3).toInt();
    message.role = static_cast<StoredRole>(row.value(4).toInt());
    message.state = static_cast<StoredState>(row.value(5).toInt());
    message.stop = static_cast<StoredStop>(row.value(6).toInt());
    message.forkToken = number(row.value(7));
    message.text = row.value(8).toByteArray();
    message.createdMs = row.value(9).toLongLong();
    message.extraJson = row.value(10).toString();
    return message;
}

std::optional<StoredRun> readRun(const QSqlDatabase& sql, qint64 message)
{
    QSqlQuery row(sql);
    row.prepare(QStringLiteral(
        "SELECT seed, params_json, model_fingerprint, tokenizer_fingerprint, backend, build, chat_form,"
        " prompt_ids, dropped_turns, prompt_tokens, cached_tokens, new_tokens, ttft_us, prefill_us,"
        " decode_us, error_json, fallback_text, position_mode, said_count FROM run WHERE message = ?"));
    row.addBindValue(message);
    if (!row.exec() || !row.next())
        return std::nullopt;
    StoredRun run;
    run.seed = static_cast<quint64>(row.value(0).toLongLong());
    run.paramsJson = row.value(1).toString();
    run.modelFingerprint = row.value(2).toString();
    run.tokenizerFingerprint = row.value(3).toString();
    run.backend = row.value(4).toString();
    run.build = row.value(5).toString();
    run.chatForm = row.value(6).toString();
    const QByteArray ids = row.value(7).toByteArray();
    for (qsizetype at = 0; at + 4 <= ids.size(); at += 4)
        run.promptIds.append(qFromLittleEndian<quint32>(ids.constData() + at));
    run.droppedTurns = row.value(8).toInt();
    run.promptTokens = row.value(9).toInt();
    run.cachedTokens = row.value(10).toInt();
    run.newTokens = row.value(11).toInt();
    run.ttftUs = row.value(12).toLongLong();
    run.prefillUs = row.value(13).toLongLong();
    run.decodeUs = row.value(14).toLongLong();
    run.errorJson = row.value(15).toString();
    run.fallbackText = row.value(16).toString();
    run.positionMode = row.value(17).toInt();
    run.saidCount = row.value(18).toInt();
    return run;
}

void addDetails(const QSqlDatabase& sql, StoredMessage& message)
{
    message.run = readRun(sql, message.id);
    auto tokens = readTokens(sql, message.id);
    const auto outside = [&message](const StoredToken& token) {
        return qint64 {token.byteBegin} + token.byteLength > message.text.size();
    };
    message.damaged = !tokens || std::any_of(tokens->begin(), tokens->end(), outside);
    if (!message.damaged)
        message.tokens = *std::move(tokens);
}

} // namespace

QList<StoredChat> listChats(const QSqlDatabase& sql, bool trash)
{
    QSqlQuery rows(sql);
    rows.setForwardOnly(true);
    const QString which
        = trash ? QStringLiteral("WHERE trashed_ms IS NOT NULL") : QStringLiteral("WHERE trashed_ms IS NULL");
    rows.exec(QString::fromLatin1(kChatColumns) + which
        + QStringLiteral(" ORDER BY pinned DESC, ifnull(active_leaf, id) DESC"));
    QList<StoredChat> chats;
    while (rows.next())
        chats.append(takeChat(rows));
    return chats;
}

std::optional<LoadedChat> loadChat(const QSqlDatabase& sql, qint64 chat, bool whole)
{
    QSqlQuery rows(sql);
    rows.setForwardOnly(true);
    rows.prepare(QString::fromLatin1(kChatColumns) + QStringLiteral("WHERE id = ?"));
    rows.addBindValue(chat);
    if (!rows.exec() || !rows.next())
        return std::nullopt;
    LoadedChat loaded;
    loaded.chat = takeChat(rows);
    rows.prepare(
        QStringLiteral("SELECT id, conv, parent, variant, role, state, stop_reason, fork_token, text,"
                       " created_ms, extra_json FROM message WHERE conv = ? ORDER BY id"));
    rows.addBindValue(chat);
    rows.exec();
    QList<StoredMessage> all;
    QHash<qint64, qsizetype> place;
    while (rows.next()) {
        all.append(takeMessage(rows));
        place.insert(all.last().id, all.size() - 1);
    }
    if (!place.contains(loaded.chat.activeLeaf)) // the newest message has no children: it is a leaf
        loaded.chat.activeLeaf = all.isEmpty() ? 0 : all.last().id;
    QSet<qint64> onPath;
    for (qint64 id = loaded.chat.activeLeaf; place.contains(id) && !onPath.contains(id);
         id = all[place[id]].parent) {
        onPath.insert(id);
        loaded.path.prepend(all[place[id]]);
    }
    for (StoredMessage& message : loaded.path)
        addDetails(sql, message);
    for (const StoredMessage& message : all)
        if (!onPath.contains(message.id))
            loaded.others.append(message);
    if (whole) {
        for (StoredMessage& message : loaded.others)
            addDetails(sql, message);
    }
    return loaded;
}

std::optional<QList<StoredToken>> readTokens(const QSqlDatabase& sql, qint64 message)
{
    QSqlQuery rows(sql);
    rows.prepare(QStringLiteral(
        "SELECT first, count, format, data FROM token_block WHERE message = ? ORDER BY first"));
    rows.addBindValue(message);
    if (!rows.exec())
        return std::nullopt;
    QList<StoredToken> tokens;
    while (rows.next()) {
        const auto block
            = decodeTokens(rows.value(2).toInt(), rows.value(1).toLongLong(), rows.value(3).toByteArray());
        if (!block || rows.value(0).toLongLong() != tokens.size())
            return std::nullopt;
        tokens.append(*block);
    }
    return tokens;
}

Draft draft(const QSqlDatabase& sql, qint64 chat)
{
    QSqlQuery row(sql);
    row.prepare(chat == 0 ? QStringLiteral("SELECT draft_text, draft_cursor FROM profile")
                          : QStringLiteral("SELECT text, cursor FROM draft WHERE conv = ?"));
    if (chat != 0)
        row.addBindValue(chat);
    return row.exec() && row.next() ? Draft {row.value(0).toString(), row.value(1).toInt()} : Draft {};
}

std::optional<ViewPlace> viewPlace(const QSqlDatabase& sql, qint64 chat)
{
    QSqlQuery row(sql);
    row.prepare(QStringLiteral("SELECT message, byte, offset_px FROM view_state WHERE conv = ?"));
    row.addBindValue(chat);
    if (!row.exec() || !row.next())
        return std::nullopt;
    return ViewPlace {row.value(0).toLongLong(), row.value(1).toLongLong(), row.value(2).toInt()};
}

qint64 greatestId(const QSqlDatabase& sql)
{
    QSqlQuery row(sql);
    const bool found = row.exec(QStringLiteral("SELECT max(ifnull((SELECT max(id) FROM conversation), 0),"
                                               " ifnull((SELECT max(id) FROM message), 0))"))
        && row.next();
    return found ? row.value(0).toLongLong() : 0;
}

} // namespace records
} // namespace kaikou
