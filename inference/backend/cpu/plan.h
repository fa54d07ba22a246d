#pragma once

#include <cstdint>
#include <vector>

namespace kaikou {

// One piece of a step between two barriers of the threads.
enum class PhaseKind : std::uint8_t
{
    Embed, // x = rows of the embedding
    Qkv, // norm, then queries, keys and values in one product
    Attention, // rotation, write to the cache, attention
    Output, // x += attention output
    Up, // norm, then gate and up in one product, activation
    Down, // x += mlp output
    Head, // final norm and head, for the rows whose logits are wanted
};

struct Phase
{
    PhaseKind kind = PhaseKind::Embed;
    std::uint32_t layer = 0; // 0 for Embed and Head
};

// The phases of a step in order. A flat list instead of a graph: small models are bound by barriers.
[[nodiscard]] std::vector<Phase> buildPlan(std::uint32_t layers);

} // namespace kaikou
