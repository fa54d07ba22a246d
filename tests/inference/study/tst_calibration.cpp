#include "inference/study/bench.h"
#include "inference/study/calibration.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace kaikou;

class TstCalibration : public QObject
{
    Q_OBJECT

private slots:
    void goldens();
    void noRows();
    void spread();
    void planShrinksToTheContext();
};

// Goldens of the sampling reference, section 11; six values lie on a tenth, so the edges decide.
void TstCalibration::goldens()
{
    const double confidences[] = {.95, .9, .85, .7, .65, .55, .4, .3, .2, .1};
    const bool correct[] = {true, true, false, true, false, true, false, true, false, false};
    std::vector<Judged> rows;
    for (std::size_t i = 0; i < 10; ++i)
        rows.push_back({confidences[i], correct[i]});
    QVERIFY(std::abs(calibrate(rows, 5).ece - .21) < 1e-9);
    QVERIFY(std::abs(calibrate(rows, 10).ece - .30) < 1e-9);
    QVERIFY(std::abs(calibrate(rows, 10).brier - .215) < 1e-9);
}

void TstCalibration::noRows()
{
    QCOMPARE(calibrate({}, 10).ece, 0.0);
    QCOMPARE(calibrate({}, 10).bins.size(), std::size_t {10});
}

void TstCalibration::spread()
{
    const Spread odd = spreadOf({3, 1, 2});
    QCOMPARE(odd.min, 1.0);
    QCOMPARE(odd.median, 2.0);
    QCOMPARE(odd.max, 3.0);
    QCOMPARE(spreadOf({4, 1, 2, 3}).median, 2.5);
}

void TstCalibration::planShrinksToTheContext()
{
    QCOMPARE(benchPlan(4096).promptTokens, 128U);
    QCOMPARE(benchPlan(4096).newTokens, 64U);
    QCOMPARE(benchPlan(128).promptTokens, 96U); // GPT_teacher
    QCOMPARE(benchPlan(128).newTokens, 32U);
}

KAIKOU_TEST(TstCalibration)
#include "tst_calibration.moc"
