#include "inference/sample/statistics.h"
#include "tests/inference/sample/step.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace kaikou;
using test::kL;

// Numbers of one step: golden values of sampling.md §6 and §12.
class TstStatistics : public QObject
{
    Q_OBJECT

private:
    static bool near(double got, double expected, double tolerance = 1e-6)
    {
        if (std::abs(got - expected) <= tolerance)
            return true;
        qWarning("got %.12g, expected %.12g", got, expected);
        return false;
    }

private slots:

    void rowSummaryOfL()
    {
        const RowSummary row = summarise(kL, 1.0);
        QVERIFY(near(row.entropy, .947537));
        QVERIFY(near(row.margin, .407031));
        QVERIFY(near(row.logSumExp(), 2.440190, 1e-6));
    }

    // GPT_teacher's number moves with the slider, P_model does not (sampling.md §6.3).
    void teacherNumberOverTemperature_data()
    {
        QTest::addColumn<float>("temperature");
        QTest::addColumn<double>("shaped");
        const std::pair<float, double> rows[] = {{0, .643914}, {.1F, .999955}, {.2F, .993262}, {.3F, .964328},
            {.5F, .864955}, {.8F, .718335}, {1, .643914}, {1.5F, .522917}};
        for (const auto& [temperature, shaped] : rows)
            QTest::addRow("T=%g", static_cast<double>(temperature)) << temperature << shaped;
    }

    void teacherNumberOverTemperature()
    {
        QFETCH(float, temperature);
        QFETCH(double, shaped);
        test::StepCase c;
        c.params = {.semantics = Semantics::GptTeacher, .temperature = temperature, .topK = 50, .topP = .9F};
        const auto explained = test::explain(c).value();
        QVERIFY(near(explained.pShaped[0], shaped));
        QVERIFY(near(explained.pModel[0], .643914));
    }

    void teacherNumberAfterPenalty()
    {
        test::StepCase c;
        c.params = {.semantics = Semantics::GptTeacher, .temperature = 0, .repetitionPenalty = 1.5F};
        c.generated = {0};
        QVERIFY(near(test::explain(c).value().pShaped[0], .481440));
        c.generated = {0, 0};
        QVERIFY(near(test::explain(c).value().pShaped[0], .373152));
    }

    void probabilityOfAnAnswerOverTemperature()
    {
        const std::vector<float> second {5, 1, 0, -1};
        const std::pair<double, double> rows[] = {{.5, .117014}, {1, .230536}, {2, .217805}};
        for (const auto& [temperature, joint] : rows)
            QVERIFY(near(softmax(kL, temperature)[1] * softmax(second, temperature)[0], joint));
    }

    void allSequencesOfAToyModelSumToOne()
    {
        // Three steps whose logits depend on the last token.
        const auto row = [](TokenId last) {
            const auto x = static_cast<float>(last);
            return std::vector<float> {.3F * x, 1.0F - x, .5F, -.2F * x * x};
        };
        for (const double temperature : {.3, 1.0, 2.5}) {
            double sum = 0.0;
            for (TokenId a = 0; a < 4; ++a)
                for (TokenId b = 0; b < 4; ++b)
                    for (TokenId c = 0; c < 4; ++c)
                        sum += softmax(kL, temperature)[a] * softmax(row(a), temperature)[b]
                            * softmax(row(b), temperature)[c];
            QVERIFY(near(sum, 1.0, 1e-12));
        }
    }

    void tailOverTemperature()
    {
        std::vector<float> row(751, 0.0F);
        row[5] = 12;
        const double tops[] = {softmax(row, 1)[5], softmax(row, 1.5)[5], softmax(row, 2)[5]};
        QVERIFY(near(tops[0], .9954, 5e-5));
        QVERIFY(near(tops[1], .7990, 5e-5));
        QVERIFY(near(tops[2], .3498, 5e-5));
        QVERIFY(near(std::pow(tops[0], 20), .912, 5e-4));
        QVERIFY(near(std::pow(tops[1], 20), .0112, 5e-5));
        QVERIFY(near(std::pow(tops[2], 20), 7.5e-10, 5e-12));
    }

    void ranks()
    {
        const std::vector<float> row {1, 3, 3, test::kMasked, 2};
        const std::uint32_t expected[] = {4, 1, 2, 5, 3};
        for (TokenId id = 0; id < 5; ++id)
            QCOMPARE(rankOf(row, id), expected[id]);
    }
};

KAIKOU_TEST(TstStatistics)
#include "tst_statistics.moc"
