#include "ui/store/salvage.h"

#include <QtCore/QSet>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtSql/QSqlRecord>

#include <array>

namespace kaikou {
namespace {

struct Table
{
    const char* name;
    const char* columns;
    const char* orphans; // which rows cannot stay; null = all can
};

constexpr std::array kTables = {
    Table {"conversation",
        "id, uuid, title, pinned, created_ms, updated_ms, trashed_ms, active_leaf, system_prompt,"
        " params_json, model_json, extra_json",
        nullptr},
    Table {"message",
        "id, conv, parent, variant, role, state, stop_reason, fork_token, text, created_ms, extra_json",
        "conv NOT IN (SELECT id FROM conversation) OR parent NOT IN (SELECT id FROM message)"},
    Table {"run",
        "message, seed, params_json, model_fingerprint, tokenizer_fingerprint, backend, build, chat_form,"
        " prompt_ids, dropped_turns, prompt_tokens, cached_tokens, new_tokens, ttft_us, prefill_us,"
        " decode_us, error_json, fallback_text, position_mode, said_count",
        "message NOT IN (SELECT id FROM message)"},
    Table {"token_block", "message, first, count, format, data", "message NOT IN (SELECT id FROM message)"},
    Table {"draft", "conv, text, cursor", "conv NOT IN (SELECT id FROM conversation)"},
    Table {"view_state", "conv, message, byte, offset_px", "conv NOT IN (SELECT id FROM conversation)"},
    Table {"profile", "id, draft_text, draft_cursor", nullptr},
};

// One direction; stops at the first row that cannot be read or was already copied.
void copyTable(const Table& table, bool backwards, QSqlQuery& from, QSqlQuery& to, QSet<qint64>& seen)
{
    const QString name = QString::fromLatin1(table.name);
    const QString columns = QString::fromLatin1(table.columns);
    const QString order
        = backwards ? QStringLiteral(" ORDER BY rowid DESC") : QStringLiteral(" ORDER BY rowid");
    const auto count = columns.count(QLatin1Char(',')) + 1;
    const QString marks = QStringLiteral("?,").repeated(count).chopped(1);
    if (!from.exec(QStringLiteral("SELECT rowid, %1 FROM %2%3").arg(columns, name, order)))
        return;
    to.prepare(QStringLiteral("INSERT OR REPLACE INTO %1 (%2) VALUES (%3)").arg(name, columns, marks));
    while (from.next()) {
        const qint64 row = from.value(0).toLongLong();
        if (seen.contains(row))
            return;
        seen.insert(row);
        for (int i = 0; i < count; ++i)
            to.bindValue(i, from.value(i + 1));
        to.exec(); // a row that breaks a rule of the schema is lost
    }
}

} // namespace

qint64 copyReadableRows(const QSqlDatabase& damaged, QSqlDatabase& fresh)
{
    QSqlQuery from(damaged);
    from.setForwardOnly(true);
    QSqlQuery to(fresh);
    to.exec(QStringLiteral("PRAGMA foreign_keys = OFF"));
    to.exec(QStringLiteral("BEGIN"));
    for (const Table& table : kTables) {
        QSet<qint64> seen;
        copyTable(table, false, from, to, seen);
        copyTable(table, true, from, to, seen);
    }
    qint64 rows = 0;
    for (const Table& table : kTables) {
        const QString name = QString::fromLatin1(table.name);
        // A lost parent takes its whole branch along, one generation a round.
        do {
            if (table.orphans == nullptr)
                break;
            to.exec(QStringLiteral("DELETE FROM %1 WHERE %2").arg(name, QString::fromLatin1(table.orphans)));
        } while (to.numRowsAffected() > 0);
        if (to.exec(QStringLiteral("SELECT count(*) FROM ") + name) && to.next())
            rows += to.value(0).toLongLong();
    }
    to.exec(QStringLiteral("COMMIT"));
    to.exec(QStringLiteral("PRAGMA foreign_keys = ON"));
    return rows;
}

} // namespace kaikou
