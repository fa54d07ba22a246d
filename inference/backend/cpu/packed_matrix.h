#pragma once

#include <cstddef>
#include <cstdint>

namespace kaikou {

// Inlined always: per-ISA files use these too, and a copy made with their flags must not be the program's.
#define KAIKOU_ISA_SAFE [[nodiscard, gnu::always_inline]] inline

// How weights lie in memory after loading. All of them hold eight rows interleaved (R8), two columns at a
// time; results do not depend on which one is used, since 16-bit weights are widened exactly.
enum class WeightLayout : std::uint8_t
{
    F32R8, // a unit = 64 bytes: column k of rows 0..7, then column k + 1
    BF16R8, // a unit = 32 bytes: per row a pair, column k low, column k + 1 high
    F16R8, // a unit = 32 bytes: column k of rows 0..7, then column k + 1
};

inline constexpr std::uint32_t kRowsPerGroup = 8;
// Groups of a panel lie side by side for each pair of columns, so that the four chains a kernel keeps in
// flight read one stream of memory.
inline constexpr std::uint32_t kGroupsPerPanel = 4;

KAIKOU_ISA_SAFE constexpr std::size_t unitBytes(WeightLayout layout) noexcept
{
    return layout == WeightLayout::F32R8 ? 64 : 32;
}

// A weight matrix [rows, cols] in an arena that someone else owns. Missing rows of the last group and a
// missing last column are zero.
struct PackedMatrix
{
    WeightLayout layout = WeightLayout::F32R8;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::byte* data = nullptr; // 64-byte aligned

    KAIKOU_ISA_SAFE std::uint32_t groups() const noexcept
    {
        return (rows + kRowsPerGroup - 1) / kRowsPerGroup;
    }

    KAIKOU_ISA_SAFE std::uint32_t pairs() const noexcept { return (cols + 1) / 2; }

    KAIKOU_ISA_SAFE std::size_t bytes() const noexcept
    {
        return std::size_t {groups()} * pairs() * unitBytes(layout);
    }

    // Groups of the panel that `group` lies in: 4, fewer in the last panel.
    KAIKOU_ISA_SAFE std::uint32_t panelWidth(std::uint32_t group) const noexcept
    {
        const std::uint32_t first = group / kGroupsPerPanel * kGroupsPerPanel;
        const std::uint32_t left = groups() - first;
        return left < kGroupsPerPanel ? left : kGroupsPerPanel;
    }

    // Where the unit of `group` for columns 2 * pair and 2 * pair + 1 starts.
    KAIKOU_ISA_SAFE std::byte* unit(std::uint32_t group, std::uint32_t pair) const noexcept
    {
        const std::uint32_t first = group / kGroupsPerPanel * kGroupsPerPanel;
        const std::size_t index
            = std::size_t {first} * pairs() + std::size_t {pair} * panelWidth(group) + (group - first);
        return data + index * unitBytes(layout);
    }
};

} // namespace kaikou
