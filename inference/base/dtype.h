#pragma once

#include <cstdint>
#include <string_view>

namespace kaikou {

// How the numbers of a tensor are stored. The values are stable; block-quantised types follow with their
// loader.
enum class Dtype : std::uint8_t
{
    F32,
    F16,
    BF16,
    F64,
    I64,
    I32,
    I16,
    I8,
    U8,
    Bool
};

[[nodiscard]] constexpr std::uint32_t bytesPerElement(Dtype type) noexcept
{
    switch (type) {
    case Dtype::F64:
    case Dtype::I64:
        return 8;
    case Dtype::F32:
    case Dtype::I32:
        return 4;
    case Dtype::F16:
    case Dtype::BF16:
    case Dtype::I16:
        return 2;
    case Dtype::I8:
    case Dtype::U8:
    case Dtype::Bool:
        return 1;
    }
    return 0;
}

[[nodiscard]] constexpr std::string_view dtypeName(Dtype type) noexcept
{
    constexpr std::string_view kNames[]
        = {"F32", "F16", "BF16", "F64", "I64", "I32", "I16", "I8", "U8", "BOOL"};
    return kNames[static_cast<std::uint8_t>(type)];
}

} // namespace kaikou
