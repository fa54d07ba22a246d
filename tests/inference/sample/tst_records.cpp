#include "inference/sample/rng.h"
#include "inference/sample/statistics.h"
#include "tests/inference/sample/step.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace kaikou;

// The three forms of a stored row, and which form a reply gets.
class TstRecords : public QObject
{
    Q_OBJECT

private:
    static std::vector<float> row(std::size_t vocab)
    {
        std::vector<float> logits(vocab);
        for (std::size_t i = 0; i < vocab; ++i)
            logits[i] = static_cast<float>(12 * rng::unit(3, i) - 8 + 6 * rng::unit(4, i) * rng::unit(5, i));
        logits[9] = test::kMasked;
        return logits;
    }

private slots:

    void f32IsExact()
    {
        const auto logits = row(751);
        const RawLogits raw = RawLogits::keep(logits, RecordForm::F32);
        QVERIFY(raw.exact());
        QCOMPARE(raw.widen(), logits);
        QCOMPARE(raw.bytes(), std::uint64_t {751 * 4});
        double sum = 0.0;
        for (const float logit : logits)
            sum += std::exp(static_cast<double>(logit));
        QVERIFY(std::abs(raw.logSumExp - std::log(sum)) < 1e-12);
    }

    void f16KeepsProbabilitiesWithinRounding()
    {
        const auto logits = row(5000);
        const RawLogits raw = RawLogits::keep(logits, RecordForm::F16);
        QVERIFY(!raw.exact());
        QCOMPARE(raw.bytes(), std::uint64_t {10000});
        const auto wide = raw.widen();
        for (std::size_t i = 0; i < logits.size(); ++i) {
            if (logits[i] == test::kMasked) {
                QCOMPARE(wide[i], test::kMasked);
                continue;
            }
            const float below = raw.max - logits[i]; // f16 steps: 2^-8 below 8, 2^-7 below 16 (half of it)
            QVERIFY(std::abs(wide[i] - logits[i]) <= (below < 8 ? 0x1p-9F : below < 16 ? 0x1p-8F : 0x1p-7F));
        }
        const auto explained = reshape(raw, {}, {}, 0, {}, .5).value();
        QVERIFY(explained.approximate);
    }

    void topKeepsTheBestAndTheSum()
    {
        const auto logits = row(5000);
        const RawLogits raw = RawLogits::keep(logits, RecordForm::Top);
        QCOMPARE(raw.ids.size(), std::size_t {kTopRecordSize});
        QCOMPARE(raw.bytes(), std::uint64_t {8 * kTopRecordSize});
        for (std::size_t i = 0; i < raw.ids.size(); ++i) {
            QCOMPARE(raw.f32[i], logits[raw.ids[i]]);
            QCOMPARE(rankOf(logits, raw.ids[i]), static_cast<std::uint32_t>(i + 1));
        }
        const auto explained = reshape(raw, {.topK = 40}, {}, 0, {}, .5).value();
        const auto exact
            = reshape(RawLogits::keep(logits, RecordForm::F32), {.topK = 40}, {}, 0, {}, .5).value();
        QVERIFY(explained.approximate);
        QCOMPARE(explained.pick, exact.pick);
        for (const TokenId id : raw.ids)
            QVERIFY(std::abs(explained.pModel[id] - exact.pModel[id]) < 1e-12); // T = 1 stays exact
        QCOMPARE(explained.pSample, exact.pSample);
    }

    void smallVocabularyFitsTheTopForm()
    {
        const RawLogits raw = RawLogits::keep(test::kL, RecordForm::Top);
        QCOMPARE(raw.ids, (std::vector<TokenId> {0, 1, 2, 3}));
        QCOMPARE(raw.widen(), test::kL);
    }

    void topTokensOfEveryForm()
    {
        const auto logits = row(3000);
        for (const RecordForm form : {RecordForm::F32, RecordForm::F16, RecordForm::Top}) {
            const auto top = topTokens(RawLogits::keep(logits, form), 10);
            QCOMPARE(top.size(), std::size_t {10});
            const double tolerance = form == RecordForm::F16 ? .005 : 1e-12;
            const auto exact = softmax(logits, 1.0);
            for (const TopToken& token : top)
                QVERIFY(std::abs(token.pModel / exact[token.id] - 1) < tolerance);
            QCOMPARE(rankOf(logits, top[0].id), 1U);
        }
        QCOMPARE(topTokens(RawLogits::keep(test::kL, RecordForm::F32), 10).size(), std::size_t {4});
    }

    void chooser_data()
    {
        QTest::addColumn<quint32>("vocab");
        QTest::addColumn<quint64>("maxTokens");
        QTest::addColumn<quint64>("siblings");
        QTest::addColumn<RecordForm>("form");
        QTest::newRow("GPT_teacher") << 751U << quint64 {128} << quint64 {1} << RecordForm::F32;
        QTest::newRow("GPT_teacher, 50 choices") << 751U << quint64 {128} << quint64 {50} << RecordForm::F32;
        QTest::newRow("minimind") << 6400U << quint64 {512} << quint64 {1} << RecordForm::F32;
        QTest::newRow("exactly half") << 65536U << quint64 {512} << quint64 {1} << RecordForm::F32;
        QTest::newRow("just over half") << 65537U << quint64 {512} << quint64 {1} << RecordForm::F16;
        QTest::newRow("columns share") << 32768U << quint64 {512} << quint64 {4} << RecordForm::F16;
        QTest::newRow("Qwen") << 151936U << quint64 {512} << quint64 {1} << RecordForm::Top;
        QTest::newRow("Qwen, short") << 151936U << quint64 {400} << quint64 {1} << RecordForm::F16;
        QTest::newRow("no overflow") << 0xFFFFFFFFU << quint64 {~0ULL} << quint64 {~0ULL} << RecordForm::Top;
    }

    void chooser()
    {
        QFETCH(quint32, vocab);
        QFETCH(quint64, maxTokens);
        QFETCH(quint64, siblings);
        QFETCH(RecordForm, form);
        QCOMPARE(chooseRecordForm(vocab, maxTokens, siblings, 256ULL << 20U), form);
    }

    void everyMaskedRow()
    {
        const std::vector<float> none(5, test::kMasked);
        const RawLogits raw = RawLogits::keep(none, RecordForm::F16);
        QCOMPARE(raw.widen(), none);
        QCOMPARE(raw.logSumExp, static_cast<double>(test::kMasked));
    }
};

KAIKOU_TEST(TstRecords)
#include "tst_records.moc"
