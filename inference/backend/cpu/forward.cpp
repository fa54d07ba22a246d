#include "inference/backend/cpu/forward.h"

#include "inference/backend/cpu/attention.h"
#include "inference/base/assert.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kaikou {

namespace {

// Up to here every thread normalises all rows itself: cheaper than a barrier.
constexpr std::uint32_t kOwnRows = 8;

constexpr std::size_t kStrideFloats = 16; // rows start on cache lines

// A stride of a multiple of 4 KiB would put all rows of a column into the same cache sets.
std::size_t strideFor(std::uint64_t floats)
{
    const std::size_t stride
        = (static_cast<std::size_t>(floats) + kStrideFloats - 1) / kStrideFloats * kStrideFloats;
    return stride % 1024 == 0 ? stride + kStrideFloats : stride;
}

std::uint32_t upRows(const ModelConfig& config)
{
    const std::uint32_t rounded = (config.feedForward + kRowsPerGroup - 1) / kRowsPerGroup * kRowsPerGroup;
    return config.mlp == MlpKind::SwiGlu ? 2 * rounded : rounded;
}

} // namespace

struct Forward::Input
{
    Buffer rows;
    std::uint32_t count = 0;
    const float* norm = nullptr; // weight of the norm before the product; null = none
    const std::uint32_t* pick = nullptr; // indices of the rows to take; null = the first `count`

    [[nodiscard]] const float* row(std::size_t index) const
    {
        return rows.row(pick == nullptr ? index : pick[index]);
    }
};

std::uint64_t Forward::scratchBytes(const ModelConfig& config, std::uint32_t threads)
{
    const std::uint64_t qRows = std::uint64_t {config.heads} * config.headSize;
    const std::uint64_t kvRows = std::uint64_t {config.kvHeads} * config.headSize;
    const std::uint64_t perRow = std::uint64_t {3} * strideFor(config.width) + strideFor(qRows + 2 * kvRows)
        + strideFor(qRows) + strideFor(upRows(config)) + strideFor(config.feedForward + kRowsPerGroup);
    const std::uint64_t own = std::uint64_t {threads} * kOwnRows * strideFor(config.width);
    return (perRow * kChunkRows + own) * sizeof(float);
}

Forward::Forward(const ForwardParts& parts)
    : m_parts(parts)
    , m_plan(buildPlan(parts.config->layers))
{
    m_outputRows.reserve(kChunkRows);
}

Result<std::unique_ptr<Forward>> Forward::create(const ForwardParts& parts)
{
    std::unique_ptr<Forward> forward(new Forward(parts));
    const std::uint64_t bytes = scratchBytes(*parts.config, parts.pool->threads());
    KAIKOU_TRY(forward->m_scratch, Arena::allocate(bytes));
    const std::uint64_t used = forward->layOut(forward->m_scratch.data());
    KAIKOU_ASSERT(used == bytes);
    static_cast<void>(used);
    return forward;
}

std::uint64_t Forward::layOut(std::byte* memory)
{
    const ModelConfig& c = *m_parts.config;
    auto* next = reinterpret_cast<float*>(memory);
    const auto take = [&next](std::uint64_t rows, std::uint64_t width) {
        const Buffer buffer {next, strideFor(width)};
        next += rows * buffer.stride;
        return buffer;
    };
    const std::uint64_t qRows = std::uint64_t {c.heads} * c.headSize;
    m_x = take(kChunkRows, c.width);
    m_normed = take(kChunkRows, c.width);
    m_y = take(kChunkRows, c.width);
    m_ownNormed = take(std::uint64_t {m_parts.pool->threads()} * kOwnRows, c.width);
    m_qkv = take(kChunkRows, qRows + 2 * std::uint64_t {c.kvHeads} * c.headSize);
    m_mixed = take(kChunkRows, qRows);
    m_up = take(kChunkRows, upRows(c));
    m_active = take(kChunkRows, std::uint64_t {c.feedForward} + kRowsPerGroup);
    return static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(next) - memory);
}

Result<void> Forward::run(std::span<const BatchRow> rows, float* logits, const std::stop_token& cancel)
{
    KAIKOU_ASSERT(!rows.empty() && rows.size() <= kChunkRows);
    m_rows = rows;
    m_outputRows.clear();
    m_onePerSlot = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].output == Output::Logits)
            m_outputRows.push_back(static_cast<std::uint32_t>(i));
        if (i > 0 && rows[i].slot == rows[i - 1].slot)
            m_onePerSlot = false;
    }
    for (const Phase& phase : m_plan) {
        if (phase.kind == PhaseKind::Qkv && cancel.stop_requested())
            return Error {ErrorCode::Cancelled, "the step was cancelled", {}};
        runPhase(phase, logits);
    }
    return {};
}

void Forward::runPhase(const Phase& phase, float* logits)
{
    const PackedLayer& layer = m_parts.weights->layers[phase.layer];
    const auto rows = static_cast<std::uint32_t>(m_rows.size());
    switch (phase.kind) {
    case PhaseKind::Embed:
        return embed();
    case PhaseKind::Qkv:
        return product({m_x, rows, layer.attentionNorm}, layer.qkv, m_qkv,
            [&](std::size_t row, std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last && layer.qkvBias != nullptr; ++i)
                    m_qkv.row(row)[i] += layer.qkvBias[i];
            });
    case PhaseKind::Attention:
        return attention(phase.layer);
    case PhaseKind::Output:
        return addToResidual(m_mixed, layer.output, layer.outputBias);
    case PhaseKind::Up:
        return up(layer);
    case PhaseKind::Down:
        return addToResidual(m_active, layer.down, layer.downBias);
    case PhaseKind::Head:
        return head(logits);
    }
}

void Forward::embed()
{
    m_parts.pool->parallelFor(
        m_rows.size() > kOwnRows ? m_threads : 1, m_rows.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                unpackRow(m_parts.weights->embedding, m_rows[i].token, m_x.row(i));
        });
}

void Forward::attention(std::uint32_t layer)
{
    const std::size_t rows = m_rows.size();
    const std::size_t items = rows * m_parts.config->kvHeads;
    const auto forMine = [&](auto&& work) {
        m_parts.pool->run(m_threads, [&](std::uint32_t index, std::uint32_t count) {
            // In turns rather than in ranges: later rows of a prompt see more positions.
            for (std::size_t item = index; item < items; item += count)
                work(item % rows, static_cast<std::uint32_t>(item / rows));
        });
    };
    if (m_onePerSlot) {
        forMine([&](std::size_t row, std::uint32_t kvHead) {
            storeKv(layer, row, kvHead);
            attendHead(layer, row, kvHead);
        });
        return;
    }
    forMine([&](std::size_t row, std::uint32_t kvHead) { storeKv(layer, row, kvHead); });
    forMine([&](std::size_t row, std::uint32_t kvHead) { attendHead(layer, row, kvHead); });
}

void Forward::storeKv(std::uint32_t layer, std::size_t row, std::uint32_t kvHead)
{
    const ModelConfig& c = *m_parts.config;
    const KvCache& cache = *m_parts.cache;
    const BatchRow& batchRow = m_rows[row];
    const auto slot = static_cast<std::uint32_t>(batchRow.slot);
    float* k = m_qkv.row(row) + (std::size_t {c.heads} + kvHead) * c.headSize;
    const float* v = k + std::size_t {c.kvHeads} * c.headSize;
    m_parts.rope->rotate(k, batchRow.ropePosition);
    const std::size_t offset = batchRow.kvRow * cache.rowBytes();
    std::byte* toK = cache.keys(slot, layer, kvHead) + offset;
    std::byte* toV = cache.values(slot, layer, kvHead) + offset;
    if (cache.format() == KvFormat::F32) {
        std::memcpy(toK, k, cache.rowBytes());
        std::memcpy(toV, v, cache.rowBytes());
        return;
    }
    m_parts.kernels->toHalf(reinterpret_cast<std::uint16_t*>(toK), k, c.headSize);
    m_parts.kernels->toHalf(reinterpret_cast<std::uint16_t*>(toV), v, c.headSize);
}

void Forward::attendHead(std::uint32_t layer, std::size_t row, std::uint32_t kvHead)
{
    const ModelConfig& c = *m_parts.config;
    const BatchRow& batchRow = m_rows[row];
    const auto slot = static_cast<std::uint32_t>(batchRow.slot);
    const std::uint32_t group = c.heads / c.kvHeads;
    const std::size_t first = std::size_t {kvHead} * group * c.headSize;
    float* q = m_qkv.row(row) + first;
    for (std::uint32_t h = 0; h < group; ++h)
        m_parts.rope->rotate(q + std::size_t {h} * c.headSize, batchRow.ropePosition);
    AttentionArgs args;
    args.q = q;
    args.k = m_parts.cache->keys(slot, layer, kvHead);
    args.v = m_parts.cache->values(slot, layer, kvHead);
    args.out = m_mixed.row(row) + first;
    args.format = m_parts.cache->format();
    args.positions = batchRow.kvRow + 1;
    args.group = group;
    args.headSize = c.headSize;
    attend(*m_parts.kernels, args);
}

void Forward::up(const PackedLayer& layer)
{
    const auto rows = static_cast<std::uint32_t>(m_rows.size());
    product({m_x, rows, layer.mlpNorm}, layer.up, m_up,
        [&](std::size_t row, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last && layer.upBias != nullptr; ++i)
                m_up.row(row)[i] += layer.upBias[i];
            activate(row, static_cast<std::uint32_t>(first / kRowsPerGroup),
                static_cast<std::uint32_t>((last + kRowsPerGroup - 1) / kRowsPerGroup));
        });
}

void Forward::activate(std::size_t row, std::uint32_t firstGroup, std::uint32_t lastGroup)
{
    const float* up = m_up.row(row);
    float* active = m_active.row(row);
    if (m_parts.config->mlp == MlpKind::Silu) {
        const std::size_t first = std::size_t {firstGroup} * kRowsPerGroup;
        const std::size_t last
            = std::min<std::size_t>(std::size_t {lastGroup} * kRowsPerGroup, m_parts.config->feedForward);
        m_parts.kernels->silu(active + first, up + first, static_cast<std::uint32_t>(last - first));
        return;
    }
    for (std::uint32_t group = firstGroup; group < lastGroup; group += 2) {
        const float* gate = up + std::size_t {group} * kRowsPerGroup;
        m_parts.kernels->siluMul(
            active + std::size_t {group} / 2 * kRowsPerGroup, gate, gate + kRowsPerGroup, kRowsPerGroup);
    }
}

void Forward::head(float* logits)
{
    if (m_outputRows.empty())
        return;
    const PackedMatrix& weights = m_parts.weights->head;
    const auto count = static_cast<std::uint32_t>(m_outputRows.size());
    product({m_x, count, m_parts.weights->finalNorm, m_outputRows.data()}, weights, {logits, weights.rows},
        [](std::size_t, std::size_t, std::size_t) {});
}

void Forward::addToResidual(const Buffer& in, const PackedMatrix& weights, const float* bias)
{
    const auto rows = static_cast<std::uint32_t>(m_rows.size());
    product({in, rows}, weights, m_y, [&](std::size_t row, std::size_t first, std::size_t last) {
        float* x = m_x.row(row);
        const float* y = m_y.row(row);
        for (std::size_t i = first; i < last; ++i)
            x[i] += bias == nullptr ? y[i] : y[i] + bias[i];
    });
}

template <class Finish>
void Forward::product(const Input& in, const PackedMatrix& weights, const Buffer& y, const Finish& finish)
{
    Buffer x = in.rows;
    const bool shared = in.count > kOwnRows;
    if (in.norm != nullptr && shared) {
        x = m_normed;
        m_parts.pool->parallelFor(m_threads, in.count, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                normalise(x.row(i), in.row(i), in.norm);
        });
    }
    m_parts.pool->run(m_threads, [&](std::uint32_t index, std::uint32_t threads) {
        // Two groups at a time, so that a gate stays with its up rows.
        const IndexRange groups = staticRange(weights.groups(), 2, index, threads);
        if (groups.begin == groups.end)
            return;
        Buffer mine = x;
        if (in.norm != nullptr && !shared) {
            mine = {m_ownNormed.row(std::size_t {index} * kOwnRows), m_ownNormed.stride};
            for (std::uint32_t i = 0; i < in.count; ++i)
                normalise(mine.row(i), in.row(i), in.norm);
        }
        m_parts.kernels->matmul({&weights, mine.data, mine.stride, y.data, y.stride, in.count,
            static_cast<std::uint32_t>(groups.begin), static_cast<std::uint32_t>(groups.end)});
        const std::size_t last = std::min<std::size_t>(groups.end * kRowsPerGroup, weights.rows);
        for (std::uint32_t i = 0; i < in.count; ++i)
            finish(i, groups.begin * kRowsPerGroup, last);
    });
}

void Forward::normalise(float* y, const float* x, const float* weight) const
{
    const ModelConfig& c = *m_parts.config;
    const float squares = m_parts.kernels->sumSquares(x, c.width);
    const float scale = c.norm == NormKind::TeacherL2
        ? 1.0F / (std::sqrt(squares) + c.normEps)
        : 1.0F / std::sqrt(squares / static_cast<float>(c.width) + c.normEps);
    m_parts.kernels->scaleBy(y, x, scale, weight, c.width);
}

} // namespace kaikou
