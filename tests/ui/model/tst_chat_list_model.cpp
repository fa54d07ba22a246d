#include "tests/support/test_registry.h"
#include "ui/model/chat_list_model.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

namespace kaikou::test {

using Section = ChatListModel::Section;

class TstChatListModel : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void cleanup() { m_model.reset(); }

    void pinnedFirstThenNewest();
    void sectionsChangeAtLocalMidnight_data();
    void sectionsChangeAtLocalMidnight();
    void headingsStandAtTheFirstRow();
    void timesInWords();
    void aChatThatMovesIsOneMove();
    void anyListBecomesAnyOther();
    void hitsStreamIn();
    void titleHitsMarkTheTitle();
    void renameTidiesAndTells();
    void accessibleText();

private:
    [[nodiscard]] QList<qint64> ids() const;

    QDateTime m_now;
    std::unique_ptr<ChatListModel> m_model;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

namespace {

StoredChat chat(qint64 id, const QDateTime& updated, const QString& title = {}, bool pinned = false)
{
    StoredChat chat;
    chat.id = id;
    chat.title = title;
    chat.pinned = pinned;
    chat.updatedMs = updated.toMSecsSinceEpoch();
    return chat;
}

SearchHit hit(qint64 chat, qint64 message, const QString& excerpt, int at)
{
    return {chat, message, QStringLiteral("title"), excerpt, at, at};
}

} // namespace

void TstChatListModel::init()
{
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    m_now = QDateTime(QDate(2026, 3, 12), QTime(10, 30)); // a Thursday
    m_model = std::make_unique<ChatListModel>();
    m_tester = std::make_unique<QAbstractItemModelTester>(
        m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    m_model->setClock([this] { return m_now; });
}

QList<qint64> TstChatListModel::ids() const
{
    QList<qint64> ids;
    for (int row = 0; row < m_model->rowCount(); ++row)
        ids += m_model->index(row).data(ChatListModel::IdRole).toLongLong();
    return ids;
}

void TstChatListModel::pinnedFirstThenNewest()
{
    StoredChat gone = chat(9, m_now);
    gone.trashedMs = 1;
    m_model->setChats({chat(1, m_now.addDays(-1)), chat(2, m_now), chat(3, m_now.addDays(-40), {}, true),
        chat(4, m_now), chat(5, m_now.addDays(-9), {}, true), gone});
    QCOMPARE(ids(), (QList<qint64> {5, 3, 4, 2, 1}));
}

void TstChatListModel::sectionsChangeAtLocalMidnight_data()
{
    QTest::addColumn<QDateTime>("updated");
    QTest::addColumn<int>("section");
    const auto row = [](const char* name, QDate day, QTime time, Section section) {
        QTest::newRow(name) << QDateTime(day, time) << static_cast<int>(section);
    };
    row("future", QDate(2026, 3, 14), QTime(1, 0), Section::Today);
    row("today's first", QDate(2026, 3, 12), QTime(0, 0), Section::Today);
    row("yesterday's last", QDate(2026, 3, 11), QTime(23, 59, 59, 999), Section::Yesterday);
    row("yesterday's first", QDate(2026, 3, 11), QTime(0, 0), Section::Yesterday);
    row("day before", QDate(2026, 3, 10), QTime(23, 59, 59, 999), Section::Week);
    row("seventh day", QDate(2026, 3, 6), QTime(0, 0), Section::Week);
    row("eighth day", QDate(2026, 3, 5), QTime(23, 59, 59, 999), Section::Month);
    row("thirtieth day", QDate(2026, 2, 11), QTime(0, 0), Section::Month);
    row("thirty-first day", QDate(2026, 2, 10), QTime(23, 59, 59, 999), Section::Earlier);
}

void TstChatListModel::sectionsChangeAtLocalMidnight()
{
    QFETCH(QDateTime, updated);
    QFETCH(int, section);
    m_model->setChats({chat(1, updated)});
    QCOMPARE(m_model->index(0).data(ChatListModel::SectionRole).toInt(), section);
    m_model->setChats({chat(1, updated, {}, true)});
    QCOMPARE(m_model->index(0).data(ChatListModel::SectionRole).toInt(), static_cast<int>(Section::Pinned));
}

void TstChatListModel::headingsStandAtTheFirstRow()
{
    m_model->setChats({chat(1, m_now), chat(2, m_now.addSecs(-60)), chat(3, m_now.addDays(-1))});
    const auto headings = [this] {
        QStringList texts;
        for (int row = 0; row < m_model->rowCount(); ++row)
            texts += m_model->index(row).data(ChatListModel::HeadingRole).toString();
        return texts;
    };
    QCOMPARE(headings(), (QStringList {QStringLiteral("Today"), {}, QStringLiteral("Yesterday")}));
    QSignalSpy changed(m_model.get(), &QAbstractItemModel::dataChanged);
    m_now = m_now.addDays(1); // the program stood open over midnight
    m_model->refresh();
    QVERIFY(changed.count() > 0);
    QCOMPARE(headings(), (QStringList {QStringLiteral("Yesterday"), {}, QStringLiteral("Last 7 days")}));
    m_model->drop(1);
    QCOMPARE(headings(), (QStringList {QStringLiteral("Yesterday"), QStringLiteral("Last 7 days")}));
}

void TstChatListModel::timesInWords()
{
    const QList<std::pair<QDateTime, QString>> cases {
        {m_now.addSecs(500), QStringLiteral("just now")},
        {m_now.addSecs(-59), QStringLiteral("just now")},
        {m_now.addSecs(-60), QStringLiteral("1 min ago")},
        {m_now.addSecs(-3599), QStringLiteral("59 min ago")},
        {m_now.addSecs(-3600), QStringLiteral("1 h ago")},
        {QDateTime(QDate(2026, 3, 12), QTime(0, 0)), QStringLiteral("10 h ago")},
        {QDateTime(QDate(2026, 3, 11), QTime(23, 5)), QStringLiteral("yesterday 23:05")},
        {QDateTime(QDate(2026, 3, 9), QTime(8, 0)), QStringLiteral("Monday 08:00")},
        {QDateTime(QDate(2026, 1, 2), QTime(8, 0)), QStringLiteral("2 Jan")},
        {QDateTime(QDate(2025, 12, 31), QTime(8, 0)), QStringLiteral("31 Dec 2025")},
    };
    for (const auto& [then, words] : cases) {
        m_model->setChats({chat(1, then)});
        QCOMPARE(m_model->index(0).data(ChatListModel::TimeRole).toString(), words);
    }
}

void TstChatListModel::aChatThatMovesIsOneMove()
{
    QList<StoredChat> chats;
    for (qint64 id = 1; id <= 6; ++id)
        chats += chat(id, m_now.addSecs(-id * 60));
    m_model->setChats(chats);
    const QPersistentModelIndex kept = m_model->index(2); // chat 3
    QSignalSpy moved(m_model.get(), &QAbstractItemModel::rowsMoved);
    QSignalSpy inserted(m_model.get(), &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(m_model.get(), &QAbstractItemModel::rowsRemoved);
    QSignalSpy reset(m_model.get(), &QAbstractItemModel::modelReset);
    chats[4].updatedMs = m_now.toMSecsSinceEpoch(); // chat 5 was used
    m_model->setChats(chats);
    QCOMPARE(ids(), (QList<qint64> {5, 1, 2, 3, 4, 6}));
    QCOMPARE(moved.count(), 1);
    QCOMPARE(kept.row(), 3);
    chats[4].updatedMs = m_now.addDays(-3).toMSecsSinceEpoch(); // and goes down again
    m_model->setChats(chats);
    QCOMPARE(ids(), (QList<qint64> {1, 2, 3, 4, 6, 5}));
    QCOMPARE(moved.count(), 2);
    QCOMPARE(kept.data(ChatListModel::IdRole).toLongLong(), 3);
    m_model->setChats(chats); // the same again
    QCOMPARE(moved.count(), 2);
    QCOMPARE(inserted.count() + removed.count() + reset.count(), 0);
}

// Random lists: the model tester watches every step, persistent indexes stay with their chats.
void TstChatListModel::anyListBecomesAnyOther()
{
    QRandomGenerator random(7);
    for (int round = 0; round < 60; ++round) {
        QList<StoredChat> chats;
        for (qint64 id = 1; id <= 14; ++id) {
            if (random.bounded(4) != 0)
                chats += chat(id, m_now.addSecs(-random.bounded(3'000'000)), QString::number(round),
                    random.bounded(5) == 0);
        }
        QHash<qint64, QPersistentModelIndex> held;
        for (int row = 0; row < m_model->rowCount(); ++row)
            held.insert(ids()[row], m_model->index(row));
        m_model->setChats(chats);
        QCOMPARE(m_model->rowCount(), static_cast<int>(chats.size()));
        for (const StoredChat& now : chats) {
            if (held.contains(now.id))
                QCOMPARE(held[now.id].data(ChatListModel::IdRole).toLongLong(), now.id);
        }
        for (int row = 1; row < m_model->rowCount(); ++row) {
            const StoredChat upper = *m_model->chat(ids()[row - 1]);
            const StoredChat lower = *m_model->chat(ids()[row]);
            QVERIFY(upper.pinned || !lower.pinned);
            QVERIFY(upper.pinned != lower.pinned || upper.updatedMs >= lower.updatedMs);
            QCOMPARE(m_model->index(row).data(ChatListModel::TitleRole).toString(), QString::number(round));
        }
    }
}

void TstChatListModel::hitsStreamIn()
{
    m_model->setChats({chat(1, m_now, QStringLiteral("one")), chat(2, m_now, QStringLiteral("two"))});
    m_model->startSearch(QStringLiteral("温度"));
    QVERIFY(m_model->searching());
    QCOMPARE(m_model->rowCount(), 0);
    QSignalSpy inserted(m_model.get(), &QAbstractItemModel::rowsInserted);
    m_model->showHits({hit(1, 30, QStringLiteral("说说温度吧"), 2)});
    m_model->showHits({hit(2, 20, QStringLiteral("温度"), 0), hit(1, 10, QStringLiteral("x温度"), 1),
        hit(7, 5, QStringLiteral("a chat that is not here"), 0)});
    QCOMPARE(ids(), (QList<qint64> {1, 2, 1}));
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(inserted[1][1].toInt(), 1); // appended
    const QModelIndex first = m_model->index(0);
    QCOMPARE(first.data(Qt::DisplayRole).toString(), QStringLiteral("one"));
    QCOMPARE(first.data(ChatListModel::SnippetRole).toString(), QStringLiteral("说说温度吧"));
    QCOMPARE(first.data(ChatListModel::MatchStartRole).toInt(), 2);
    QCOMPARE(first.data(ChatListModel::MatchLengthRole).toInt(), 2);
    QCOMPARE(first.data(ChatListModel::MessageRole).toLongLong(), 30);
    QVERIFY(first.data(ChatListModel::HeadingRole).toString().isEmpty());
    m_model->drop(1); // its hits go with it
    QCOMPARE(ids(), (QList<qint64> {2}));
    m_model->endSearch();
    QVERIFY(!m_model->searching());
    QCOMPARE(ids(), (QList<qint64> {2}));
    m_model->startSearch({});
    m_model->showHits({hit(2, 21, QStringLiteral("late"), 0)});
    QCOMPARE(ids(), (QList<qint64> {2}));
    QCOMPARE(m_model->index(0).data(ChatListModel::MessageRole).toLongLong(), 0);
}

void TstChatListModel::titleHitsMarkTheTitle()
{
    m_model->setChats({chat(1, m_now, QStringLiteral("  What is\nTop-P?"))});
    m_model->startSearch(QStringLiteral("top"));
    m_model->showHits({hit(1, 0, QStringLiteral("  What is Top-P?"), 10)});
    const QModelIndex row = m_model->index(0);
    QCOMPARE(row.data(Qt::DisplayRole).toString(), QStringLiteral("What is Top-P?"));
    QCOMPARE(row.data(ChatListModel::MatchStartRole).toInt(), 8); // in the text that is shown
    QVERIFY(row.data(ChatListModel::SnippetRole).toString().isEmpty());
}

void TstChatListModel::renameTidiesAndTells()
{
    m_model->setChats({chat(1, m_now, QStringLiteral("old"))});
    QSignalSpy told(m_model.get(), &ChatListModel::titleEdited);
    QVERIFY(!m_model->setData(m_model->index(0), QStringLiteral(" \n"), Qt::EditRole));
    QVERIFY(!m_model->setData(m_model->index(0), QStringLiteral(" old "), Qt::EditRole));
    QCOMPARE(told.count(), 0);
    QVERIFY(m_model->setData(m_model->index(0), QStringLiteral(" 新的\n名字 "), Qt::EditRole));
    QCOMPARE(told.count(), 1);
    QCOMPARE(told[0][0].toLongLong(), 1);
    QCOMPARE(told[0][1].toString(), QStringLiteral("新的 名字"));
    QCOMPARE(m_model->index(0).data().toString(), QStringLiteral("新的 名字"));
}

void TstChatListModel::accessibleText()
{
    m_model->setChats({chat(1, m_now.addSecs(-120), {}, true)});
    QCOMPARE(m_model->index(0).data(Qt::AccessibleTextRole).toString(),
        QStringLiteral("New chat, 2 min ago, pinned"));
    m_model->setOpen(1);
    m_model->startSearch(QStringLiteral("p"));
    m_model->showHits({hit(1, 4, QStringLiteral("top-p"), 2)});
    QCOMPARE(m_model->index(0).data(Qt::AccessibleTextRole).toString(),
        QStringLiteral("New chat, top-p, 2 min ago, pinned, open"));
}

} // namespace kaikou::test

using kaikou::test::TstChatListModel;
KAIKOU_TEST(TstChatListModel)
#include "tst_chat_list_model.moc"
