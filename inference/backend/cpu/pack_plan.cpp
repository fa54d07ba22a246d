#include "inference/backend/cpu/pack_plan.h"

#include "inference/backend/cpu/repack.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace kaikou {

namespace {

constexpr std::uint64_t kAlignment = 64;

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

} // namespace

const std::byte* MatrixJob::rowBytes(std::uint32_t row, Dtype& dtype) const
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

} // namespace kaikou
