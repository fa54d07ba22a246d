#pragma once

#include "inference/backend/backend.h"
#include "inference/backend/cpu/arena.h"
#include "inference/backend/cpu/kernel_table.h"
#include "inference/backend/cpu/kv_cache.h"
#include "inference/backend/cpu/plan.h"
#include "inference/backend/cpu/repack.h"
#include "inference/backend/cpu/rope.h"
#include "inference/base/thread_pool.h"
#include "inference/model/config.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace kaikou {

// Tokens that go through the layers together; longer batches are cut. Bounds the scratch memory.
inline constexpr std::uint32_t kChunkRows = 128;

// Everything a step reads; the cache's rows are all it writes.
struct ForwardParts
{
    const ModelConfig* config = nullptr;
    const PackedModel* weights = nullptr;
    const KernelTable* kernels = nullptr;
    const RopeTable* rope = nullptr;
    const KvCache* cache = nullptr;
    ThreadPool* pool = nullptr;
};

// Runs the plan over up to kChunkRows rows of any slots. A row's result depends on its own slot only, bit
// for bit: every product is one chain over k, and threads share out rows and heads, never a sum.
class Forward
{
public:
    [[nodiscard]] static std::uint64_t scratchBytes(const ModelConfig& config, std::uint32_t threads);

    [[nodiscard]] static Result<std::unique_ptr<Forward>> create(const ForwardParts& parts);

    // Threads from the next run on, 1..pool->threads().
    void setThreads(std::uint32_t threads) { m_threads = threads; }

    [[nodiscard]] std::uint32_t threads() const { return m_threads; }

    // logits: [rows with Output::Logits, vocabRows]. Cancelled when `cancel` fires, asked before each layer.
    [[nodiscard]] Result<void> run(
        std::span<const BatchRow> rows, float* logits, const std::stop_token& cancel);

private:
    struct Input; // of a product: rows to take, and the norm to put before it

    struct Buffer
    {
        float* data = nullptr;
        std::size_t stride = 0; // floats from row to row

        [[nodiscard]] float* row(std::size_t index) const { return data + index * stride; }
    };

    explicit Forward(const ForwardParts& parts);
    std::uint64_t layOut(std::byte* memory);

    void runPhase(const Phase& phase, float* logits);
    void embed();
    void attention(std::uint32_t layer);
    void up(const PackedLayer& layer);
    void head(float* logits);

    void storeKv(std::uint32_t layer, std::size_t row, std::uint32_t kvHead);
    void attendHead(std::uint32_t layer, std::size_t row, std::uint32_t kvHead);
    void activate(std::size_t row, std::uint32_t firstGroup, std::uint32_t lastGroup);
    void normalise(float* y, const float* x, const float* weight) const;

    // y = in * weights^T; then finish(row, first output, last output) for each row on the thread's own part.
    template <class Finish>
    void product(const Input& in, const PackedMatrix& weights, const Buffer& y, const Finish& finish);
    void addToResidual(const Buffer& in, const PackedMatrix& weights, const float* bias);

    ForwardParts m_parts;
    std::vector<Phase> m_plan;
    std::uint32_t m_threads = 1;
    Arena m_scratch;
    Buffer m_x; // residual stream, [rows, width]
    Buffer m_normed; // shared by the threads when there are many rows
    Buffer m_ownNormed; // [threads * kOwnRows, width]: few rows, computed by every thread for itself
    Buffer m_qkv; // [rows, q rows + k rows + v rows]
    Buffer m_mixed; // attention's result, [rows, heads * headSize]
    Buffer m_up; // [rows, rows of `up`]
    Buffer m_active; // [rows, feedForward]
    Buffer m_y; // a product on its way into the residual stream, [rows, width]
    std::span<const BatchRow> m_rows;
    std::vector<std::uint32_t> m_outputRows; // indices of the rows with Output::Logits
    bool m_onePerSlot = false; // no two rows of a slot: keys of this batch are only needed by their own row
};

} // namespace kaikou
