#pragma once

#include "inference/model/config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kaikou {

// cos and sin of every rotation of positions [0, positions), f32.
// Half split: element i of a head turns with element i + headSize / 2 by position * frequency[i].
class RopeTable
{
public:
    RopeTable() = default;
    RopeTable(const RopeConfig& config, std::uint32_t headSize, std::uint32_t positions);

    [[nodiscard]] std::uint32_t positions() const noexcept { return m_positions; }

    // Turns one head [headSize] in place; position < positions().
    void rotate(float* head, std::uint32_t position) const noexcept;

    [[nodiscard]] static std::uint64_t bytes(std::uint32_t headSize, std::uint32_t positions) noexcept
    {
        return std::uint64_t {headSize} * positions * sizeof(float);
    }

private:
    std::uint32_t m_half = 0;
    std::uint32_t m_positions = 0;
    std::vector<float> m_table; // [positions][cos of half, sin of half]
};

// Radians per position of each pair, [headSize / 2], with the scaling of the config applied.
[[nodiscard]] std::vector<float> ropeFrequencies(const RopeConfig& config, std::uint32_t headSize);

} // namespace kaikou
