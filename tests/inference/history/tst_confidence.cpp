#include "inference/history/confidence.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace kaikou;

// Goldens of the sampling reference, section 6.5.
class TstConfidence : public QObject
{
    Q_OBJECT

private slots:
    void aggregates_data();
    void aggregates();
    void hiddenTokensDoNotCount();
    void nothingVisible();
    void teacherCountsEveryToken();
    void labelBounds();
};

namespace {

std::vector<AnswerToken> tokensOf(const QList<double>& probabilities)
{
    std::vector<AnswerToken> tokens;
    for (const double p : probabilities) {
        TokenStats stats;
        stats.pModel = p;
        stats.pShaped = p;
        tokens.push_back({stats, true});
    }
    return tokens;
}

} // namespace

void TstConfidence::aggregates_data()
{
    QTest::addColumn<QList<double>>("p");
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("geometric");
    QTest::addColumn<double>("lowest");
    QTest::addColumn<double>("joint");
    QTest::addColumn<int>("label");

    QTest::newRow("mean exactly at the bound is medium")
        << QList<double> {.9, .5, .8, 1.} << .8 << .774597 << .5 << .36 << 1;
    QTest::newRow("twenty sure tokens") << QList<double>(20, .9) << .9 << .9 << .9 << .121577 << 0;
    QList<double> oneDoubt(9, .99);
    oneDoubt << .02;
    QTest::newRow("one doubtful token hides in the mean")
        << oneDoubt << .893 << .670154 << .02 << .018270 << 0;
    QTest::newRow("five and one") << QList<double> {1, 1, 1, 1, 1, .05} << .841667 << .606962 << .05 << .05
                                  << 0;
}

void TstConfidence::aggregates()
{
    QFETCH(QList<double>, p);
    const auto confidence = answerConfidence(tokensOf(p));
    QVERIFY(confidence.has_value());
    QFETCH(double, mean);
    QFETCH(double, geometric);
    QFETCH(double, lowest);
    QFETCH(double, joint);
    QVERIFY(std::abs(confidence->mean - mean) < 1e-6);
    QVERIFY(std::abs(confidence->geometricMean - geometric) < 1e-6);
    QCOMPARE(confidence->lowestProbability, lowest);
    QVERIFY(std::abs(confidence->joint - joint) < 1e-6);
    QTEST(static_cast<int>(confidence->label), "label");
    QCOMPARE(static_cast<int>(confidence->lowest), static_cast<int>(p.indexOf(lowest)));
}

void TstConfidence::hiddenTokensDoNotCount()
{
    std::vector<AnswerToken> tokens = tokensOf({.9, .1, .7});
    tokens[1].visible = false;
    QVERIFY(std::abs(answerConfidence(tokens)->mean - .8) < 1e-12);
    QCOMPARE(answerConfidence(tokens)->lowest, std::size_t {2});
}

void TstConfidence::nothingVisible()
{
    std::vector<AnswerToken> tokens = tokensOf({.9});
    tokens[0].visible = false;
    QVERIFY(!answerConfidence(tokens));
    QVERIFY(!answerConfidence({}));
    QVERIFY(!gptTeacherConfidence({}));
}

void TstConfidence::teacherCountsEveryToken()
{
    std::vector<AnswerToken> tokens = tokensOf({.6, 1.});
    tokens[1].visible = false; // the end token
    QCOMPARE(*gptTeacherConfidence(tokens), .8);
}

void TstConfidence::labelBounds()
{
    QCOMPARE(confidenceLabel(.8), ConfidenceLabel::Medium);
    QCOMPARE(confidenceLabel(std::nextafter(.8, 1.)), ConfidenceLabel::High);
    QCOMPARE(confidenceLabel(.5), ConfidenceLabel::Low);
    QCOMPARE(confidenceLabel(std::nextafter(.5, 1.)), ConfidenceLabel::Medium);
}

KAIKOU_TEST(TstConfidence)
#include "tst_confidence.moc"
