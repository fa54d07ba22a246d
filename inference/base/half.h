#pragma once

#include <bit>
#include <cstdint>

namespace kaikou {

// The f32 that equals these f16 bits; every f16, subnormals and NaN payloads included, has one.
[[nodiscard]] constexpr float halfToFloat(std::uint16_t bits) noexcept
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1FU;
    std::uint32_t mantissa = bits & 0x3FFU;
    if (exponent == 0x1FU)
        return std::bit_cast<float>(sign | 0x7F800000U | (mantissa << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112U) << 23) | (mantissa << 13));
    if (mantissa == 0)
        return std::bit_cast<float>(sign);
    std::uint32_t shifted = 113; // a subnormal half is a normal float: move its leading bit up
    while ((mantissa & 0x400U) == 0) {
        mantissa <<= 1;
        --shifted;
    }
    return std::bit_cast<float>(sign | (shifted << 23) | ((mantissa & 0x3FFU) << 13));
}

// The nearest f16, ties to even; beyond 65519.99 infinity; NaN stays a quiet NaN.
[[nodiscard]] constexpr std::uint16_t floatToHalf(float value) noexcept
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U)
        return static_cast<std::uint16_t>(sign | 0x7E00U | ((magnitude >> 13) & 0x3FFU));
    if (magnitude >= 0x47800000U) // 65536 and above
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    if (magnitude >= 0x38800000U) { // 2^-14: a normal half
        const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13) & 1U) - 0x38000000U;
        return static_cast<std::uint16_t>(sign | (rounded >> 13));
    }
    if (magnitude < 0x33000000U) // below 2^-25: zero
        return static_cast<std::uint16_t>(sign);
    const std::uint32_t shift = 126U - (magnitude >> 23);
    const std::uint32_t mantissa = (magnitude & 0x7FFFFFU) | 0x800000U;
    const std::uint32_t half = 1U << (shift - 1U);
    const std::uint32_t kept = mantissa >> shift;
    const std::uint32_t rest = mantissa & ((1U << shift) - 1U);
    const std::uint32_t up = (rest > half || (rest == half && (kept & 1U) != 0)) ? 1U : 0U;
    return static_cast<std::uint16_t>(sign | (kept + up));
}

[[nodiscard]] constexpr float bfloatToFloat(std::uint16_t bits) noexcept
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// The nearest bf16, ties to even; NaN stays a quiet NaN.
[[nodiscard]] constexpr std::uint16_t floatToBfloat(float value) noexcept
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

} // namespace kaikou
