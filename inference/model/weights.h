#pragma once

#include "inference/base/dtype.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaikou {

// A contiguous row-major tensor, shape [rows, cols] as PyTorch prints it ([out, in]); a vector has rows = 1.
// The bytes may lie inside a file map that `owner` keeps open; whoever keeps the tensor keeps the owner.
struct Tensor
{
    std::string name; // as in the file, for messages
    Dtype dtype = Dtype::F32; // F32, F16 or BF16 once it is in Weights
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::span<const std::byte> bytes; // rows * cols * bytesPerElement(dtype); any alignment
    std::shared_ptr<const void> owner;

    [[nodiscard]] bool empty() const noexcept { return bytes.empty(); }
};

// One transformer block. A tensor the family does not have is empty().
struct LayerWeights
{
    Tensor attentionNorm; // [1, width]
    Tensor q, qBias; // [heads * headSize, width], [1, heads * headSize]
    Tensor k, kBias; // [kvHeads * headSize, width]
    Tensor v, vBias; // [kvHeads * headSize, width]
    Tensor output, outputBias; // [width, heads * headSize]
    Tensor mlpNorm; // [1, width]
    Tensor gate; // [feedForward, width]; empty for MlpKind::Silu
    Tensor up, upBias; // [feedForward, width]
    Tensor down, downBias; // [width, feedForward]
};

// All tensors of a decoder by their role, whatever names the file gave them.
struct Weights
{
    Tensor embedding; // [vocabRows, width]
    std::vector<LayerWeights> layers;
    Tensor finalNorm; // [1, width]
    Tensor head; // [vocabRows, width]; empty = tied to the embedding

    [[nodiscard]] bool tied() const noexcept { return head.empty(); }
};

// Every tensor that is there, in one fixed order: embedding, layers, final norm, head. A tied head is not
// repeated.
[[nodiscard]] std::vector<const Tensor*> allTensors(const Weights& weights);

// Numbers in all tensors.
[[nodiscard]] std::uint64_t parameterCount(const Weights& weights);

} // namespace kaikou
