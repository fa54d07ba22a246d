#include "inference/sample/mass.h"
#include "inference/sample/rng.h"
#include "inference/sample/row_math.h"
#include "inference/sample/sampler.h"
#include "tests/inference/sample/step.h"
#include "tests/support/test_registry.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <new>

namespace {

std::size_t g_allocations = 0; // of this program, by the operators below

}

// Counted, so that a test can say that a warm draw allocates nothing. Sanitizers bring operators of their
// own; there the count stays 0 and the other presets carry the test.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t size)
{
    ++g_allocations;
    if (void* memory = std::malloc(size != 0 ? size : 1))
        return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
#endif

using namespace kaikou;

// The loops over a vocabulary against the same operations written out one by one. This file is built without
// FMA, so on a machine that has it the comparison is between the two code paths.
class TstRowMath : public QObject
{
    Q_OBJECT

private:
    static std::vector<float> row(std::size_t vocab)
    {
        std::vector<float> logits(vocab);
        for (std::size_t i = 0; i < vocab; ++i)
            logits[i] = static_cast<float>(-90 * rng::unit(11, i) * rng::unit(12, i));
        for (std::size_t i = 3; i < vocab; i += 11)
            logits[i] = test::kMasked;
        logits[vocab / 2] = 0.0F; // the maximum
        return logits;
    }

    static bool sameBits(double a, double b)
    {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    }

private slots:

    void exponentialIsAccurate()
    {
        double worst = 0.0;
        for (int i = 0; i <= 70000; ++i) {
            const double x = -0.01 * i - 1e-5 * (i % 7);
            worst = std::max(worst, std::abs(expNonPositiveDouble(x) / std::exp(x) - 1.0));
        }
        QVERIFY2(worst < 1e-15, QByteArray::number(worst).constData());
        QCOMPARE(expNonPositiveDouble(0.0), 1.0);
        QCOMPARE(expNonPositiveDouble(-708.5), 0.0);
        QCOMPARE(expNonPositiveDouble(-INFINITY), 0.0);
    }

    void loopsEqualSingleSteps_data()
    {
        QTest::addColumn<int>("vocab");
        QTest::addColumn<float>("temperature");
        for (const int vocab : {1, 2, 7, 8, 9, 255, 256, 257, 751, 5000})
            for (const float temperature : {1.0F, .3F, 2.7F})
                QTest::addRow("%d at T %g", vocab, static_cast<double>(temperature)) << vocab << temperature;
    }

    void loopsEqualSingleSteps()
    {
        QFETCH(int, vocab);
        QFETCH(float, temperature);
        const std::vector<float> logits = row(static_cast<std::size_t>(vocab));
        const auto t = static_cast<double>(temperature);
        std::array<double, 8> lanes {}, weighted {};
        for (std::size_t i = 0; i < logits.size(); ++i) {
            const double x = static_cast<double>(logits[i]) / t;
            const double e = expNonPositiveDouble(x);
            lanes[i % 8] += e;
            weighted[i % 8] = std::fma(e, e > 0.0 ? x : 0.0, weighted[i % 8]);
        }
        const auto reduce = [](const std::array<double, 8>& a) {
            return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
        };
        const ExpSums sums = expSums(logits, 0.0, t);
        QVERIFY(sameBits(sums.sum, reduce(lanes)));
        QVERIFY(sameBits(sums.weighted, reduce(weighted)));

        std::vector<double> probs(logits.size());
        std::vector<std::uint64_t> masses(logits.size());
        softmaxInto(logits, 0.0, t, sums.sum, probs);
        massesInto(logits, 0.0F, temperature, masses);
        for (std::size_t i = 0; i < logits.size(); ++i) {
            QVERIFY(sameBits(probs[i], expNonPositiveDouble(static_cast<double>(logits[i]) / t) / sums.sum));
            QCOMPARE(masses[i], mass::of(logits[i] / temperature));
        }
    }

    void warmDrawAllocatesNothing_data()
    {
        QTest::addColumn<Semantics>("semantics");
        QTest::addColumn<float>("temperature");
        for (const Semantics semantics : {Semantics::Standard, Semantics::LlamaCpp, Semantics::Vllm,
                 Semantics::LitGpt, Semantics::GptTeacher})
            for (const float temperature : {0.0F, .7F})
                QTest::addRow("%s T %g", semanticsName(semantics).data(), static_cast<double>(temperature))
                    << semantics << temperature;
    }

    void warmDrawAllocatesNothing()
    {
        QFETCH(Semantics, semantics);
        QFETCH(float, temperature);
        const std::vector<float> first = row(2000), second = row(1900);
        const std::vector<TokenId> prompt(50, 3), generated {1, 2, 3, 4, 5, 5};
        SampleParams params;
        params.semantics = semantics;
        params.temperature = temperature;
        params.topK = 300;
        params.topP = .9F;
        params.minP = .001F;
        params.repetitionPenalty = 1.2F;
        params.presencePenalty = .1F;
        params.minTokens = 20;
        params.masked = {7};
        SpecialIds special = test::endsAt({0});
        special.pad = 9;
        Sampler sampler(params, special, 6);
        QVERIFY(sampler.draw(first, {prompt, generated}).ok());
        const std::size_t before = g_allocations;
        const bool drawn
            = sampler.draw(first, {prompt, generated}).ok() && sampler.draw(second, {prompt, generated}).ok();
        const std::size_t after = g_allocations;
        QVERIFY(drawn);
        QCOMPARE(after, before);
    }
};

KAIKOU_TEST(TstRowMath)
#include "tst_row_math.moc"
