#include "inference/study/eval_set.h"
#include "tests/support/test_registry.h"

#include <set>

using namespace kaikou;

class TstEvalSet : public QObject
{
    Q_OBJECT

private slots:
    void reads();
    void judges_data();
    void judges();
    void faultsNameTheLine();
    void earlierTurnsComeBefore();
    void shapes_data();
    void shapes();
};

void TstEvalSet::reads()
{
    const auto rows = parseEvalSet(
        "{\"id\":\"a1\",\"kind\":\"recall\",\"messages\":[{\"role\":\"user\",\"content\":\"我叫小明\"},"
        "{\"role\":\"assistant\",\"content\":\"好\"},{\"role\":\"user\",\"content\":\"我叫什么\"}],"
        "\"keywords\":[[\"小明\"]],\"split\":{\"红色\":0.7,\"蓝色\":0.3}}\n\n{\"prompt\":\"1+1\",\"answer\":"
        "\"2\"}\n",
        "set");
    QVERIFY(rows.ok());
    QCOMPARE(rows->size(), std::size_t {2});
    const EvalRow& first = rows->front();
    QCOMPARE(first.turns.turns.size(), std::size_t {3});
    QCOMPARE(first.turns.turns[1].role, Role::Assistant);
    QCOMPARE(first.kind, std::string("recall"));
    QCOMPARE(first.split.at(0).second, 0.7);
    QCOMPARE(*rows->back().answer, std::string("2"));
}

void TstEvalSet::judges_data()
{
    QTest::addColumn<QString>("reply");
    QTest::addColumn<bool>("good");
    QTest::newRow("both groups") << "猫在家" << true;
    QTest::newRow("other word of a group") << "狗在家" << true;
    QTest::newRow("a group is missing") << "猫" << false;
    QTest::newRow("forbidden") << "猫在家,不" << false;
}

void TstEvalSet::judges()
{
    EvalRow row;
    row.keywords = {{"猫", "狗"}, {"家"}};
    row.forbidden = {"不"};
    QFETCH(QString, reply);
    QTEST(acceptable(row, reply.toStdString()), "good");
}

void TstEvalSet::faultsNameTheLine()
{
    const auto rows = parseEvalSet("{\"prompt\":\"a\"}\n{\"keywords\":[]}\n", "set.jsonl");
    QVERIFY(!rows.ok());
    QCOMPARE(rows.error().code, ErrorCode::FormatJson);
    QVERIFY(QString::fromStdString(rows.error().where).startsWith("set.jsonl:2"));
}

void TstEvalSet::earlierTurnsComeBefore()
{
    const auto pool = parseEvalSet("{\"prompt\":\"a\",\"reference\":\"A\"}\n{\"prompt\":\"b\"}\n"
                                   "{\"prompt\":\"c\",\"reference\":\"C\"}\n",
        "pool");
    EvalRow row;
    row.turns.turns = {{Role::User, "last"}};
    const Turns turns = afterEarlierTurns(row, *pool, 40, 7);
    QCOMPARE(turns.turns.size(), std::size_t {81});
    QCOMPARE(turns.turns.back(), row.turns.turns.back());
    std::set<std::string> asked;
    for (std::size_t i = 0; i + 1 < turns.turns.size(); i += 2) {
        asked.insert(turns.turns[i].text);
        QCOMPARE(turns.turns[i].role, Role::User);
        QCOMPARE(turns.turns[i + 1],
            (Turn {Role::Assistant, turns.turns[i].text == "a" ? std::string("A") : std::string("C")}));
    }
    QCOMPARE(asked, (std::set<std::string> {"a", "c"})); // b has no reference
    QCOMPARE(afterEarlierTurns(row, *pool, 40, 7).turns, turns.turns);
    QCOMPARE(afterEarlierTurns(row, {}, 3, 7).turns, row.turns.turns);
}

void TstEvalSet::shapes_data()
{
    QTest::addColumn<QString>("reply");
    QTest::addColumn<bool>("complete");
    QTest::addColumn<bool>("looped");
    QTest::newRow("sentence") << "小猫回家了。" << true << false;
    QTest::newRow("cut off") << "小猫回家" << false << false;
    QTest::newRow("empty") << "" << false << false;
    QTest::newRow("four characters three times") << "看小猫回家小猫回家小猫回家" << false << true;
    QTest::newRow("twice") << "小猫回家小猫回家。" << true << false;
    QTest::newRow("three characters three times") << "哈小猫哈小猫哈小猫。" << true << false;
    QTest::newRow("one character twelve times") << "哈哈哈哈哈哈哈哈哈哈哈哈" << false << true;
}

void TstEvalSet::shapes()
{
    QFETCH(QString, reply);
    const std::vector<std::string> replies = {reply.toStdString(), reply.toStdString()};
    const ReplyShape shape = shapeOf(replies);
    QCOMPARE(shape.distinct, std::size_t {1});
    QTEST(shape.complete == 2, "complete");
    QTEST(shape.looped == 2, "looped");
}

KAIKOU_TEST(TstEvalSet)
#include "tst_eval_set.moc"
