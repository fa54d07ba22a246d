#include "ui/store/database.h"

#include "ui/store/salvage.h"
#include "ui/store/schema.h"

#include <QtCore/QDateTime>
#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtCore/QUrl>
#include <QtCore/QtEndian>
#include <QtSql/QSqlError>
#include <QtSql/QSqlQuery>

#include <sys/vfs.h>

#include <array>

namespace kaikou {
namespace {

constexpr std::array kFileEnds = {"", "-wal", "-shm", "-journal"};

// WAL needs memory shared between processes, which these file systems do not promise (Linux magic numbers).
bool onNetwork(const QString& folder)
{
    struct statfs info = {};
    if (::statfs(QFile::encodeName(folder).constData(), &info) != 0)
        return false;
    const auto type = static_cast<quint32>(info.f_type);
    constexpr std::array<quint32, 5> kRemote = {0x6969, 0x517B, 0xFF534D42, 0xFE534D42, 0x65735546};
    return std::find(kRemote.begin(), kRemote.end(), type) != kRemote.end();
}

QString stamp()
{
    return QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
}

int codeOf(const QSqlError& error)
{
    return error.nativeErrorCode().toInt() & 0xFF;
}

bool isDamage(int code)
{
    return causeOf(code) == StoreCause::Damaged;
}

int number(QSqlQuery& query, const QString& sql)
{
    const int value = query.exec(sql) && query.next() ? query.value(0).toInt() : -1;
    query.finish();
    return value;
}

// A copy of an older version's database beside it; its path, or nothing when there was nothing to save.
QString backUp(QSqlQuery& query, const QString& path, bool& failed)
{
    const int version = number(query, QStringLiteral("PRAGMA user_version"));
    const bool ours = number(query, QStringLiteral("PRAGMA application_id")) == kStoreApplicationId;
    if (!ours || version < 0 || version >= kStoreVersion)
        return {};
    const QString copy = QStringLiteral("%1.v%2-%3").arg(path).arg(version).arg(stamp());
    query.prepare(QStringLiteral("VACUUM INTO ?"));
    query.addBindValue(copy);
    failed = !query.exec();
    return copy;
}

// SQLite refuses a file shorter than its header says: a cut copy gets its missing pages back as zeros.
void padToHeader(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite))
        return;
    const QByteArray header = file.read(100);
    if (header.size() < 100)
        return;
    const qint64 page = qFromBigEndian<quint16>(header.constData() + 16);
    const qint64 pages = qFromBigEndian<quint32>(header.constData() + 28);
    const qint64 size = (page == 1 ? 65536 : page) * pages;
    constexpr qint64 kMost = qint64 {1} << 34;
    if (size > file.size() && size < kMost)
        file.resize(size);
}

} // namespace

StoreCause causeOf(int sqliteCode)
{
    switch (sqliteCode & 0xFF) {
    case 0: // SQLITE_OK
        return StoreCause::None;
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
        return StoreCause::Damaged;
    case 13: // SQLITE_FULL
        return StoreCause::DiskFull;
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
        return StoreCause::Permission;
    default:
        return StoreCause::Other;
    }
}

Database::Database(const QString& path, const QString& connection)
    : m_path(path)
    , m_name(connection)
{
    m_report.path = path;
    const QFileInfo file(path);
    const QDir folder = file.absoluteDir();
    if (!QDir().mkpath(folder.path())) {
        note(StoreState::Unavailable, StoreCause::Permission, QStringLiteral("cannot make ") + folder.path());
        openInMemory();
        return;
    }
    m_report.sharedMemory = !onNetwork(folder.path());
    // SQLite removes the WAL when the last connection closes: one that has content means a crash.
    const bool unclean = QFileInfo(path + QLatin1String("-wal")).size() > 0
        || QFileInfo::exists(path + QLatin1String("-journal"));
    if (openFile(unclean) == Outcome::Done)
        return;
    const QString damage = m_report.detail;
    close();
    if (!moveAside())
        return;
    if (openFile(false) == Outcome::Done && m_report.state == StoreState::Ready) {
        copyRows();
        note(StoreState::Ready, StoreCause::Damaged, damage);
    }
}

Database::~Database()
{
    if (m_report.state == StoreState::Ready) {
        QSqlQuery query(sql());
        query.exec(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    }
    close();
}

void Database::note(StoreState state, StoreCause cause, const QString& detail)
{
    m_report.state = state;
    m_report.cause = cause;
    m_report.detail = detail;
}

bool Database::connect(const QString& file, const QString& options)
{
    close();
    QSqlDatabase sql = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    sql.setDatabaseName(file);
    sql.setConnectOptions(options);
    return sql.open();
}

void Database::close()
{
    if (!QSqlDatabase::contains(m_name))
        return;
    sql().close();
    QSqlDatabase::removeDatabase(m_name);
}

Database::Outcome Database::openFile(bool unclean)
{
    const QFileInfo file(m_path);
    const bool writable
        = QFileInfo(file.absolutePath()).isWritable() && (!file.exists() || file.isWritable());
    if (!writable) {
        note(
            StoreState::ReadOnly, StoreCause::Permission, QStringLiteral("no permission to write ") + m_path);
        openReadOnly();
        return Outcome::Done;
    }
    if (!connect(m_path, QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"))) {
        note(StoreState::Unavailable, causeOf(codeOf(sql().lastError())), sql().lastError().text());
        openInMemory();
        return Outcome::Done;
    }
    QSqlDatabase connection = sql();
    return setUp(connection, unclean);
}

Database::Outcome Database::setUp(QSqlDatabase& sql, bool unclean)
{
    QSqlQuery query(sql);
    const auto damaged = [this](const QString& text) {
        note(StoreState::Unavailable, StoreCause::Damaged, text);
        return Outcome::Damaged;
    };
    const auto unavailable = [&, this](int code, const QString& text) {
        query = QSqlQuery();
        sql = QSqlDatabase();
        note(StoreState::Unavailable, causeOf(code), text);
        openInMemory();
        return Outcome::Done;
    };
    if (unclean) {
        const bool answered = query.exec(QStringLiteral("PRAGMA quick_check(1)")) && query.next();
        const QString verdict = answered ? query.value(0).toString() : query.lastError().text();
        if (verdict != QLatin1String("ok") && (answered || isDamage(codeOf(query.lastError()))))
            return damaged(verdict);
        query.finish();
    }
    bool backupFailed = false;
    m_report.backup = backUp(query, m_path, backupFailed);
    if (backupFailed && !isDamage(codeOf(query.lastError())))
        return unavailable(codeOf(query.lastError()), query.lastError().text());
    const SchemaResult schema = migrate(sql);
    if (schema.state == SchemaState::Failed)
        return isDamage(schema.code) ? damaged(schema.message) : unavailable(schema.code, schema.message);
    if (schema.state == SchemaState::Foreign) {
        unavailable(0, schema.message);
        m_report.cause = StoreCause::Foreign;
        return Outcome::Done;
    }
    if (schema.state == SchemaState::Newer) {
        query = QSqlQuery();
        sql = QSqlDatabase();
        note(StoreState::ReadOnly, StoreCause::Newer, schema.message);
        openReadOnly();
        return Outcome::Done;
    }
    const QString journal = m_report.sharedMemory ? QStringLiteral("journal_mode = WAL")
                                                  : QStringLiteral("journal_mode = DELETE");
    // No spilling: what cannot be committed yet is still readable inside a transaction.
    for (const QString& pragma : {journal, QStringLiteral("synchronous = FULL"),
             QStringLiteral("foreign_keys = ON"), QStringLiteral("secure_delete = ON"),
             QStringLiteral("journal_size_limit = 16777216"), QStringLiteral("cache_spill = OFF")})
        if (!query.exec(QStringLiteral("PRAGMA ") + pragma)) {
            const int code = codeOf(query.lastError());
            const QString text = query.lastError().text();
            return isDamage(code) ? damaged(text) : unavailable(code, text);
        }
    note(StoreState::Ready, StoreCause::None, {});
    return Outcome::Done;
}

// Without a WAL the file is complete, and `immutable` lets SQLite read it where it may not make its own
// files.
void Database::openReadOnly()
{
    const bool whole = !QFileInfo::exists(m_path + QLatin1String("-wal"));
    const QString uri
        = QUrl::fromLocalFile(m_path).toString(QUrl::FullyEncoded) + QLatin1String("?immutable=1");
    const bool folderWritable = QFileInfo(QFileInfo(m_path).absolutePath()).isWritable();
    const bool opened = whole && !folderWritable
        ? connect(uri, QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI"))
        : connect(m_path, QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=2000"));
    if (opened && QSqlQuery(sql()).exec(QStringLiteral("SELECT count(*) FROM conversation")))
        return;
    m_report.state = StoreState::Unavailable;
    openInMemory();
}

void Database::openInMemory()
{
    if (!connect(QStringLiteral(":memory:"), {}))
        return;
    QSqlDatabase memory = sql();
    (void)migrate(memory);
    QSqlQuery(memory).exec(QStringLiteral("PRAGMA foreign_keys = ON"));
}

bool Database::moveAside()
{
    const QFileInfo file(m_path);
    const QString folder
        = file.absoluteDir().filePath(file.completeBaseName() + QLatin1String("-corrupt-") + stamp());
    bool moved = QDir().mkpath(folder);
    for (const char* end : kFileEnds) {
        const QString from = m_path + QLatin1String(end);
        if (moved && QFileInfo::exists(from))
            moved = QFile::rename(from, folder + QLatin1Char('/') + file.fileName() + QLatin1String(end));
    }
    m_report.movedTo = folder;
    if (moved)
        return true;
    note(StoreState::Unavailable, StoreCause::Damaged, QStringLiteral("cannot move to ") + folder);
    openInMemory();
    return false;
}

// SQLite changes what it opens, so the rows are read from a copy.
void Database::copyRows()
{
    const QFileInfo file(m_path);
    const QTemporaryDir work(file.absoluteDir().filePath(QStringLiteral("salvage-XXXXXX")));
    for (const char* end : kFileEnds)
        QFile::copy(m_report.movedTo + QLatin1Char('/') + file.fileName() + QLatin1String(end),
            work.filePath(file.fileName() + QLatin1String(end)));
    padToHeader(work.filePath(file.fileName()));
    const QString name = m_name + QLatin1String("-salvage");
    {
        QSqlDatabase old = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        old.setDatabaseName(work.filePath(file.fileName()));
        QSqlDatabase fresh = sql();
        if (old.open())
            m_report.rowsCopied = copyReadableRows(old, fresh);
        old.close();
    }
    QSqlDatabase::removeDatabase(name);
}

} // namespace kaikou
