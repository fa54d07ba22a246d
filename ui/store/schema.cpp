#include "ui/store/schema.h"

#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <array>
#include <optional>

namespace kaikou {
namespace {

constexpr std::array kVersion1 = {
    "CREATE TABLE conversation (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, title TEXT NOT NULL,"
    " pinned INTEGER NOT NULL DEFAULT 0, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,"
    " trashed_ms INTEGER, active_leaf INTEGER, system_prompt TEXT NOT NULL, params_json TEXT NOT NULL,"
    " model_json TEXT NOT NULL, extra_json TEXT NOT NULL DEFAULT '{}')",
    "CREATE TABLE message (id INTEGER PRIMARY KEY,"
    " conv INTEGER NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,"
    " parent INTEGER REFERENCES message(id) ON DELETE CASCADE, variant INTEGER NOT NULL,"
    " role INTEGER NOT NULL, state INTEGER NOT NULL, stop_reason INTEGER NOT NULL DEFAULT 0,"
    " fork_token INTEGER, text BLOB NOT NULL, created_ms INTEGER NOT NULL,"
    " extra_json TEXT NOT NULL DEFAULT '{}')",
    "CREATE UNIQUE INDEX message_variant ON message(conv, ifnull(parent, 0), variant)",
    "CREATE TABLE run (message INTEGER PRIMARY KEY REFERENCES message(id) ON DELETE CASCADE,"
    " seed INTEGER NOT NULL, params_json TEXT NOT NULL, model_fingerprint TEXT NOT NULL,"
    " tokenizer_fingerprint TEXT NOT NULL, backend TEXT NOT NULL, build TEXT NOT NULL,"
    " chat_form TEXT NOT NULL, prompt_ids BLOB NOT NULL, dropped_turns INTEGER, prompt_tokens INTEGER,"
    " cached_tokens INTEGER, new_tokens INTEGER, ttft_us INTEGER, prefill_us INTEGER, decode_us INTEGER,"
    " error_json TEXT, fallback_text TEXT, position_mode INTEGER NOT NULL DEFAULT 0,"
    " said_count INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE token_block (message INTEGER NOT NULL REFERENCES message(id) ON DELETE CASCADE,"
    " first INTEGER NOT NULL, count INTEGER NOT NULL, format INTEGER NOT NULL, data BLOB NOT NULL,"
    " PRIMARY KEY (message, first))",
    "CREATE TABLE draft (conv INTEGER PRIMARY KEY REFERENCES conversation(id) ON DELETE CASCADE,"
    " text TEXT NOT NULL, cursor INTEGER NOT NULL)",
    "CREATE TABLE view_state (conv INTEGER PRIMARY KEY REFERENCES conversation(id) ON DELETE CASCADE,"
    " message INTEGER, byte INTEGER, offset_px INTEGER)",
    // The draft of the chat that does not exist yet: its one row is made here.
    "CREATE TABLE profile (id INTEGER PRIMARY KEY CHECK (id = 1), draft_text TEXT NOT NULL,"
    " draft_cursor INTEGER NOT NULL)",
    "INSERT INTO profile VALUES (1, '', 0)",
};

std::optional<int> readNumber(QSqlQuery& query, const QString& sql)
{
    if (!query.exec(sql) || !query.next())
        return std::nullopt;
    const int value = query.value(0).toInt();
    query.finish();
    return value;
}

bool createVersion1(QSqlQuery& query)
{
    for (const char* statement : kVersion1)
        if (!query.exec(QString::fromLatin1(statement)))
            return false;
    return query.exec(QStringLiteral("PRAGMA application_id = %1").arg(kStoreApplicationId))
        && query.exec(QStringLiteral("PRAGMA user_version = 1"));
}

} // namespace

SchemaResult migrate(QSqlDatabase& database)
{
    QSqlQuery query(database);
    const auto failed = [&query] {
        const QSqlError error = query.lastError();
        return SchemaResult {SchemaState::Failed, error.text(), error.nativeErrorCode().toInt() & 0xFF};
    };
    const auto version = readNumber(query, QStringLiteral("PRAGMA user_version"));
    const auto mark = version ? readNumber(query, QStringLiteral("PRAGMA application_id")) : std::nullopt;
    const auto tables
        = mark ? readNumber(query, QStringLiteral("SELECT count(*) FROM sqlite_master")) : std::nullopt;
    if (!tables)
        return failed();
    if (*tables > 0 && *mark != kStoreApplicationId)
        return {SchemaState::Foreign, QStringLiteral("not a Kaikou database"), 0};
    if (*version > kStoreVersion)
        return {SchemaState::Newer,
            QStringLiteral("schema version %1, known %2").arg(*version).arg(kStoreVersion), 0};
    if (*version == kStoreVersion)
        return {SchemaState::Ready, {}, 0};
    if (!query.exec(QStringLiteral("BEGIN IMMEDIATE")))
        return failed();
    // Another program may have migrated between the look and the lock.
    const bool done = readNumber(query, QStringLiteral("PRAGMA user_version")) == kStoreVersion;
    if ((done || createVersion1(query)) && query.exec(QStringLiteral("COMMIT")))
        return {SchemaState::Ready, {}, 0};
    SchemaResult result = failed();
    query.exec(QStringLiteral("ROLLBACK"));
    return result;
}

} // namespace kaikou
