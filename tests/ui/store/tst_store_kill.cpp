#include "tests/support/test_registry.h"
#include "tests/ui/store/sample_rows.h"
#include "ui/store/chat_store.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QProcess>
#include <QtCore/QRandomGenerator>
#include <QtCore/QTemporaryDir>
#include <QtTest/QtTest>

using namespace kaikou;

namespace {

// What a killed child said.
struct Heard
{
    struct Posted
    {
        qint64 reply = 0;
        int tokens = 0;
        qint64 atMs = 0;
    };

    qint64 chat = 0;
    QList<qint64> questions, replies; // promised
    QHash<qint64, int> promised; // tokens of a reply that were said to be written
    QList<qint64> finished;
    QList<Posted> posted;
    qint64 killedMs = 0;

    void take(const QByteArray& line, qint64 nowMs)
    {
        const QList<QByteArray> words = line.trimmed().split(' ');
        if (words[0] == "asked" && words.size() == 4) {
            chat = words[1].toLongLong();
            questions.append(words[2].toLongLong());
            replies.append(words[3].toLongLong());
        } else if (words.size() == 3) {
            const qint64 reply = words[1].toLongLong();
            const int tokens = words[2].toInt();
            if (words[0] == "posted")
                posted.append({reply, tokens, nowMs});
            else
                promised[reply] = qMax(promised.value(reply), tokens);
            if (words[0] == "finished")
                finished.append(reply);
        }
    }
};

Heard runAndKill(const QString& path, quint32 seed, int afterMs)
{
    Heard heard;
    QElapsedTimer clock;
    clock.start();
    QProcess child;
    child.start(QStringLiteral(KAIKOU_STREAM_CHILD), {path, QString::number(seed)});
    const auto listen = [&] {
        while (child.canReadLine())
            heard.take(child.readLine(), clock.elapsed());
    };
    while (clock.elapsed() < afterMs) {
        child.waitForReadyRead(static_cast<int>(qMax<qint64>(1, afterMs - clock.elapsed())));
        listen();
    }
    heard.killedMs = clock.elapsed();
    child.kill();
    child.waitForFinished(30000);
    listen();
    return heard;
}

} // namespace

// 25 kills at seeded moments on one file that keeps growing.
class StoreKillTest : public QObject
{
    Q_OBJECT

private slots:

    void nothingOlderThanASecondIsLost()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("chats.db"));
        QRandomGenerator dice(2026);
        int promises = 0;
        QHash<qint64, qsizetype> sizes; // of chats of earlier rounds
        for (quint32 round = 0; round < 25; ++round) {
            const Heard heard = runAndKill(path, round, 20 + static_cast<int>(dice.bounded(1800)));
            ChatStore store(path);
            QSignalSpy opened(&store, &ChatStore::opened);
            QSignalSpy loaded(&store, &ChatStore::chatLoaded);
            QSignalSpy listed(&store, &ChatStore::chatsListed);
            store.requestChats();
            if (heard.chat != 0)
                store.requestChat(heard.chat);
            QTRY_COMPARE_WITH_TIMEOUT(listed.count(), 1, 20000);
            QCOMPARE(opened.first().first().value<StoreReport>().state, StoreState::Ready);
            QCOMPARE(opened.first().first().value<StoreReport>().cause, StoreCause::None);
            QVERIFY(listed.first().at(1).value<QList<StoredChat>>().size() >= sizes.size());
            if (heard.chat == 0)
                continue; // killed before the first message was sent
            QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, 20000);
            const auto chat = loaded.first().first().value<LoadedChat>();
            check(heard, chat);
            if (QTest::currentTestFailed())
                return;
            sizes.insert(heard.chat, chat.path.size());
            promises += static_cast<int>(heard.questions.size() + heard.promised.size());
        }
        QVERIFY2(sizes.size() > 10 && promises > 100, qPrintable(QString::number(promises)));
    }

private:
    static void check(const Heard& heard, const LoadedChat& chat)
    {
        QHash<qint64, StoredMessage> rows;
        for (const StoredMessage& row : chat.path)
            rows.insert(row.id, row);
        for (const qint64 question : heard.questions)
            QCOMPARE(rows.value(question).text, "sent " + QByteArray::number(question));
        for (const qint64 reply : heard.replies) {
            QVERIFY(rows.contains(reply));
            const StoredMessage& row = rows[reply];
            QVERIFY(!row.damaged && row.run);
            QVERIFY(row.state == StoredState::Complete || row.state == StoredState::Interrupted);
            QVERIFY(row.state == StoredState::Complete || !heard.finished.contains(reply));
            QCOMPARE(row.text, QByteArray(row.tokens.size(), 'a'));
            QVERIFY(row.tokens == test::letters(0, static_cast<int>(row.tokens.size())));
            QVERIFY(row.tokens.size() >= heard.promised.value(reply));
        }
        for (const Heard::Posted& posted : heard.posted)
            if (posted.atMs < heard.killedMs - 1000)
                QVERIFY(rows.value(posted.reply).tokens.size() >= posted.tokens);
    }
};

KAIKOU_TEST(StoreKillTest)
#include "tst_store_kill.moc"
