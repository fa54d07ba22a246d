#include "tests/support/test_registry.h"
#include "tests/ui/store/sample_rows.h"
#include "ui/store/chat_store.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

class ChatSearchTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    std::unique_ptr<ChatStore> m_store;
    QList<qint64> m_chats;

    static constexpr int kMessages = 10000;

    QList<SearchHit> find(const QString& words)
    {
        QList<SearchHit> all;
        bool ended = false;
        quint64 number = 0;
        const auto hits
            = connect(m_store.get(), &ChatStore::found, [&](quint64 search, const QList<SearchHit>& some) {
                  if (search == number)
                      all += some;
              });
        const auto end = connect(m_store.get(), &ChatStore::searchEnded,
            [&](quint64 search, bool complete) { ended = search == number && complete; });
        number = m_store->search(words);
        [[maybe_unused]] const bool answered = QTest::qWaitFor([&] { return ended; }, 30000);
        disconnect(hits);
        disconnect(end);
        return ended ? all : QList<SearchHit> {SearchHit {-1, -1, {}, {}, 0, 0}};
    }

private slots:

    void initTestCase()
    {
        m_store = std::make_unique<ChatStore>(m_dir.filePath(QStringLiteral("chats.db")));
        for (int chat = 0; chat < 10; ++chat) {
            const qint64 id = m_store->newId();
            m_chats.append(id);
            QList<StoredMessage> messages;
            qint64 parent = 0;
            for (int i = 0; i < kMessages / 10; ++i) {
                QByteArray text = "第" + QByteArray::number(i) + "句:今天天气很好。Nothing here.";
                if (i % 100 == 7)
                    text = "前面的话。\n把温度调到一点五,Temperature ÄRGER ΣΊΣΥΦΟΣ。";
                if (i == 500)
                    text += "\xE6\xB8"; // half a character at the end
                messages.append(question(m_store->newId(), id, parent, text));
                parent = messages.last().id;
            }
            m_store->ask(sampleChat(id, QStringLiteral("聊天 %1 Alpha").arg(chat)), messages);
        }
        m_store->flush();
    }

    void chineseOfEveryLength_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("hits");
        QTest::newRow("one") << QStringLiteral("温") << 100;
        QTest::newRow("two") << QStringLiteral("温度") << 100;
        QTest::newRow("three") << QStringLiteral("温度调") << 100;
        QTest::newRow("common") << QStringLiteral("天气") << kMessages - 100;
        QTest::newRow("case") << QStringLiteral("tEMPeRATURE") << 100;
        QTest::newRow("umlaut") << QStringLiteral("ärger") << 100;
        QTest::newRow("greek") << QStringLiteral("σίσυφος") << 100;
        QTest::newRow("title") << QStringLiteral("alpha") << 10;
        QTest::newRow("none") << QStringLiteral("不存在") << 0;
        QTest::newRow("wildcards are letters") << QStringLiteral("%温_") << 0;
        QTest::newRow("nothing asked") << QString() << 0;
    }

    void chineseOfEveryLength()
    {
        QFETCH(QString, words);
        QFETCH(int, hits);
        QCOMPARE(find(words).size(), hits);
    }

    void aHitSaysWhere()
    {
        const SearchHit hit = find(QStringLiteral("温度")).first();
        QCOMPARE(hit.chat, m_chats.last()); // newest first
        QCOMPARE(hit.title, QStringLiteral("聊天 9 Alpha"));
        QCOMPARE(hit.position, 7);
        QCOMPARE(hit.excerpt.mid(hit.excerptMatch, 2), QStringLiteral("温度"));
        QVERIFY(!hit.excerpt.contains(QLatin1Char('\n')));
    }

    void theTrashIsNotSearched()
    {
        m_store->moveToTrash(m_chats.first());
        QCOMPARE(find(QStringLiteral("温度")).size(), 90);
        m_store->restore(m_chats.first());
        QCOMPARE(find(QStringLiteral("温度")).size(), 100);
    }

    void cancelAndReplace()
    {
        m_store->requestChat(m_chats.first()); // keeps the store busy until the search is cancelled
        QSignalSpy ended(m_store.get(), &ChatStore::searchEnded);
        const quint64 first = m_store->search(QStringLiteral("天气"));
        const quint64 second = m_store->search(QStringLiteral("天"));
        m_store->cancelSearch();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 2, 20000);
        QCOMPARE(ended.at(0).at(0).toULongLong(), first);
        QCOMPARE(ended.at(1).at(0).toULongLong(), second);
        QVERIFY(!ended.at(0).at(1).toBool() && !ended.at(1).at(1).toBool());
    }

    void writesComeInBetween()
    {
        QStringList order;
        connect(m_store.get(), &ChatStore::written, this, [&] { order.append(QStringLiteral("written")); });
        connect(m_store.get(), &ChatStore::searchEnded, this, [&] { order.append(QStringLiteral("ended")); });
        m_store->requestChat(m_chats.first());
        m_store->search(QStringLiteral("天气"));
        m_store->setDraft(0, {QStringLiteral("x"), 1});
        QTRY_COMPARE_WITH_TIMEOUT(order.size(), 2, 20000);
        QCOMPARE(order.first(), QStringLiteral("written"));
    }

    void cleanupTestCase() { m_store.reset(); }
};

KAIKOU_TEST(ChatSearchTest)
#include "tst_chat_search.moc"
