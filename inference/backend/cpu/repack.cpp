#include "inference/backend/cpu/repack.h"

#include "inference/backend/cpu/pack_plan.h"
#include "inference/base/half.h"

#include <algorithm>
#include <cstring>

namespace kaikou {

namespace {

float widen(const std::byte* bytes, Dtype dtype)
{
    if (dtype == Dtype::F32) {
        float value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    if (dtype == Dtype::F64) {
        double value;
        std::memcpy(&value, bytes, sizeof value);
        return static_cast<float>(value);
    }
    std::uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return dtype == Dtype::F16 ? halfToFloat(bits) : bfloatToFloat(bits);
}

// Writes one row into its lane. 16-bit layouts are only chosen for sources of that very type.
void packRow(const PackedMatrix& matrix, std::uint32_t row, const std::byte* source, Dtype dtype)
{
    const std::uint32_t group = row / kRowsPerGroup;
    const std::uint32_t lane = row % kRowsPerGroup;
    const std::size_t pitch = matrix.panelWidth(group) * unitBytes(matrix.layout);
    const std::uint32_t step = bytesPerElement(dtype);
    std::byte* unit = matrix.unit(group, 0);
    for (std::uint32_t k = 0; k < matrix.cols; ++k, source += step) {
        const std::uint32_t odd = k % 2;
        std::byte* pair = unit + k / 2 * pitch;
        if (matrix.layout == WeightLayout::F32R8) {
            const float value = widen(source, dtype);
            std::memcpy(pair + (odd * kRowsPerGroup + lane) * sizeof value, &value, sizeof value);
        } else if (matrix.layout == WeightLayout::BF16R8) {
            std::memcpy(pair + std::size_t {lane * 2 + odd} * 2, source, 2);
        } else {
            std::memcpy(pair + std::size_t {odd * kRowsPerGroup + lane} * 2, source, 2);
        }
    }
}

void packVector(const VectorJob& job, std::byte* arena)
{
    auto* out = reinterpret_cast<float*>(arena + job.offset);
    std::uint32_t base = 0;
    for (std::size_t s = 0; s < job.sources.size(); ++s) {
        const Tensor* tensor = job.sources[s];
        if (tensor == nullptr)
            continue;
        for (std::uint32_t i = 0; i < tensor->cols; ++i) {
            const std::uint32_t index = job.interleaved
                ? (i / kRowsPerGroup * 2 + static_cast<std::uint32_t>(s)) * kRowsPerGroup + i % kRowsPerGroup
                : base + i;
            out[index] = widen(
                tensor->bytes.data() + std::size_t {i} * bytesPerElement(tensor->dtype), tensor->dtype);
        }
        base += job.sizes[s];
    }
}

// Fills an arena by the plan, says how far it is and stops when asked.
class Packer
{
public:
    Packer(std::byte* arena, std::uint64_t total, ThreadPool& pool, std::uint32_t threads,
        const Progress& progress)
        : m_arena(arena)
        , m_total(total)
        , m_pool(pool)
        , m_threads(threads)
        , m_progress(progress)
    {
    }

    Result<PackedMatrix> matrix(const MatrixJob& job)
    {
        PackedMatrix matrix = job.matrix;
        matrix.data = m_arena + job.offset;
        const std::size_t groupBytes = matrix.bytes() / matrix.groups();
        const auto batch = static_cast<std::uint32_t>(std::max<std::size_t>(1, kBatchBytes / groupBytes));
        for (std::uint32_t first = 0; first < matrix.groups(); first += batch) {
            if (m_progress.stop.stop_requested())
                return Error {ErrorCode::Cancelled, "loading was cancelled", {}};
            const std::uint32_t count = std::min(batch, matrix.groups() - first);
            m_pool.parallelFor(m_threads, count, 1, [&](std::size_t begin, std::size_t end) {
                packGroups(job, matrix, first + static_cast<std::uint32_t>(begin),
                    first + static_cast<std::uint32_t>(end));
            });
            advance(count * groupBytes);
        }
        return matrix;
    }

    const float* vector(const VectorJob& job)
    {
        if (job.size == 0)
            return nullptr;
        packVector(job, m_arena);
        return reinterpret_cast<const float*>(m_arena + job.offset);
    }

private:
    static constexpr std::size_t kBatchBytes = std::size_t {8} << 20U; // some milliseconds of work

    static void packGroups(
        const MatrixJob& job, const PackedMatrix& matrix, std::uint32_t first, std::uint32_t last)
    {
        const std::uint32_t end = std::min(last * kRowsPerGroup, matrix.rows);
        for (std::uint32_t row = first * kRowsPerGroup; row < end; ++row) {
            Dtype dtype = Dtype::F32;
            if (const std::byte* source = job.rowBytes(row, dtype); source != nullptr)
                packRow(matrix, row, source, dtype);
        }
    }

    void advance(std::uint64_t bytes)
    {
        m_done += bytes;
        const auto percent = static_cast<std::uint32_t>(m_done * 100 / m_total);
        if (percent > m_percent) {
            m_percent = percent;
            m_progress(static_cast<double>(percent) / 100.0);
        }
    }

    std::byte* m_arena;
    std::uint64_t m_total;
    ThreadPool& m_pool;
    std::uint32_t m_threads;
    const Progress& m_progress;
    std::uint64_t m_done = 0;
    std::uint32_t m_percent = 0;
};

Result<PackedLayer> packLayer(Packer& packer, const LayerJobs& jobs)
{
    PackedLayer layer;
    layer.attentionNorm = packer.vector(jobs.attentionNorm);
    layer.qkvBias = packer.vector(jobs.qkvBias);
    layer.outputBias = packer.vector(jobs.outputBias);
    layer.mlpNorm = packer.vector(jobs.mlpNorm);
    layer.upBias = packer.vector(jobs.upBias);
    layer.downBias = packer.vector(jobs.downBias);
    KAIKOU_TRY(layer.qkv, packer.matrix(jobs.qkv));
    KAIKOU_TRY(layer.output, packer.matrix(jobs.output));
    KAIKOU_TRY(layer.up, packer.matrix(jobs.up));
    KAIKOU_TRY(layer.down, packer.matrix(jobs.down));
    return layer;
}

} // namespace

Result<std::uint64_t> packedBytes(const Checkpoint& checkpoint, Precision precision)
{
    KAIKOU_TRY(const PackPlan plan, buildPackPlan(checkpoint, precision));
    return plan.bytes;
}

Result<PackedModel> repack(const Checkpoint& checkpoint, Precision precision, ThreadPool& pool,
    std::uint32_t threads, const Progress& progress)
{
    KAIKOU_TRY(const PackPlan plan, buildPackPlan(checkpoint, precision));
    PackedModel model;
    KAIKOU_TRY(model.arena, Arena::allocate(plan.bytes));
    Packer packer(model.arena.data(), plan.bytes, pool, threads, progress);
    KAIKOU_TRY(model.embedding, packer.matrix(plan.embedding));
    model.layers.reserve(plan.layers.size());
    for (const LayerJobs& jobs : plan.layers) {
        KAIKOU_TRY(PackedLayer layer, packLayer(packer, jobs));
        model.layers.push_back(layer);
    }
    model.finalNorm = packer.vector(plan.finalNorm);
    if (checkpoint.weights.tied()) {
        model.head = model.embedding;
    } else {
        KAIKOU_TRY(model.head, packer.matrix(plan.head));
    }
    progress(1.0);
    return model;
}

void unpackRow(const PackedMatrix& matrix, std::uint32_t row, float* out)
{
    const std::uint32_t group = row / kRowsPerGroup;
    const std::uint32_t lane = row % kRowsPerGroup;
    const std::size_t pitch = matrix.panelWidth(group) * unitBytes(matrix.layout);
    const std::byte* unit = matrix.unit(group, 0);
    for (std::uint32_t k = 0; k < matrix.cols; ++k) {
        const std::uint32_t odd = k % 2;
        const std::byte* pair = unit + k / 2 * pitch;
        if (matrix.layout == WeightLayout::F32R8)
            out[k] = widen(pair + (odd * kRowsPerGroup + lane) * sizeof(float), Dtype::F32);
        else if (matrix.layout == WeightLayout::BF16R8)
            out[k] = widen(pair + std::size_t {lane * 2 + odd} * 2, Dtype::BF16);
        else
            out[k] = widen(pair + std::size_t {odd * kRowsPerGroup + lane} * 2, Dtype::F16);
    }
}

} // namespace kaikou
