#pragma once

#include <QtCore/QString>

class QSqlDatabase;

namespace kaikou {

// Version this program writes (PRAGMA user_version) and the mark of its files (application_id, "KAIK").
inline constexpr int kStoreVersion = 1;
inline constexpr int kStoreApplicationId = 0x4B41494B;

enum class SchemaState
{
    Ready, // at kStoreVersion, writable
    Newer, // made by a later program: untouched, to be opened read-only
    Foreign, // a database of another program: untouched
    Failed, // SQLite refused (damaged, full, no permission): rolled back, see message
};

struct SchemaResult
{
    SchemaState state = SchemaState::Failed;
    QString message; // SQLite's own English text; empty when Ready
    int code = 0; // SQLite's primary result code when Failed
};

// Brings an open connection to kStoreVersion in one transaction; at kStoreVersion it writes nothing.
// Thread: the one that opened `database`. Schema: one conversation is a tree of messages, siblings differ
// in `variant`; text is a BLOB because an aborted reply may end inside a character.
[[nodiscard]] SchemaResult migrate(QSqlDatabase& database);

} // namespace kaikou
