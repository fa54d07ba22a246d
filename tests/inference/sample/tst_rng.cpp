#include "inference/sample/mass.h"
#include "inference/sample/rng.h"
#include "inference/sample/sampler.h"
#include "tests/inference/sample/step.h"
#include "tests/support/test_registry.h"

#include <array>
#include <bit>
#include <cmath>

using namespace kaikou;

// The random numbers and the pick: every value here is a row of sampling.md §5.
class TstRng : public QObject
{
    Q_OBJECT

private:
    // Draws 0..count-1 on L at T = 1.
    static std::vector<TokenId> picks(std::uint64_t seed, std::size_t count)
    {
        Sampler sampler(SampleParams {}, SpecialIds {}, seed);
        std::vector<TokenId> generated, drawn;
        for (std::size_t i = 0; i < count; ++i) {
            const auto token = sampler.draw(test::kL, {{}, generated});
            drawn.push_back(token.value().token);
            generated.push_back(token.value().token);
        }
        return drawn;
    }

    static std::array<int, 4> countsOf(std::uint64_t seed, int draws)
    {
        std::array<int, 4> counts {};
        // The dice of step i do not depend on the tokens before it, so one row is shaped once.
        const auto shaped = test::explain({}).value();
        std::array<std::uint64_t, 4> cumulative {};
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            total += mass::of(test::kL[i] - test::kL[0]);
            cumulative[i] = total;
        }
        for (int i = 0; i < draws; ++i) {
            const std::uint64_t target
                = mass::mulHigh(rng::diceBits(rng::unit(seed, static_cast<std::uint64_t>(i))), total);
            std::size_t at = 0;
            while (cumulative[at] <= target)
                ++at;
            ++counts[shaped.order[at]];
        }
        return counts;
    }

    static double chiSquare(const std::array<int, 4>& counts, int draws)
    {
        const double p[] = {.643914259887972, .236882818089910, .0871443187420326, .0320586032800849};
        double sum = 0.0;
        for (std::size_t i = 0; i < 4; ++i)
            sum += (counts[i] - draws * p[i]) * (counts[i] - draws * p[i]) / (draws * p[i]);
        return sum;
    }

private slots:

    void words()
    {
        const std::uint64_t expected[]
            = {0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52, 0x581ce1ff0e4ae394,
                0x09bc585a244823f2, 0xde4431fa3c80db06, 0x37e9671c45376d5d, 0xccf635ee9e9e2fa4};
        for (std::uint64_t i = 0; i < 8; ++i)
            QCOMPARE(rng::word(42, i), expected[i]);
        QCOMPARE(rng::word(0, 0), 0xe220a8397b1dcdafULL);
    }

    void units()
    {
        const double expected[] = {
            .741564879, .159910393, .278601130, .344190717, .038030169, .868228077, .218405194, .800631877};
        for (std::uint64_t i = 0; i < 8; ++i)
            QVERIFY(std::abs(rng::unit(42, i) - expected[i]) < 1e-9);
        QVERIFY(std::abs(rng::unit(0, 0) - .883310808) < 1e-9);
    }

    void unitHoldsAllDiceBits()
    {
        for (std::uint64_t i = 0; i < 1000; ++i) {
            const std::uint64_t x = rng::word(7, i);
            QCOMPARE(rng::diceBits(rng::unitFromWord(x)), (x >> 11U) << 11U);
        }
    }

    void picksOfSeed42()
    {
        QCOMPARE(picks(42, 8), (std::vector<TokenId> {1, 0, 0, 0, 0, 1, 0, 1}));
        QCOMPARE(picks(0, 1), (std::vector<TokenId> {2}));
    }

    void tenThousandDraws()
    {
        const std::array<int, 4> of42 = countsOf(42, 10000), of0 = countsOf(0, 10000);
        QCOMPARE(of42, (std::array {6418, 2403, 832, 347}));
        QCOMPARE(of0, (std::array {6485, 2370, 837, 308}));
        QVERIFY(std::abs(chiSquare(of42, 10000) - 4.524) < 5e-4);
        QVERIFY(std::abs(chiSquare(of0, 10000) - 2.183) < 5e-4);
    }

    void samplerDrawsThoseCounts()
    {
        std::array<int, 4> counts {};
        for (const TokenId token : picks(42, 10000))
            ++counts[token];
        QCOMPARE(counts, (std::array {6418, 2403, 832, 347}));
    }

    void chiSquareGate()
    {
        int passed = 0;
        for (std::uint64_t seed = 0; seed < 100; ++seed)
            passed += chiSquare(countsOf(seed, 10000), 10000) < 16.27 ? 1 : 0;
        QVERIFY2(passed >= 99, QByteArray::number(passed).constData());
    }

    void massOfOneAndRounding()
    {
        QCOMPARE(mass::of(0.0F), mass::kOne);
        QCOMPARE(mass::of(test::kMasked), 0ULL);
        QCOMPARE(mass::of(-40.0F), 0ULL);
        // e^-1 * 2^40 within the exp's 5e-7.
        QVERIFY(std::abs(static_cast<double>(mass::of(-1.0F)) / (std::exp(-1.0) * 0x1p40) - 1.0) < 5e-7);
        std::uint64_t last = mass::kOne;
        for (int i = 0; i <= 4000; ++i) {
            const std::uint64_t now = mass::of(-0.01F * static_cast<float>(i));
            QVERIFY(now <= last);
            last = now;
        }
    }

    void wideProducts()
    {
        QCOMPARE(mass::mulHigh(~0ULL, ~0ULL), ~0ULL - 1);
        QCOMPARE(mass::mulHigh(1ULL << 63U, 1ULL << 60U), 1ULL << 59U);
        QCOMPARE(mass::mulHigh(0x123456789ABCDEF0ULL, 0xFEDCBA9876543210ULL), 0x121FA00AD77D7422ULL);
        QCOMPARE(mass::shareFloor(1ULL << 60U, 1U << 31U), 1ULL << 59U);
        QCOMPARE(mass::shareCeil(1ULL << 60U, 1U << 31U), 1ULL << 59U);
        QCOMPARE(mass::shareFloor(3, 1U << 31U), 1ULL);
        QCOMPARE(mass::shareCeil(3, 1U << 31U), 2ULL);
        QCOMPARE(mass::shareCeil((1ULL << 60U) - 1, ~0U), 0xFFFFFFFEFFFFFFFULL + 1);
        QCOMPARE(mass::fraction32(-1e-9), 0U);
        QCOMPARE(mass::fraction32(0.5), 1U << 31U);
    }
};

KAIKOU_TEST(TstRng)
#include "tst_rng.moc"
