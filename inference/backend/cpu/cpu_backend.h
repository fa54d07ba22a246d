#pragma once

#include "inference/backend/backend.h"
#include "inference/backend/cpu/kernel_table.h"
#include "inference/base/thread_pool.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace kaikou {

struct CpuBackendOptions
{
    std::optional<Isa> isa; // instead of the best one; must be one this processor can run
    std::uint32_t threads = 0; // of the pool that all models of this backend share; 0 = physical cores
    std::uint64_t memoryBudget = 0; // bytes one model may take; 0 = what the system has available at load
};

// Models on the processor. Names itself "cpu".
class CpuBackend final : public Backend
{
public:
    explicit CpuBackend(const CpuBackendOptions& options = {});

    [[nodiscard]] BackendInfo info() const override;
    [[nodiscard]] Result<MemoryNeed> estimate(
        const Checkpoint& checkpoint, const LoadOptions& options) const override;

    // Fewer slots than asked where memory is short; OutOfMemory with both numbers, before anything is
    // allocated, where not even one fits.
    [[nodiscard]] Result<std::unique_ptr<Model>> load(
        const Checkpoint& checkpoint, const LoadOptions& options, const Progress& progress) override;

private:
    [[nodiscard]] std::uint32_t threadsFor(const LoadOptions& options) const;
    [[nodiscard]] Result<void> grantSlots(
        ModelInfo& info, std::uint64_t weightBytes, std::uint32_t threads) const;

    CpuBackendOptions m_options;
    const KernelTable& m_kernels;
    std::shared_ptr<ThreadPool> m_pool;
};

} // namespace kaikou
