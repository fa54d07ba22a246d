#include "tests/support/test_registry.h"
#include "tests/ui/store/faults.h"
#include "ui/store/database.h"
#include "ui/store/schema.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtSql/QSqlQuery>
#include <QtTest/QtTest>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

using namespace kaikou;
using kaikou::test::AsNobody;
using kaikou::test::SmallFiles;

namespace {

QVariant one(const Database& database, const QString& sql)
{
    QSqlQuery query(database.sql());
    return query.exec(sql) && query.next() ? query.value(0) : QVariant();
}

} // namespace

class DatabaseTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    int m_number = 0;

    QString name() { return QStringLiteral("t%1").arg(++m_number); }

    // A folder of its own with a chats.db of `chats` conversations of 40 messages each.
    QString made(int chats)
    {
        const QString path = m_dir.filePath(QStringLiteral("%1/chats.db").arg(name()));
        const Database database(path, name());
        QSqlQuery query(database.sql());
        query.exec(QStringLiteral("BEGIN"));
        for (int chat = 1; chat <= chats; ++chat) {
            query.exec(
                QStringLiteral("INSERT INTO conversation VALUES (%1, 'u%1', 't%1', 0, 1, 1, NULL, NULL,"
                               " '', '{}', '{}', '{}')")
                    .arg(chat));
            for (int i = 0; i < 40; ++i)
                query.exec(QStringLiteral("INSERT INTO message VALUES (NULL, %1, NULL, %2, 1, 0, 0, NULL,"
                                          " randomblob(500), 1, '{}')")
                               .arg(chat)
                               .arg(i));
        }
        query.exec(QStringLiteral("COMMIT"));
        return path;
    }

private slots:

    void initTestCase() { QFile::setPermissions(m_dir.path(), QFile::Permissions(0x7755)); }

    void newFileHasThePragmas()
    {
        const QString path = m_dir.filePath(QStringLiteral("模型 é/chats.db"));
        {
            const Database database(path, name());
            QCOMPARE(database.report().state, StoreState::Ready);
            QCOMPARE(database.report().cause, StoreCause::None);
            QCOMPARE(one(database, QStringLiteral("PRAGMA journal_mode")).toString(), QStringLiteral("wal"));
            QCOMPARE(one(database, QStringLiteral("PRAGMA synchronous")).toInt(), 2);
            QCOMPARE(one(database, QStringLiteral("PRAGMA foreign_keys")).toInt(), 1);
            QCOMPARE(one(database, QStringLiteral("PRAGMA secure_delete")).toInt(), 1);
            QCOMPARE(one(database, QStringLiteral("PRAGMA journal_size_limit")).toInt(), 16777216);
            QCOMPARE(one(database, QStringLiteral("PRAGMA busy_timeout")).toInt(), 2000);
            QCOMPARE(one(database, QStringLiteral("PRAGMA application_id")).toInt(), kStoreApplicationId);
        }
        QVERIFY(!QFile::exists(path + QStringLiteral("-wal")));
    }

    void emptyFileIsFilled()
    {
        const QString path = m_dir.filePath(QStringLiteral("empty.db"));
        QVERIFY(QFile(path).open(QIODevice::WriteOnly));
        const Database database(path, name());
        QCOMPARE(database.report().state, StoreState::Ready);
    }

    void olderIsBackedUpFirst()
    {
        const QString path = m_dir.filePath(QStringLiteral("old.db"));
        {
            auto sql = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("old"));
            sql.setDatabaseName(path);
            QVERIFY(sql.open());
            QSqlQuery query(sql);
            QVERIFY(query.exec(QStringLiteral("PRAGMA application_id = %1").arg(kStoreApplicationId)));
            QVERIFY(query.exec(QStringLiteral("CREATE TABLE before (x)")));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("old"));
        const Database database(path, name());
        QCOMPARE(database.report().state, StoreState::Ready);
        QCOMPARE(one(database, QStringLiteral("PRAGMA user_version")).toInt(), kStoreVersion);
        const QString backup = database.report().backup;
        QVERIFY2(QFile::exists(backup), qPrintable(backup));
        const Database copy(backup, name()); // itself an older one
        QVERIFY(QFile::exists(copy.report().backup));
    }

    void newerIsReadOnly()
    {
        const QString path = made(2);
        {
            const Database database(path, name());
            one(database, QStringLiteral("PRAGMA user_version = 7"));
        }
        const Database database(path, name());
        QCOMPARE(database.report().state, StoreState::ReadOnly);
        QCOMPARE(database.report().cause, StoreCause::Newer);
        QCOMPARE(one(database, QStringLiteral("SELECT count(*) FROM conversation")).toInt(), 2);
        QVERIFY(!QSqlQuery(database.sql()).exec(QStringLiteral("DELETE FROM conversation")));
    }

    void foreignIsLeftAlone()
    {
        const QString path = m_dir.filePath(QStringLiteral("foreign.db"));
        {
            auto sql = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("foreign"));
            sql.setDatabaseName(path);
            QVERIFY(sql.open());
            QVERIFY(QSqlQuery(sql).exec(QStringLiteral("CREATE TABLE songs (x)")));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("foreign"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        {
            const Database database(path, name());
            QCOMPARE(database.report().state, StoreState::Unavailable);
            QCOMPARE(database.report().cause, StoreCause::Foreign);
            QCOMPARE(one(database, QStringLiteral("SELECT count(*) FROM message")).toInt(), 0);
        }
        QVERIFY(file.seek(0));
        QCOMPARE(file.readAll(), before);
    }

    void garbageMovesAside()
    {
        const QString path = m_dir.filePath(QStringLiteral("g/chats.db"));
        QVERIFY(QDir().mkpath(m_dir.filePath(QStringLiteral("g"))));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(9000, 'x'));
        file.close();
        const Database database(path, name());
        QCOMPARE(database.report().state, StoreState::Ready);
        QCOMPARE(database.report().cause, StoreCause::Damaged);
        QVERIFY(database.report().movedTo.contains(QStringLiteral("/chats-corrupt-")));
        QFile old(database.report().movedTo + QStringLiteral("/chats.db"));
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray(9000, 'x'));
    }

    void truncatedFileKeepsItsReadableRows()
    {
        const QString path = made(20);
        QFile file(path);
        const qint64 size = file.size();
        QVERIFY(file.resize(size * 3 / 4));
        const Database database(path, name());
        QCOMPARE(database.report().state, StoreState::Ready);
        QCOMPARE(database.report().cause, StoreCause::Damaged);
        QVERIFY(QFile::exists(database.report().movedTo + QStringLiteral("/chats.db")));
        QCOMPARE(one(database, QStringLiteral("SELECT count(*) FROM conversation")).toInt(), 20);
        const int messages = one(database, QStringLiteral("SELECT count(*) FROM message")).toInt();
        QVERIFY2(messages > 400 && messages < 800, qPrintable(QString::number(messages)));
        QCOMPARE(one(database, QStringLiteral("PRAGMA quick_check")).toString(), QStringLiteral("ok"));
        QVERIFY(QDir(QFileInfo(path).path()).entryList({QStringLiteral("salvage-*")}).isEmpty());
    }

    void flippedBitsAfterACrashAreFound()
    {
        const QString path = made(20);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        for (qint64 page = 30; page < 60; page += 10) { // headers of leaf pages
            file.seek(page * 4096);
            file.write(QByteArray(64, char(0xA5)));
        }
        file.close();
        QFile wal(path + QStringLiteral("-wal")); // as a killed process leaves it
        QVERIFY(wal.open(QIODevice::WriteOnly));
        wal.write(QByteArray(100, '\0'));
        wal.close();
        const Database database(path, name());
        QCOMPARE(database.report().cause, StoreCause::Damaged);
        QCOMPARE(database.report().state, StoreState::Ready);
        QVERIFY(database.report().rowsCopied > 400);
    }

    void noPermissionToReadOrWrite()
    {
        const QString path = made(3);
        QFile::setPermissions(QFileInfo(path).path(), QFile::Permissions(0x5555));
        {
            const AsNobody nobody;
            const Database database(path, name());
            QCOMPARE(database.report().state, StoreState::ReadOnly);
            QCOMPARE(database.report().cause, StoreCause::Permission);
            QCOMPARE(one(database, QStringLiteral("SELECT count(*) FROM conversation")).toInt(), 3);
            const Database none(QFileInfo(path).path() + QStringLiteral("/new/chats.db"), name());
            QCOMPARE(none.report().state, StoreState::Unavailable);
            QCOMPARE(none.report().cause, StoreCause::Permission);
            QCOMPARE(one(none, QStringLiteral("SELECT count(*) FROM conversation")).toInt(), 0);
        }
        QFile::setPermissions(QFileInfo(path).path(), QFile::Permissions(0x7755));
    }

    void fullDiskIsAState()
    {
        const QString path = m_dir.filePath(QStringLiteral("full.db"));
        {
            const SmallFiles limit(6000);
            const Database database(path, name());
            QCOMPARE(database.report().state, StoreState::Unavailable);
            QVERIFY(!database.report().detail.isEmpty());
            QVERIFY(database.sql().isOpen());
        }
        const Database later(path, name());
        QCOMPARE(later.report().state, StoreState::Ready);
    }
};

KAIKOU_TEST(DatabaseTest)
#include "tst_database.moc"
