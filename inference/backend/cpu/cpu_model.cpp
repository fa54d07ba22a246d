#include "inference/backend/cpu/cpu_model.h"

#include "inference/base/assert.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace kaikou {

namespace {

// GPT_teacher's own loop turns every generated token by position kvHeads, whatever the context.
std::uint32_t ropePositions(const ModelInfo& info)
{
    return std::max(info.context, info.config.kvHeads + 1);
}

KvFormat formatOf(KvType kv)
{
    return kv == KvType::F16 ? KvFormat::F16 : KvFormat::F32;
}

} // namespace

MemoryNeed cpuMemoryNeed(const ModelInfo& info, std::uint64_t weightBytes, std::uint32_t threads)
{
    MemoryNeed need;
    need.weights = weightBytes;
    need.kv = KvCache::bytesPerSlot(info.config, formatOf(info.kv), info.context) * info.slotCount;
    need.scratch = Forward::scratchBytes(info.config, threads)
        + RopeTable::bytes(info.config.headSize, ropePositions(info))
        + std::uint64_t {info.slotCount} * info.config.vocabRows * sizeof(float);
    return need;
}

CpuModel::CpuModel(
    ModelInfo info, PackedModel weights, const KernelTable& kernels, std::shared_ptr<ThreadPool> pool)
    : m_info(std::move(info))
    , m_weights(std::move(weights))
    , m_kernels(kernels)
    , m_pool(std::move(pool))
    , m_rope(m_info.config.rope, m_info.config.headSize, ropePositions(m_info))
    , m_slots(m_info.slotCount, m_info.context)
    , m_seen(m_info.slotCount)
{
    m_logits.reserve(std::size_t {m_info.slotCount} * m_info.config.vocabRows);
}

Result<std::unique_ptr<CpuModel>> CpuModel::create(ModelInfo info, PackedModel weights,
    const KernelTable& kernels, std::shared_ptr<ThreadPool> pool, std::uint32_t threads)
{
    std::unique_ptr<CpuModel> model(
        new CpuModel(std::move(info), std::move(weights), kernels, std::move(pool)));
    const ModelInfo& granted = model->m_info;
    KAIKOU_TRY(model->m_cache,
        KvCache::allocate(granted.config, formatOf(granted.kv), granted.context, granted.slotCount));
    ForwardParts parts;
    parts.config = &model->m_info.config;
    parts.weights = &model->m_weights;
    parts.kernels = &model->m_kernels;
    parts.rope = &model->m_rope;
    parts.cache = &model->m_cache;
    parts.pool = model->m_pool.get();
    KAIKOU_TRY(model->m_forward, Forward::create(parts));
    model->m_forward->setThreads(std::clamp(threads, 1U, model->m_pool->threads()));
    model->describeDevice();
    return model;
}

void CpuModel::describeDevice()
{
    m_info.device = isaName(m_kernels.isa);
    m_info.threads = m_forward->threads();
}

Result<KvSlot> CpuModel::openSlot(std::uint32_t capacityTokens)
{
    return m_slots.open(capacityTokens);
}

void CpuModel::closeSlot(KvSlot slot)
{
#ifdef KAIKOU_ASSERTS
    m_cache.poison(static_cast<std::uint32_t>(slot), 0, m_slots.capacity(slot));
#endif
    m_slots.close(slot);
}

Result<std::uint32_t> CpuModel::copyKv(KvSlot from, KvSlot to, std::uint32_t tokens)
{
    if (!m_slots.isOpen(from) || !m_slots.isOpen(to))
        return Error {ErrorCode::Internal, "a closed slot was to be copied", {}};
    const std::uint32_t copied = m_slots.copy(from, to, tokens);
    m_cache.copyRows(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), copied);
    return copied;
}

std::uint32_t CpuModel::truncateKv(KvSlot slot, std::uint32_t tokens)
{
    const std::uint32_t kept = m_slots.truncate(slot, tokens);
#ifdef KAIKOU_ASSERTS
    m_cache.poison(static_cast<std::uint32_t>(slot), kept, m_slots.capacity(slot));
#endif
    return kept;
}

Result<LogitsRows> CpuModel::step(std::span<const BatchRow> rows, std::stop_token cancel)
{
    KAIKOU_CHECK(checkRows(rows));
    const std::uint32_t vocabRows = m_info.config.vocabRows;
    const auto wantsLogits = [](const BatchRow& row) { return row.output == Output::Logits; };
    m_logits.resize(
        static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), wantsLogits)) * vocabRows);
    float* logits = m_logits.data();
    for (std::size_t first = 0; first < rows.size(); first += kChunkRows) {
        const auto chunk = rows.subspan(first, std::min<std::size_t>(kChunkRows, rows.size() - first));
        KAIKOU_CHECK(m_forward->run(chunk, logits, cancel));
        logits += std::count_if(chunk.begin(), chunk.end(), wantsLogits) * std::ptrdiff_t {vocabRows};
    }
    // Only now: after a cancelled step the slots are as long as before it.
    for (const BatchRow& row : rows)
        m_slots.append(row.slot, 1);
    return LogitsRows {m_logits, vocabRows};
}

Result<void> CpuModel::checkRows(std::span<const BatchRow> rows)
{
    std::fill(m_seen.begin(), m_seen.end(), false);
    std::uint32_t expected = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const KvSlot slot = rows[i].slot;
        if (!m_slots.isOpen(slot))
            return Error {ErrorCode::Internal, "a row of a closed slot", {}};
        if (i == 0 || slot != rows[i - 1].slot) {
            const auto index = static_cast<std::uint32_t>(slot);
            if (m_seen[index])
                return Error {ErrorCode::Internal, "rows of one slot are not adjacent", {}};
            m_seen[index] = true;
            expected = m_slots.length(slot);
        }
        KAIKOU_CHECK(checkRow(rows[i], expected));
        ++expected;
    }
    return {};
}

Result<void> CpuModel::checkRow(const BatchRow& row, std::uint32_t expectedKvRow) const
{
    if (row.token >= m_info.config.vocabRows)
        return Error {ErrorCode::TokenIdRange,
            "token " + std::to_string(row.token) + " of " + std::to_string(m_info.config.vocabRows), {}};
    if (row.kvRow >= m_slots.capacity(row.slot))
        return Error {ErrorCode::PromptTooLong,
            "row " + std::to_string(row.kvRow) + " in a slot of "
                + std::to_string(m_slots.capacity(row.slot)),
            {}};
    if (row.kvRow != expectedKvRow || row.ropePosition >= m_rope.positions())
        return Error {ErrorCode::Internal,
            "row " + std::to_string(row.kvRow) + " at position " + std::to_string(row.ropePosition)
                + " where row " + std::to_string(expectedKvRow) + " is next",
            {}};
    return {};
}

Result<void> CpuModel::measureThreads()
{
    const std::uint32_t threads = m_forward->threads();
    if (threads == 1)
        return {};
    using Clock = std::chrono::steady_clock;
    constexpr auto kShortStep = std::chrono::microseconds(150);
    constexpr int kTries = 4; // the first one warms the caches
    m_forward->setThreads(1);
    auto best = Clock::duration::max();
    for (int i = 0; i < kTries; ++i) {
        KAIKOU_TRY(const KvSlot slot, openSlot(1));
        const BatchRow row {slot, 0, 0, 0, Output::Logits};
        const auto start = Clock::now();
        const auto logits = step({&row, 1}, {});
        best = std::min(best, Clock::now() - start);
        closeSlot(slot);
        KAIKOU_CHECK(logits);
    }
    if (best >= kShortStep)
        m_forward->setThreads(threads);
    describeDevice();
    return {};
}

} // namespace kaikou
