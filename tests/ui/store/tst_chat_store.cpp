#include "tests/support/test_registry.h"
#include "tests/ui/store/faults.h"
#include "tests/ui/store/sample_rows.h"
#include "ui/store/chat_store.h"

#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>
#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

class ChatStoreTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    int m_number = 0;

    QString newPath() { return m_dir.filePath(QStringLiteral("%1/chats.db").arg(++m_number)); }

    static QList<StoredChat> list(ChatStore& store, bool trash = false)
    {
        QList<StoredChat> chats;
        bool done = false;
        const auto link = connect(&store, &ChatStore::chatsListed, [&](bool, const QList<StoredChat>& all) {
            chats = all;
            done = true;
        });
        store.requestChats(trash);
        [[maybe_unused]] const bool answered = QTest::qWaitFor([&] { return done; }, 20000);
        disconnect(link);
        return chats;
    }

    static std::optional<LoadedChat> load(
        ChatStore& store, qint64 chat, std::optional<ViewPlace>* place = nullptr)
    {
        std::optional<LoadedChat> loaded;
        bool done = false;
        const auto link = connect(&store, &ChatStore::chatLoaded,
            [&](const LoadedChat& one, const std::optional<ViewPlace>& where) {
                loaded = one;
                done = true;
                if (place != nullptr)
                    *place = where;
            });
        const auto none = connect(&store, &ChatStore::chatMissing, [&] { done = true; });
        store.requestChat(chat);
        [[maybe_unused]] const bool answered = QTest::qWaitFor([&] { return done; }, 20000);
        disconnect(link);
        disconnect(none);
        return loaded;
    }

    static Draft draft(ChatStore& store, qint64 chat)
    {
        QSignalSpy spy(&store, &ChatStore::draftRead);
        store.requestDraft(chat);
        return spy.wait(20000) ? spy.last().at(1).value<Draft>() : Draft {QStringLiteral("no answer"), -1};
    }

    static void rawSql(const QString& path, const QString& statement)
    {
        {
            auto sql = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("raw"));
            sql.setDatabaseName(path);
            QVERIFY(sql.open());
            QVERIFY(QSqlQuery(sql).exec(statement));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("raw"));
    }

    // A chat with one question and a reply of `tokens` letters, unfinished.
    static qint64 begin(ChatStore& store, qint64* reply, int tokens)
    {
        const qint64 chat = store.newId();
        const qint64 asked = store.newId();
        *reply = store.newId();
        store.ask(sampleChat(chat, QStringLiteral("你好")),
            {question(asked, chat, 0, "你好吗?"), openReply(*reply, chat, asked)});
        if (tokens > 0)
            store.checkpoint(part(*reply, 0, tokens));
        return chat;
    }

private slots:

    void aReplyComesBackAsItWas()
    {
        const QString path = newPath();
        qint64 reply = 0;
        qint64 chat = 0;
        StoredRun run = *openReply(1, 1, 1).run;
        run.newTokens = 6;
        run.ttftUs = 1234;
        run.errorJson = QStringLiteral("{\"code\":3}");
        {
            ChatStore store(path);
            QSignalSpy written(&store, &ChatStore::written);
            chat = begin(store, &reply, 4);
            ReplyEnd end {part(reply, 4, 4), StoredState::Complete, StoredStop::Stop, 6, run};
            end.last.text = QByteArray("aaaaa\xE4\xBD", 7); // ends inside a character
            store.finish(end);
            store.flush();
            QTRY_COMPARE(written.count(), 3);
            QCOMPARE(written.at(2).at(0).toULongLong(), 3ULL);
        }
        ChatStore store(path);
        const auto loaded = load(store, chat);
        QVERIFY(loaded);
        QCOMPARE(loaded->path.size(), 2);
        QCOMPARE(loaded->path[0].text, QByteArray("你好吗?"));
        const StoredMessage& back = loaded->path[1];
        QCOMPARE(back.state, StoredState::Complete);
        QCOMPARE(back.stop, StoredStop::Stop);
        QCOMPARE(back.text, QByteArray("aaaaa\xE4\xBD", 7));
        QVERIFY(back.run == run);
        QVERIFY(back.tokens == letters(0, 6));
        QVERIFY(!back.damaged);
        QVERIFY(store.newId() > reply);
    }

    void streamingBecomesInterrupted()
    {
        const QString path = newPath();
        qint64 reply = 0;
        qint64 chat = 0;
        {
            ChatStore store(path);
            chat = begin(store, &reply, 5);
        }
        ChatStore store(path);
        const auto loaded = load(store, chat);
        QVERIFY(loaded);
        QCOMPARE(loaded->path[1].state, StoredState::Interrupted);
        QCOMPARE(loaded->path[1].text, QByteArray("aaaaa"));
        QVERIFY(loaded->path[1].tokens == letters(0, 5));
    }

    void variantsMakeATree()
    {
        ChatStore store(newPath());
        qint64 first = 0;
        const qint64 chat = begin(store, &first, 1);
        const qint64 asked = first - 1;
        const qint64 second = store.newId();
        store.ask(std::nullopt, {openReply(second, chat, asked)});
        auto loaded = load(store, chat);
        QVERIFY(loaded);
        QCOMPARE(loaded->chat.activeLeaf, second);
        QCOMPARE(loaded->variants(second), (QList<qint64> {first, second}));
        QCOMPARE(loaded->path.last().variant, 1);
        QCOMPARE(loaded->others.size(), 1);
        store.setActiveLeaf(chat, first);
        loaded = load(store, chat);
        QCOMPARE(loaded->path.last().id, first);
        QVERIFY(loaded->path.last().tokens == letters(0, 1));
        store.deleteMessage(first); // the leaf dangles: the newest one takes its place
        loaded = load(store, chat);
        QCOMPARE(loaded->chat.activeLeaf, second);
    }

    void listTrashAndPurge()
    {
        const QString path = newPath();
        ChatStore store(path);
        qint64 reply = 0;
        const qint64 a = begin(store, &reply, 0);
        const qint64 b = begin(store, &reply, 0);
        QCOMPARE(list(store).first().id, b);
        store.setPinned(a, true);
        store.rename(a, QStringLiteral("新名字"));
        QCOMPARE(list(store).first().id, a);
        QCOMPARE(list(store).first().title, QStringLiteral("新名字"));
        store.moveToTrash(b);
        QCOMPARE(list(store).size(), 1);
        QCOMPARE(list(store, true).first().id, b);
        store.restore(b);
        QCOMPARE(list(store).size(), 2);
        store.moveToTrash(b);
        store.purgeTrash(1);
        QCOMPARE(list(store, true).size(), 1);
        store.purge(b);
        QVERIFY(list(store, true).isEmpty());
        QVERIFY(!load(store, b));
        QCOMPARE(QFile(path + QStringLiteral("-wal")).size(), 0);
    }

    void purgedTextLeavesTheFile()
    {
        const QString path = newPath();
        {
            ChatStore store(path);
            const qint64 chat = store.newId();
            store.ask(
                sampleChat(chat, QStringLiteral("x")), {question(store.newId(), chat, 0, "geheimwort")});
            store.purge(chat);
            store.eraseNow();
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("geheimwort"));
    }

    void draftsAndPlaces()
    {
        const QString path = newPath();
        qint64 chat = 0;
        {
            ChatStore store(path);
            qint64 reply = 0;
            chat = begin(store, &reply, 0);
            store.setDraft(0, {QStringLiteral("新的"), 2});
            store.setDraft(chat, {QStringLiteral("half a sent"), 4});
            store.setViewPlace(chat, {reply, 17, -3});
        }
        ChatStore store(path);
        QCOMPARE(draft(store, 0), (Draft {QStringLiteral("新的"), 2}));
        QCOMPARE(draft(store, chat), (Draft {QStringLiteral("half a sent"), 4}));
        std::optional<ViewPlace> place;
        QVERIFY(load(store, chat, &place));
        QCOMPARE(place->byte, 17);
        QCOMPARE(place->offsetPx, -3);
        store.setDraft(chat, {});
        QCOMPARE(draft(store, chat), Draft {});
    }

    void whatBreaksARuleIsRefusedAlone()
    {
        ChatStore store(newPath());
        QSignalSpy refused(&store, &ChatStore::refused);
        qint64 reply = 0;
        const qint64 chat = begin(store, &reply, 0);
        const quint64 twice
            = store.ask(std::nullopt, {question(store.newId(), chat, 0, "a"), question(reply, chat, 0, "b")});
        QTRY_COMPARE(refused.count(), 1);
        QCOMPARE(refused.first().first().toULongLong(), twice);
        const auto loaded = load(store, chat);
        QCOMPARE(loaded->path.size() + loaded->others.size(), 2); // all or nothing
    }

    void damagedTokensDoNotHideTheText()
    {
        const QString path = newPath();
        qint64 reply = 0;
        qint64 chat = 0;
        {
            ChatStore store(path);
            chat = begin(store, &reply, 5);
        }
        rawSql(path, QStringLiteral("UPDATE token_block SET data = zeroblob(17)"));
        ChatStore store(path);
        const auto loaded = load(store, chat);
        QVERIFY(loaded && loaded->path[1].damaged && loaded->path[1].tokens.isEmpty());
        QCOMPARE(loaded->path[1].text, QByteArray("aaaaa"));
    }

    void fullDiskGoesOnInMemoryAndIsWrittenLater()
    {
        const QString path = newPath();
        qint64 reply = 0;
        qint64 chat = 0;
        {
            ChatStore store(path);
            store.flush();
            QSignalSpy saving(&store, &ChatStore::savingChanged);
            QSignalSpy written(&store, &ChatStore::written);
            {
                const SmallFiles limit(static_cast<rlim_t>(QFile(path).size()));
                chat = begin(store, &reply, 0);
                for (int i = 0; i < 400; ++i)
                    store.checkpoint(part(reply, 100 * i, 100));
                QTRY_VERIFY_WITH_TIMEOUT(!saving.isEmpty(), 20000);
                const auto state = saving.first().first().value<SavingState>();
                QVERIFY(!state.saved && state.waiting > 0);
                const auto loaded = load(store, chat); // from memory
                QVERIFY(loaded);
                QCOMPARE(loaded->path.last().tokens.size(), 40000);
                QVERIFY(written.count() < 401);
            }
            store.retry();
            QTRY_COMPARE_WITH_TIMEOUT(written.count(), 401, 60000);
            QTRY_VERIFY(saving.last().first().value<SavingState>().saved);
        }
        ChatStore store(path);
        const auto loaded = load(store, chat);
        QVERIFY(loaded && loaded->path.last().tokens == letters(0, 40000));
    }

    void aFolderThatBecomesWritableGetsEverything()
    {
        QFile block(m_dir.filePath(QStringLiteral("blocked")));
        QVERIFY(block.open(QIODevice::WriteOnly));
        const QString path = m_dir.filePath(QStringLiteral("blocked/chats.db"));
        ChatStore store(path);
        QSignalSpy opened(&store, &ChatStore::opened);
        QSignalSpy saving(&store, &ChatStore::savingChanged);
        qint64 reply = 0;
        const qint64 chat = begin(store, &reply, 3);
        QTRY_COMPARE_WITH_TIMEOUT(saving.isEmpty(), false, 20000);
        QCOMPARE(opened.first().first().value<StoreReport>().state, StoreState::Unavailable);
        QCOMPARE(list(store).size(), 1);
        const QString elsewhere = m_dir.filePath(QStringLiteral("elsewhere.db"));
        store.saveElsewhere(elsewhere);
        QTRY_VERIFY_WITH_TIMEOUT(saving.last().first().value<SavingState>().saved, 20000);
        QCOMPARE(opened.last().first().value<StoreReport>().path, elsewhere);
        QCOMPARE(load(store, chat)->path.last().tokens.size(), 3);
        QVERIFY(QFile::exists(elsewhere));
        ChatStore second(m_dir.filePath(QStringLiteral("blocked/chats.db")));
        QSignalSpy secondSaving(&second, &ChatStore::savingChanged);
        const qint64 other = begin(second, &reply, 3);
        QTRY_VERIFY_WITH_TIMEOUT(!secondSaving.isEmpty(), 20000);
        QVERIFY(block.remove()); // now the folder can be made
        QTRY_VERIFY_WITH_TIMEOUT(secondSaving.last().first().value<SavingState>().saved, 20000);
        QVERIFY(QFile::exists(path));
        QCOMPARE(load(second, other)->path.last().tokens.size(), 3);
    }
};

KAIKOU_TEST(ChatStoreTest)
#include "tst_chat_store.moc"
