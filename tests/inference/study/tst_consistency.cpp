#include "inference/study/consistency.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace kaikou;

class TstConsistency : public QObject
{
    Q_OBJECT

private slots:
    void wilson_data();
    void wilson();
    void groups_data();
    void groups();
    void emptyRepliesAreNoAgreement();
    void voteEntropy();
    void labels();
    void orderIsByCountThenFirstSeen();
};

void TstConsistency::wilson_data()
{
    QTest::addColumn<int>("hits");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("5/5") << 5 << .566 << 1.0;
    QTest::newRow("4/5") << 4 << .376 << .964;
    QTest::newRow("3/5") << 3 << .231 << .882;
}

void TstConsistency::wilson()
{
    QFETCH(int, hits);
    QFETCH(double, low);
    QFETCH(double, high);
    const Interval interval = wilsonInterval(static_cast<std::uint32_t>(hits), 5);
    QVERIFY(std::abs(interval.low - low) < 5e-4);
    QVERIFY(std::abs(interval.high - high) < 5e-4);
}

void TstConsistency::groups_data()
{
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<bool>("same");
    QTest::newRow("equal") << "北京"
                           << "北京" << true;
    QTest::newRow("punctuation") << "北京。"
                                 << "北京" << true;
    QTest::newRow("full width") << "ＡＢＣ１２"
                                << "abc12" << true;
    QTest::newRow("white space") << "是 的"
                                 << "是的\n"
                                 << true;
    QTest::newRow("numbers") << "42"
                             << "42.0" << true;
    QTest::newRow("a point makes another number") << "1.5"
                                                  << "15" << false;
    QTest::newRow("a sign too") << "答案是-5"
                                << "答案是5" << false;
    QTest::newRow("long and nearly equal") << "猫喜欢在太阳下面睡觉"
                                           << "猫喜欢在太阳下面睡觉呢" << true;
    QTest::newRow("other answer") << "红色更好看"
                                  << "蓝色更好看" << false;
    QTest::newRow("only punctuation") << "。"
                                      << "！" << false;
    QTest::newRow("emoji") << "🙂"
                           << "🙃" << false;
}

void TstConsistency::groups()
{
    QFETCH(QString, a);
    QFETCH(QString, b);
    const Consistency result = judgeConsistency(std::vector {a.toStdString(), b.toStdString()});
    QTEST(result.clusters.size() == 1, "same");
}

void TstConsistency::emptyRepliesAreNoAgreement()
{
    const Consistency all = judgeConsistency(std::vector<std::string>(5, ""));
    QCOMPARE(all.clusters.size(), std::size_t {1});
    QVERIFY(all.clusters[0].empty);
    QCOMPARE(all.ratio, 0.0);
    QCOMPARE(all.label, Agreement::Low);

    const Consistency mixed = judgeConsistency(std::vector<std::string> {"", "", "", "好", "好"});
    QCOMPARE(mixed.mainCount, 2U);
    QCOMPARE(mixed.ratio, 0.4);
}

void TstConsistency::voteEntropy()
{
    const Consistency result = judgeConsistency(std::vector<std::string> {"甲", "甲", "乙", "甲", "丙"});
    QVERIFY(std::abs(result.voteEntropy - .950271) < 1e-6);
    QVERIFY(std::abs(result.voteEntropy / std::log(5.) - .590436) < 1e-6);
}

void TstConsistency::labels()
{
    QCOMPARE(judgeConsistency(std::vector<std::string> {"a", "a", "a", "a", "b"}).label,
        Agreement::High); // 4/5: >=
    QCOMPARE(judgeConsistency(std::vector<std::string> {"a", "a", "c", "b"}).label, Agreement::Medium); // 2/4
    QCOMPARE(judgeConsistency(std::vector<std::string> {"a", "a", "c", "b", "d"}).label, Agreement::Low);
}

void TstConsistency::orderIsByCountThenFirstSeen()
{
    const Consistency result = judgeConsistency(std::vector<std::string> {"一", "二", "三", "三"});
    QCOMPARE(result.clusters[0].text, std::string("三"));
    QCOMPARE(result.clusters[1].text, std::string("一"));
    QCOMPARE(result.clusters[0].members, (std::vector<std::uint32_t> {2, 3}));
}

KAIKOU_TEST(TstConsistency)
#include "tst_consistency.moc"
