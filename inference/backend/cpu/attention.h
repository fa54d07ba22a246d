#pragma once

#include "inference/backend/cpu/kernel_table.h"

#include <cstdint>

namespace kaikou {

// Attention of one token's query heads that share a key/value head, over rows [0, positions) of the cache.
struct AttentionArgs
{
    const float* q = nullptr; // [group, headSize], rotated
    const void* k = nullptr; // [positions, headSize] in the cache's format, rotated
    const void* v = nullptr; // [positions, headSize]
    float* out = nullptr; // [group, headSize]
    KvFormat format = KvFormat::F32;
    std::uint32_t positions = 0; // >= 1
    std::uint32_t group = 0;
    std::uint32_t headSize = 0;
};

// out[h] = softmax(q[h] . k / sqrt(headSize)) v by the online softmax in f32: blocks of 32 positions from
// row 0, one rescale a block, eight partial sums carried across blocks. Blocks start at multiples of 32 of
// the row, so a row's result does not depend on how the prompt was cut.
void attend(const KernelTable& kernels, const AttentionArgs& args);

} // namespace kaikou
