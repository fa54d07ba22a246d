#pragma once

#include "inference/backend/backend.h"
#include "inference/backend/cpu/arena.h"
#include "inference/backend/cpu/packed_matrix.h"
#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/base/thread_pool.h"
#include "inference/model/checkpoint.h"

#include <cstdint>
#include <vector>

namespace kaikou {

// One block's weights as the kernels want them. A vector that the model does not have is null.
struct PackedLayer
{
    const float* attentionNorm = nullptr; // [width]
    PackedMatrix qkv; // [(heads + 2 kvHeads) * headSize, width]: q rows, then k, then v
    const float* qkvBias = nullptr;
    PackedMatrix output; // [width, heads * headSize]
    const float* outputBias = nullptr;
    const float* mlpNorm = nullptr; // [width]
    PackedMatrix up; // SwiGLU: groups of 8 gate rows and 8 up rows take turns; else the up rows
    const float* upBias = nullptr; // in the order of `up`'s rows
    PackedMatrix down; // [width, feedForward]
    const float* downBias = nullptr;
};

// All weights of a model in one arena of its own.
struct PackedModel
{
    Arena arena;
    std::vector<PackedLayer> layers;
    PackedMatrix embedding; // [vocabRows, width]
    PackedMatrix head; // the same memory as `embedding` where they are tied
    const float* finalNorm = nullptr; // [width]
};

// Weights are widened to f32 for small models and at Exact; 16-bit tensors of larger ones stay 16-bit.
inline constexpr std::uint64_t kTinyModelParameters = 10'000'000;

// Bytes `repack` will allocate. TensorMissing, TensorShape or FormatDtype when the tensors do not fit the
// config.
[[nodiscard]] Result<std::uint64_t> packedBytes(const Checkpoint& checkpoint, Precision precision);

// Copies and widens the tensors into their layouts on `threads` threads of the pool. OutOfMemory, Cancelled.
[[nodiscard]] Result<PackedModel> repack(const Checkpoint& checkpoint, Precision precision, ThreadPool& pool,
    std::uint32_t threads, const Progress& progress);

// Row `row` of the matrix as f32 into out [cols].
void unpackRow(const PackedMatrix& matrix, std::uint32_t row, float* out);

} // namespace kaikou
