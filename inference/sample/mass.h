#pragma once

#include "inference/base/exp.h"

#include <bit>
#include <cstdint>

// Integer masses: what the sampler decides with, so that every backend agrees bit for bit (settled.md 39).
//   mass_i = round_half_even(2^40 * exp((l_i - l_max) / T)),   vocabulary <= 2^20, so a total is <= 2^60
namespace kaikou::mass {

inline constexpr std::uint64_t kOne = 1ULL << 40U; // the mass of the largest logit
inline constexpr double kTolerance = 1e-9; // of the exact top-p thresholds

// x = (l - l_max) / T <= 0; -inf has mass 0.
[[nodiscard]] inline std::uint64_t of(float x) noexcept
{
    // Adding 2^52 rounds to the nearest integer, ties to even, and leaves it in the low bits.
    const double scaled = static_cast<double>(expNonPositive(x)) * 0x1p40;
    return std::bit_cast<std::uint64_t>(scaled + 0x1p52) - std::bit_cast<std::uint64_t>(0x1p52);
}

// floor(total * p32 / 2^32) or ceil of it; 64 x 32 -> 96 bits in two exact halves.
[[nodiscard]] constexpr std::uint64_t shareFloor(std::uint64_t total, std::uint32_t p32) noexcept
{
    return (total >> 32U) * p32 + (((total & 0xFFFFFFFFULL) * p32) >> 32U);
}

[[nodiscard]] constexpr std::uint64_t shareCeil(std::uint64_t total, std::uint32_t p32) noexcept
{
    return (total >> 32U) * p32 + (((total & 0xFFFFFFFFULL) * p32 + 0xFFFFFFFFULL) >> 32U);
}

// p of 0 <= p < 1 as a 32-bit fraction, rounded down; below 0 counts as 0.
[[nodiscard]] constexpr std::uint32_t fraction32(double p) noexcept
{
    return p <= 0.0 ? 0U : static_cast<std::uint32_t>(p * 0x1p32);
}

// The upper 64 bits of a * b.
[[nodiscard]] constexpr std::uint64_t mulHigh(std::uint64_t a, std::uint64_t b) noexcept
{
    const std::uint64_t aLow = a & 0xFFFFFFFFULL, aHigh = a >> 32U;
    const std::uint64_t bLow = b & 0xFFFFFFFFULL, bHigh = b >> 32U;
    const std::uint64_t middle = aHigh * bLow + ((aLow * bLow) >> 32U);
    const std::uint64_t cross = (middle & 0xFFFFFFFFULL) + aLow * bHigh;
    return aHigh * bHigh + (middle >> 32U) + (cross >> 32U);
}

} // namespace kaikou::mass
