#include "inference/study/eval_set.h"
#include "tests/support/test_registry.h"

using namespace kaikou;

class TstEvalSet : public QObject
{
    Q_OBJECT

private slots:
    void reads();
    void judges_data();
    void judges();
    void faultsNameTheLine();
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

KAIKOU_TEST(TstEvalSet)
#include "tst_eval_set.moc"
