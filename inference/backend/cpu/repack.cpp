#include "inference/backend/cpu/repack.h"

#include "inference/base/half.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace kaikou {

namespace {

constexpr std::uint64_t kAlignment = 64;

// A packed matrix as it will be: where each of its rows comes from.
struct MatrixJob
{
    PackedMatrix matrix; // data stays null until the arena is there
    std::uint64_t offset = 0;
    std::array<const Tensor*, 3> sources {}; // rows follow each other, or groups of 8 take turns
    bool interleaved = false;

    // The tensor and row behind packed row `row`; null for padding.
    [[nodiscard]] const std::byte* rowBytes(std::uint32_t row, Dtype& dtype) const
    {
        const Tensor* tensor = sources[0];
        if (interleaved) {
            tensor = sources[row / kRowsPerGroup % 2];
            row = row / (2 * kRowsPerGroup) * kRowsPerGroup + row % kRowsPerGroup;
        } else {
            for (std::size_t i = 0; i + 1 < sources.size() && sources[i + 1] != nullptr; ++i) {
                if (row < sources[i]->rows)
                    break;
                row -= sources[i]->rows;
                tensor = sources[i + 1];
            }
        }
        dtype = tensor->dtype;
        if (row >= tensor->rows)
            return nullptr;
        return tensor->bytes.data() + std::size_t {row} * tensor->cols * bytesPerElement(dtype);
    }
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

bool isFloat(Dtype dtype)
{
    return dtype == Dtype::F32 || dtype == Dtype::F16 || dtype == Dtype::BF16 || dtype == Dtype::F64;
}

Result<void> checkTensor(const Tensor& tensor, std::uint32_t rows, std::uint32_t cols, std::string_view role)
{
    const std::string where = tensor.name.empty() ? std::string(role) : tensor.name;
    if (tensor.empty())
        return Error {ErrorCode::TensorMissing, "the model has no tensor for " + std::string(role), where};
    if (!isFloat(tensor.dtype))
        return Error {ErrorCode::FormatDtype, std::string(dtypeName(tensor.dtype)) + " weights", where};
    const std::uint64_t needed = std::uint64_t {rows} * cols * bytesPerElement(tensor.dtype);
    if (tensor.rows != rows || tensor.cols != cols || tensor.bytes.size() != needed)
        return Error {ErrorCode::TensorShape,
            "shape [" + std::to_string(tensor.rows) + ", " + std::to_string(tensor.cols) + "] where ["
                + std::to_string(rows) + ", " + std::to_string(cols) + "] is needed",
            where};
    return {};
}

// Lays the jobs out one after the other.
class Planner
{
public:
    explicit Planner(bool widenAll)
        : m_widenAll(widenAll)
    {
    }

    MatrixJob matrix(std::uint32_t cols, std::array<const Tensor*, 3> sources, bool interleaved = false)
    {
        MatrixJob job;
        job.sources = sources;
        job.interleaved = interleaved;
        job.matrix.cols = cols;
        job.matrix.layout = layoutFor(sources);
        for (const Tensor* source : sources)
            job.matrix.rows += source == nullptr ? 0 : source->rows;
        if (interleaved) {
            constexpr std::uint32_t kBoth = 2 * kRowsPerGroup;
            job.matrix.rows = (sources[0]->rows + kRowsPerGroup - 1) / kRowsPerGroup * kBoth;
        }
        job.offset = take(job.matrix.bytes());
        return job;
    }

    VectorJob vector(std::uint32_t rows, std::array<const Tensor*, 3> sources,
        std::array<std::uint32_t, 3> sizes, bool interleaved = false)
    {
        VectorJob job;
        const bool present = std::any_of(sources.begin(), sources.end(),
            [](const Tensor* tensor) { return tensor != nullptr && !tensor->empty(); });
        if (!present)
            return job;
        job.sources = sources;
        job.sizes = sizes;
        job.interleaved = interleaved;
        job.size = rows;
        job.offset = take((std::uint64_t {rows} + kRowsPerGroup) * sizeof(float));
        return job;
    }

    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    [[nodiscard]] WeightLayout layoutFor(const std::array<const Tensor*, 3>& sources) const
    {
        const Dtype dtype = sources[0]->dtype;
        const bool same = std::all_of(sources.begin(), sources.end(),
            [&](const Tensor* tensor) { return tensor == nullptr || tensor->dtype == dtype; });
        if (m_widenAll || !same)
            return WeightLayout::F32R8;
        if (dtype == Dtype::BF16)
            return WeightLayout::BF16R8;
        return dtype == Dtype::F16 ? WeightLayout::F16R8 : WeightLayout::F32R8;
    }

    std::uint64_t take(std::uint64_t bytes)
    {
        const std::uint64_t offset = m_bytes;
        m_bytes += (bytes + kAlignment - 1) / kAlignment * kAlignment;
        return offset;
    }

    bool m_widenAll;
    std::uint64_t m_bytes = 0;
};

Result<void> checkBias(const Tensor& tensor, std::uint32_t size, std::string_view role)
{
    if (tensor.empty())
        return {};
    return checkTensor(tensor, 1, size, role);
}

Result<void> checkLayer(const LayerWeights& w, const ModelConfig& c)
{
    const std::uint32_t qRows = c.heads * c.headSize;
    const std::uint32_t kvRows = c.kvHeads * c.headSize;
    KAIKOU_CHECK(checkTensor(w.attentionNorm, 1, c.width, "attention norm"));
    KAIKOU_CHECK(checkTensor(w.q, qRows, c.width, "query"));
    KAIKOU_CHECK(checkTensor(w.k, kvRows, c.width, "key"));
    KAIKOU_CHECK(checkTensor(w.v, kvRows, c.width, "value"));
    KAIKOU_CHECK(checkTensor(w.output, c.width, qRows, "attention output"));
    KAIKOU_CHECK(checkTensor(w.mlpNorm, 1, c.width, "mlp norm"));
    if (c.mlp == MlpKind::SwiGlu) {
        KAIKOU_CHECK(checkTensor(w.gate, c.feedForward, c.width, "mlp gate"));
    }
    KAIKOU_CHECK(checkTensor(w.up, c.feedForward, c.width, "mlp up"));
    KAIKOU_CHECK(checkTensor(w.down, c.width, c.feedForward, "mlp down"));
    KAIKOU_CHECK(checkBias(w.qBias, qRows, "query bias"));
    KAIKOU_CHECK(checkBias(w.kBias, kvRows, "key bias"));
    KAIKOU_CHECK(checkBias(w.vBias, kvRows, "value bias"));
    KAIKOU_CHECK(checkBias(w.outputBias, c.width, "attention output bias"));
    KAIKOU_CHECK(checkBias(w.upBias, c.feedForward, "mlp up bias"));
    return checkBias(w.downBias, c.width, "mlp down bias");
}

Result<void> checkConfig(const ModelConfig& c, const Weights& weights)
{
    const bool sized = c.layers > 0 && c.layers <= 512 && c.width > 0 && c.width <= 65536 && c.heads > 0
        && c.kvHeads > 0 && c.heads % c.kvHeads == 0 && c.headSize > 0 && c.headSize % 2 == 0
        && c.headSize <= 4096 && c.heads <= 4096 && c.feedForward > 0 && c.vocabRows > 0 && c.context > 0;
    if (!sized || weights.layers.size() != c.layers)
        return Error {ErrorCode::ConfigInvalid, "sizes of the model make no sense", {}};
    KAIKOU_CHECK(checkTensor(weights.embedding, c.vocabRows, c.width, "embedding"));
    KAIKOU_CHECK(checkTensor(weights.finalNorm, 1, c.width, "final norm"));
    if (!weights.tied()) {
        KAIKOU_CHECK(checkTensor(weights.head, c.vocabRows, c.width, "head"));
    }
    return {};
}

LayerJobs planLayer(Planner& planner, const LayerWeights& w, const ModelConfig& c)
{
    const std::uint32_t qRows = c.heads * c.headSize;
    const std::uint32_t kvRows = c.kvHeads * c.headSize;
    const bool gated = c.mlp == MlpKind::SwiGlu;
    LayerJobs jobs;
    jobs.attentionNorm = planner.vector(c.width, {&w.attentionNorm}, {c.width});
    jobs.qkv = planner.matrix(c.width, {&w.q, &w.k, &w.v});
    jobs.qkvBias
        = planner.vector(jobs.qkv.matrix.rows, {&w.qBias, &w.kBias, &w.vBias}, {qRows, kvRows, kvRows});
    jobs.output = planner.matrix(qRows, {&w.output});
    jobs.outputBias = planner.vector(c.width, {&w.outputBias}, {c.width});
    jobs.mlpNorm = planner.vector(c.width, {&w.mlpNorm}, {c.width});
    static const Tensor kNone;
    if (gated) {
        jobs.up = planner.matrix(c.width, {&w.gate, &w.up}, true);
        jobs.upBias
            = planner.vector(jobs.up.matrix.rows, {&kNone, &w.upBias}, {c.feedForward, c.feedForward}, true);
    } else {
        jobs.up = planner.matrix(c.width, {&w.up});
        jobs.upBias = planner.vector(jobs.up.matrix.rows, {&w.upBias}, {c.feedForward});
    }
    jobs.down = planner.matrix(c.feedForward, {&w.down});
    jobs.downBias = planner.vector(c.width, {&w.downBias}, {c.width});
    return jobs;
}

Result<PackPlan> buildPackPlan(const Checkpoint& checkpoint, Precision precision)
{
    const ModelConfig& c = checkpoint.config;
    KAIKOU_CHECK(checkConfig(c, checkpoint.weights));
    Planner planner(precision == Precision::Exact || checkpoint.parameters <= kTinyModelParameters);
    PackPlan plan;
    plan.embedding = planner.matrix(c.width, {&checkpoint.weights.embedding});
    plan.layers.reserve(c.layers);
    for (const LayerWeights& layer : checkpoint.weights.layers) {
        KAIKOU_CHECK(checkLayer(layer, c));
        plan.layers.push_back(planLayer(planner, layer, c));
    }
    plan.finalNorm = planner.vector(c.width, {&checkpoint.weights.finalNorm}, {c.width});
    plan.head
        = checkpoint.weights.tied() ? plan.embedding : planner.matrix(c.width, {&checkpoint.weights.head});
    plan.bytes = planner.bytes();
    return plan;
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
            std::memcpy(pair + (lane * 2 + odd) * 2, source, 2);
        } else {
            std::memcpy(pair + (odd * kRowsPerGroup + lane) * 2, source, 2);
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
            out[k] = widen(pair + (lane * 2 + odd) * 2, Dtype::BF16);
        else
            out[k] = widen(pair + (odd * kRowsPerGroup + lane) * 2, Dtype::F16);
    }
}

} // namespace kaikou
