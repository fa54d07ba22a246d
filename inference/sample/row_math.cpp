#include "inference/sample/row_math.h"

#include "inference/base/cpu_features.h"
#include "inference/sample/mass.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#if defined(__x86_64__) && defined(__GNUC__)
#define KAIKOU_WIDE [[gnu::target("avx2,fma")]]
#else
#define KAIKOU_WIDE
#endif
#define KAIKOU_BODY [[gnu::always_inline]] inline

namespace kaikou {

namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kBlock = 256; // a multiple of kLanes

// exp(x) = 2^n exp(r), |r| <= ln 2 / 2; Taylor to r^13, whose rest is below 1e-17.
KAIKOU_BODY double expBody(double x)
{
    constexpr double kLog2E = 1.4426950408889634074;
    constexpr double kLn2High = 6.93147180369123816490e-1; // fdlibm's split: n * high is exact
    constexpr double kLn2Low = 1.90821492927058770002e-10;
    constexpr double kRounder = 0x1.8p52;
    constexpr double kLowest = -708.0; // keeps the scale a normal number
    const double rounded = std::fma(x, kLog2E, kRounder);
    const double n = rounded - kRounder;
    const double r = std::fma(n, -kLn2Low, std::fma(n, -kLn2High, x));
    double p = 1.0 / 6227020800.0;
    p = std::fma(p, r, 1.0 / 479001600.0);
    p = std::fma(p, r, 1.0 / 39916800.0);
    p = std::fma(p, r, 1.0 / 3628800.0);
    p = std::fma(p, r, 1.0 / 362880.0);
    p = std::fma(p, r, 1.0 / 40320.0);
    p = std::fma(p, r, 1.0 / 5040.0);
    p = std::fma(p, r, 1.0 / 720.0);
    p = std::fma(p, r, 1.0 / 120.0);
    p = std::fma(p, r, 1.0 / 24.0);
    p = std::fma(p, r, 1.0 / 6.0);
    p = std::fma(p, r, 0.5);
    p = std::fma(p, r, 1.0);
    p = std::fma(p, r, 1.0);
    // The low bits of `rounded` are n; those above bit 11 leave by the shift.
    const auto scale = std::bit_cast<double>((std::bit_cast<std::uint64_t>(rounded) + 1023U) << 52U);
    return x < kLowest ? 0.0 : p * scale;
}

KAIKOU_BODY double reduce(const std::array<double, kLanes>& a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

KAIKOU_BODY ExpSums sumsBody(std::span<const float> logits, double max, double temperature)
{
    std::array<double, kLanes> sums {}, weighted {};
    std::array<double, kBlock> xs, es;
    for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
        const std::size_t count = std::min(kBlock, logits.size() - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const double x = (static_cast<double>(logits[begin + i]) - max) / temperature;
            es[i] = expBody(x);
            xs[i] = es[i] > 0.0 ? x : 0.0; // 0 * -inf would be NaN
        }
        const std::size_t padded = (count + kLanes - 1) / kLanes * kLanes;
        std::fill(es.begin() + static_cast<std::ptrdiff_t>(count),
            es.begin() + static_cast<std::ptrdiff_t>(padded), 0.0);
        std::fill(xs.begin() + static_cast<std::ptrdiff_t>(count),
            xs.begin() + static_cast<std::ptrdiff_t>(padded), 0.0);
        for (std::size_t i = 0; i < padded; i += kLanes)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                sums[lane] += es[i + lane];
                weighted[lane] = std::fma(es[i + lane], xs[i + lane], weighted[lane]);
            }
    }
    return {reduce(sums), reduce(weighted)};
}

KAIKOU_BODY void softmaxBody(
    std::span<const float> logits, double max, double temperature, double sum, std::span<double> out)
{
    for (std::size_t i = 0; i < logits.size(); ++i)
        out[i] = expBody((static_cast<double>(logits[i]) - max) / temperature) / sum;
}

KAIKOU_BODY void massesBody(
    std::span<const float> logits, float max, float temperature, std::span<std::uint64_t> out)
{
    for (std::size_t i = 0; i < logits.size(); ++i)
        out[i] = mass::of((logits[i] - max) / temperature);
}

KAIKOU_WIDE ExpSums sumsWide(std::span<const float> logits, double max, double temperature)
{
    return sumsBody(logits, max, temperature);
}

KAIKOU_WIDE void softmaxWide(
    std::span<const float> logits, double max, double temperature, double sum, std::span<double> out)
{
    softmaxBody(logits, max, temperature, sum, out);
}

KAIKOU_WIDE void massesWide(
    std::span<const float> logits, float max, float temperature, std::span<std::uint64_t> out)
{
    massesBody(logits, max, temperature, out);
}

// Asked per call: cheaper than any row, and no state of its own.
bool wide()
{
    static const bool has = [] {
        const CpuFeatures features = detectCpuFeatures();
        return features.avx2 && features.fma;
    }();
    return has;
}

} // namespace

ExpSums expSums(std::span<const float> logits, double max, double temperature)
{
    return wide() ? sumsWide(logits, max, temperature) : sumsBody(logits, max, temperature);
}

void softmaxInto(
    std::span<const float> logits, double max, double temperature, double sum, std::span<double> out)
{
    if (wide())
        softmaxWide(logits, max, temperature, sum, out);
    else
        softmaxBody(logits, max, temperature, sum, out);
}

double expNonPositiveDouble(double x) noexcept
{
    return expBody(x);
}

void massesInto(std::span<const float> logits, float max, float temperature, std::span<std::uint64_t> out)
{
    if (wide())
        massesWide(logits, max, temperature, out);
    else
        massesBody(logits, max, temperature, out);
}

} // namespace kaikou
