#pragma once

#include <QtCore/QString>
#include <QtSql/QSqlDatabase>

namespace kaikou {

enum class StoreState
{
    Ready, // writable
    ReadOnly, // chats can be read, nothing is saved
    Unavailable // no file: everything stays in memory
};

// Why the store is not simply Ready, or what happened while it became so. The window translates by it.
enum class StoreCause
{
    None,
    Newer, // made by a later program
    Foreign, // another program's database has this name
    Permission, // folder or file cannot be written
    DiskFull,
    Damaged, // moved aside, readable rows copied: see movedTo
    Other // see detail
};

struct StoreReport
{
    StoreState state = StoreState::Unavailable;
    StoreCause cause = StoreCause::None;
    QString detail; // English, for logs and the details field
    QString path; // of the database in use
    QString movedTo; // Damaged: folder that holds the old files
    QString backup; // copy made before a migration; empty = none was needed
    qint64 rowsCopied = 0; // Damaged: rows of all tables that could be read
    bool sharedMemory = true; // false on network folders: journal_mode=DELETE instead of WAL
};

// Cause of SQLite's result code (primary or extended).
[[nodiscard]] StoreCause causeOf(int sqliteCode);

// The connection to one chats.db; opened, used and closed by one thread. Pragmas as desktop.md §5.1: WAL,
// FULL, foreign keys, secure delete, 2 s busy timeout. Never fails hard: what went wrong is in report().
class Database
{
public:
    // `connection` is the process-wide name of the QSqlDatabase.
    Database(const QString& path, const QString& connection);
    ~Database(); // a clean end: the WAL is written back and removed

    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] const StoreReport& report() const { return m_report; }

    // Always open: an empty one in memory when Unavailable.
    [[nodiscard]] QSqlDatabase sql() const { return QSqlDatabase::database(m_name, false); }

private:
    enum class Outcome
    {
        Done,
        Damaged
    };

    Outcome openFile(bool unclean);
    Outcome setUp(QSqlDatabase& sql, bool unclean);
    bool connect(const QString& file, const QString& options);
    void openReadOnly();
    void openInMemory();
    bool moveAside();
    void copyRows();
    void note(StoreState state, StoreCause cause, const QString& detail);
    void close();

    QString m_path;
    QString m_name;
    StoreReport m_report;
};

} // namespace kaikou
