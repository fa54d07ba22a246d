#pragma once

#include <cstdint>

// SplitMix64 with random access: word i of seed s needs no state (sampling.md §5).
// The stream is part of the product: same seed, same words on every machine and in every release.
namespace kaikou::rng {

// z = s + (i + 1) * golden; two xor-multiply rounds; all arithmetic wraps.
[[nodiscard]] constexpr std::uint64_t word(std::uint64_t seed, std::uint64_t index) noexcept
{
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
}

// u = (x >> 11) * 2^-53, so 0 <= u < 1 and every u is exact.
[[nodiscard]] constexpr double unitFromWord(std::uint64_t x) noexcept
{
    return static_cast<double>(x >> 11U) * 0x1p-53;
}

[[nodiscard]] constexpr double unit(std::uint64_t seed, std::uint64_t index) noexcept
{
    return unitFromWord(word(seed, index));
}

// The 53 bits of u at the top of a word: what the pick multiplies with the total mass. u as above.
[[nodiscard]] constexpr std::uint64_t diceBits(double u) noexcept
{
    return static_cast<std::uint64_t>(u * 0x1p53) << 11U;
}

} // namespace kaikou::rng
