#pragma once

#include "inference/backend/backend.h"
#include "inference/backend/cpu/forward.h"
#include "inference/backend/cpu/kernel_table.h"
#include "inference/backend/cpu/kv_cache.h"
#include "inference/backend/cpu/repack.h"
#include "inference/backend/cpu/rope.h"
#include "inference/backend/kv_slots.h"
#include "inference/base/thread_pool.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace kaikou {

// Bytes a CPU model takes besides its weights.
[[nodiscard]] MemoryNeed cpuMemoryNeed(
    const ModelInfo& info, std::uint64_t weightBytes, std::uint32_t threads);

// A loaded model on the processor. Logits are batch-invariant: alone, in any batch, after any cut of the
// prompt, from a copied prefix and with any number of threads the bits are the same.
class CpuModel final : public Model
{
public:
    // info: config, context, slots, kv and precision as granted. OutOfMemory.
    [[nodiscard]] static Result<std::unique_ptr<CpuModel>> create(ModelInfo info, PackedModel weights,
        const KernelTable& kernels, std::shared_ptr<ThreadPool> pool, std::uint32_t threads);

    [[nodiscard]] const ModelInfo& info() const override { return m_info; }

    [[nodiscard]] Result<KvSlot> openSlot(std::uint32_t capacityTokens) override;
    void closeSlot(KvSlot slot) override;
    [[nodiscard]] Result<std::uint32_t> copyKv(KvSlot from, KvSlot to, std::uint32_t tokens) override;
    std::uint32_t truncateKv(KvSlot slot, std::uint32_t tokens) override;
    [[nodiscard]] Result<LogitsRows> step(std::span<const BatchRow> rows, std::stop_token cancel) override;

    // Goes on with one thread where a step is so short that waking another costs more.
    [[nodiscard]] Result<void> measureThreads();

private:
    CpuModel(
        ModelInfo info, PackedModel weights, const KernelTable& kernels, std::shared_ptr<ThreadPool> pool);

    [[nodiscard]] Result<void> checkRows(std::span<const BatchRow> rows);
    [[nodiscard]] Result<void> checkRow(const BatchRow& row, std::uint32_t expectedKvRow) const;
    void describeDevice();

    ModelInfo m_info;
    PackedModel m_weights;
    const KernelTable& m_kernels;
    std::shared_ptr<ThreadPool> m_pool;
    RopeTable m_rope;
    KvCache m_cache;
    KvSlots m_slots;
    std::unique_ptr<Forward> m_forward;
    std::vector<float> m_logits;
    std::vector<bool> m_seen; // slots of the batch that is being checked
};

} // namespace kaikou
