#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

// The one exponential of forward pass and sampler: a polynomial instead of libm, so that scalar code, SIMD
// code and other machines agree bit for bit. SIMD versions repeat exactly these operations in this order.
namespace kaikou {

namespace expmath {

inline constexpr float kLowest = -87.0F; // below: exactly 0; above: a normal float
inline constexpr float kLog2E = 1.44269504088896341F;
// Adding and subtracting 1.5 * 2^23 rounds to the nearest integer, ties to even, without libm.
inline constexpr float kRounder = 12582912.0F;
// ln 2 in two parts; the high one has 9 significant bits, so n * kLn2High is exact for |n| <= 2^15.
inline constexpr float kLn2High = 0.693359375F;
inline constexpr float kLn2Low = -2.12194440e-4F;
// exp(r) on |r| <= ln 2 / 2 as 1 + r + r^2 p(r): Cephes' expf, highest power first.
inline constexpr float kC5 = 1.9875691500e-4F;
inline constexpr float kC4 = 1.3981999507e-3F;
inline constexpr float kC3 = 8.3334519073e-3F;
inline constexpr float kC2 = 4.1665795894e-2F;
inline constexpr float kC1 = 1.6666665459e-1F;
inline constexpr float kC0 = 5.0000001201e-1F;

} // namespace expmath

// exp(x) for x <= 0, relative error <= 5e-7; exactly 0 below -87, exactly 1 at 0, NaN stays NaN.
[[nodiscard, gnu::always_inline]] inline float expNonPositive(float x) noexcept
{
    using namespace expmath;
    if (x < kLowest)
        return 0.0F;
    if (!(x <= 0.0F))
        return x > 0.0F ? 1.0F : x; // callers pass x <= 0; never index outside the exponent's range
    const float rounded = std::fma(x, kLog2E, kRounder);
    const float n = rounded - kRounder;
    float r = std::fma(n, -kLn2High, x);
    r = std::fma(n, -kLn2Low, r);
    float p = std::fma(kC5, r, kC4);
    p = std::fma(p, r, kC3);
    p = std::fma(p, r, kC2);
    p = std::fma(p, r, kC1);
    p = std::fma(p, r, kC0);
    p = std::fma(p, r * r, r) + 1.0F;
    const auto exponent = static_cast<std::int32_t>(n) + 127; // 1..127, so the scale is a normal float
    const std::uint32_t bits = static_cast<std::uint32_t>(exponent) << 23U;
    float scale;
    std::memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

} // namespace kaikou
