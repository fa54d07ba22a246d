#include "tests/support/test_registry.h"
#include "ui/store/schema.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtTest/QtTest>

using namespace kaikou;

class SchemaTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;

    // Opens `name`, runs `sql` first, migrates and answers the state; `after` is one number read afterwards.
    SchemaState open(const QString& name, const QStringList& sql, const QString& after, int* number)
    {
        SchemaResult result;
        {
            auto db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
            db.setDatabaseName(m_dir.filePath(name));
            if (db.open()) {
                QSqlQuery query(db);
                for (const QString& line : sql)
                    query.exec(line);
                result = migrate(db);
                *number = query.exec(after) && query.next() ? query.value(0).toInt() : -1;
            }
        }
        QSqlDatabase::removeDatabase(name);
        return result.state;
    }

    const QString m_tables = QStringLiteral("SELECT count(*) FROM sqlite_master WHERE type = 'table'");

private slots:

    void emptyFileBecomesVersion1AndStays()
    {
        int n = 0;
        QCOMPARE(open(QStringLiteral("a"), {}, m_tables, &n), SchemaState::Ready);
        QCOMPARE(n, 7);
        const QString keep = QStringLiteral("UPDATE profile SET draft_cursor = 9");
        QCOMPARE(open(QStringLiteral("a"), {keep}, QStringLiteral("SELECT draft_cursor FROM profile"), &n),
            SchemaState::Ready);
        QCOMPARE(n, 9);
    }

    void newerAndForeignAreUntouched()
    {
        int n = 0;
        QCOMPARE(open(QStringLiteral("b"), {}, m_tables, &n), SchemaState::Ready);
        const QString version = QStringLiteral("PRAGMA user_version");
        QCOMPARE(open(QStringLiteral("b"), {QStringLiteral("PRAGMA user_version = 2")}, version, &n),
            SchemaState::Newer);
        QCOMPARE(n, 2);
        QCOMPARE(open(QStringLiteral("c"), {QStringLiteral("CREATE TABLE x (y)")}, m_tables, &n),
            SchemaState::Foreign);
        QCOMPARE(n, 1);
    }

    void fullFileRollsBack()
    {
        int n = 0;
        QCOMPARE(open(QStringLiteral("d"), {QStringLiteral("PRAGMA max_page_count = 3")}, m_tables, &n),
            SchemaState::Failed);
        QCOMPARE(n, 0);
    }

    void garbageFails()
    {
        QFile file(m_dir.filePath(QStringLiteral("e")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(8192, 'x'));
        file.close();
        int n = 0;
        QCOMPARE(open(QStringLiteral("e"), {}, m_tables, &n), SchemaState::Failed);
    }
};

KAIKOU_TEST(SchemaTest)
#include "tst_schema.moc"
