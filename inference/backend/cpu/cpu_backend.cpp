#include "inference/backend/cpu/cpu_backend.h"

#include "inference/backend/cpu/cpu_model.h"
#include "inference/backend/cpu/memory_budget.h"
#include "inference/backend/cpu/repack.h"
#include "inference/base/cpu_features.h"

#include <algorithm>
#include <string>
#include <utility>

namespace kaikou {

namespace {

constexpr std::uint32_t kMaxContext = 1'048'576;
constexpr std::uint32_t kMaxSlots = 256;

// What the options mean for this model, before memory is asked.
Result<ModelInfo> requested(const Checkpoint& checkpoint, const LoadOptions& options)
{
    ModelInfo info;
    info.config = checkpoint.config;
    info.backend = "cpu";
    info.precision = options.precision;
    info.context
        = options.context != 0 ? options.context : std::min(checkpoint.config.context, options.contextLimit);
    info.slotCount = options.slotCount;
    if (info.context == 0 || info.context > kMaxContext || info.slotCount == 0 || info.slotCount > kMaxSlots)
        return Error {ErrorCode::ParameterRange,
            std::to_string(info.slotCount) + " slots of " + std::to_string(info.context) + " positions",
            "slots, context"};
    info.kv = options.kv;
    if (info.kv == KvType::Auto) {
        const bool wide
            = options.precision == Precision::Exact || checkpoint.parameters <= kTinyModelParameters;
        info.kv = wide ? KvType::F32 : KvType::F16;
    }
    return info;
}

} // namespace

CpuBackend::CpuBackend(const CpuBackendOptions& options)
    : m_options(options)
    , m_kernels(kernelTable(options.isa))
    , m_pool(std::make_shared<ThreadPool>(options.threads != 0 ? options.threads : usableCores()))
{
}

BackendInfo CpuBackend::info() const
{
    const SystemMemory memory = systemMemory();
    BackendInfo info;
    info.name = "cpu";
    info.device = isaName(m_kernels.isa);
    info.threads = m_pool->threads();
    info.memoryTotal = memory.total;
    info.memoryFree = memory.available;
    return info;
}

std::uint32_t CpuBackend::threadsFor(const LoadOptions& options) const
{
    return options.threads == 0 ? m_pool->threads() : std::min(options.threads, m_pool->threads());
}

Result<MemoryNeed> CpuBackend::estimate(const Checkpoint& checkpoint, const LoadOptions& options) const
{
    KAIKOU_TRY(const ModelInfo info, requested(checkpoint, options));
    KAIKOU_TRY(const std::uint64_t weightBytes, packedBytes(checkpoint, options.precision));
    return cpuMemoryNeed(info, weightBytes, m_pool->threads());
}

Result<void> CpuBackend::grantSlots(ModelInfo& info, std::uint64_t weightBytes, std::uint32_t threads) const
{
    const std::uint64_t budget
        = m_options.memoryBudget != 0 ? m_options.memoryBudget : systemMemory().available;
    const auto needFor = [&](std::uint32_t slots) {
        ModelInfo smaller = info;
        smaller.slotCount = slots;
        return cpuMemoryNeed(smaller, weightBytes, threads);
    };
    while (budget != 0 && info.slotCount > 1 && needFor(info.slotCount).total() > budget)
        --info.slotCount;
    info.memory = needFor(info.slotCount);
    if (budget != 0 && info.memory.total() > budget)
        return Error {ErrorCode::OutOfMemory,
            "the model needs " + std::to_string(info.memory.total()) + " bytes, " + std::to_string(budget)
                + " are free",
            {}};
    return {};
}

Result<std::unique_ptr<Model>> CpuBackend::load(
    const Checkpoint& checkpoint, const LoadOptions& options, const Progress& progress)
{
    KAIKOU_TRY(ModelInfo info, requested(checkpoint, options));
    KAIKOU_TRY(const std::uint64_t weightBytes, packedBytes(checkpoint, options.precision));
    KAIKOU_CHECK(grantSlots(info, weightBytes, m_pool->threads()));
    const std::uint32_t threads = threadsFor(options);
    KAIKOU_TRY(PackedModel weights, repack(checkpoint, options.precision, *m_pool, threads, progress));
    KAIKOU_TRY(std::unique_ptr<CpuModel> model,
        CpuModel::create(std::move(info), std::move(weights), m_kernels, m_pool, threads));
    if (options.threads == 0) {
        KAIKOU_CHECK(model->measureThreads());
    }
    return std::unique_ptr<Model>(std::move(model));
}

} // namespace kaikou
