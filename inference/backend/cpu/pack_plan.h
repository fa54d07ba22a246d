#pragma once

#include "inference/backend/backend.h"
#include "inference/backend/cpu/packed_matrix.h"
#include "inference/base/result.h"
#include "inference/model/checkpoint.h"

#include <array>
#include <cstdint>
#include <vector>

// Which tensors become which packed matrices and vectors, and where in the arena: known before anything is
// allocated.
namespace kaikou {

// A packed matrix as it will be: where each of its rows comes from.
struct MatrixJob
{
    PackedMatrix matrix; // data stays null until the arena is there
    std::uint64_t offset = 0;
    std::array<const Tensor*, 3> sources {}; // rows follow each other, or groups of 8 take turns
    bool interleaved = false;

    // Where the source of packed row `row` starts, and its dtype; null for padding.
    [[nodiscard]] const std::byte* rowBytes(std::uint32_t row, Dtype& dtype) const;
};

struct VectorJob
{
    std::uint64_t offset = 0;
    std::uint32_t size = 0; // 0 = the model does not have it
    std::array<const Tensor*, 3> sources {}; // an empty tensor counts as zeros
    std::array<std::uint32_t, 3> sizes {};
    bool interleaved = false; // sources 0 and 1 take turns by groups of 8
};

struct LayerJobs
{
    VectorJob attentionNorm, qkvBias, outputBias, mlpNorm, upBias, downBias;
    MatrixJob qkv, output, up, down;
};

struct PackPlan
{
    std::vector<LayerJobs> layers;
    MatrixJob embedding, head;
    VectorJob finalNorm;
    std::uint64_t bytes = 0;
};

// TensorMissing, TensorShape, FormatDtype or ConfigInvalid when the tensors do not fit the config. The plan
// points into the checkpoint.
[[nodiscard]] Result<PackPlan> buildPackPlan(const Checkpoint& checkpoint, Precision precision);

} // namespace kaikou
