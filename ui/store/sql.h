#pragma once

#include <QtCore/QString>
#include <QtCore/QVariantList>

class QSqlDatabase;

namespace kaikou {

// How a statement ended: SQLite's primary result code, 0 = done, and its English text.
struct SqlFault
{
    int code = 0;
    QString text;

    [[nodiscard]] bool ok() const { return code == 0; }

    // The write itself breaks a rule of the schema: trying again cannot help.
    [[nodiscard]] bool hopeless() const;
};

// Runs one statement; null strings and blobs are bound as empty ones, an invalid QVariant as NULL.
[[nodiscard]] SqlFault runSql(
    const QSqlDatabase& sql, const char* statement, const QVariantList& values = {});

} // namespace kaikou

// The statement before it may fail; returns its SqlFault then.
#define KAIKOU_SQL(...)                                                                                      \
    if (const SqlFault kaikouFault = runSql(__VA_ARGS__); !kaikouFault.ok())                                 \
    return kaikouFault
