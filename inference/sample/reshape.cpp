#include "inference/sample/reshape.h"

#include "inference/sample/pipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kaikou {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Writes the ledger while the pipeline runs: the distribution after each stage and what the stage took away.
class Ledger
{
public:
    Ledger(Pipeline& pipeline, Explained& explained)
        : m_pipeline(pipeline)
        , m_explained(explained)
    {
    }

    void record(StageKind kind)
    {
        const Row& row = m_pipeline.row();
        Stage stage {kind, m_pipeline.probabilities(), {}};
        const std::vector<char> before = std::move(m_alive);
        m_alive = aliveNow(row);
        if (kind == StageKind::Raw) {
            m_explained.removedBy.assign(row.logits.size(), StageKind::Raw);
            m_explained.stages.push_back(std::move(stage));
            return;
        }
        for (TokenId id = 0; id < row.logits.size(); ++id)
            if (before[id] != 0 && m_alive[id] == 0)
                stage.removed.push_back(id);
            else if (before[id] == 0 && m_alive[id] != 0)
                m_explained.removedBy[id] = StageKind::Raw; // all was masked: an end token is allowed again
        for (const TokenId id : stage.removed)
            m_explained.removedBy[id] = kind;
        sortBestFirst(stage.removed);
        m_explained.stages.push_back(std::move(stage));
    }

private:
    [[nodiscard]] static std::vector<char> aliveNow(const Row& row)
    {
        std::vector<char> alive(row.logits.size(), 0);
        if (row.kept == 0)
            for (std::size_t i = 0; i < alive.size(); ++i)
                alive[i] = row.logits[i] != kMinusInfinity ? 1 : 0;
        for (std::size_t i = 0; i < row.kept; ++i)
            alive[row.candidates[i].id()] = 1;
        return alive;
    }

    void sortBestFirst(std::vector<TokenId>& ids) const
    {
        const std::span<const float> raw = m_pipeline.modelLogits();
        std::sort(ids.begin(), ids.end(),
            [raw](TokenId a, TokenId b) { return candidateKey(raw[a], a) > candidateKey(raw[b], b); });
    }

    Pipeline& m_pipeline;
    Explained& m_explained;
    std::vector<char> m_alive; // [vocab], after the last stage
};

// P_model of a top record: the tail's mass is known from the log-sum-exp though its tokens are not.
std::vector<double> modelProbabilities(const RawLogits& logits, std::span<const float> widened)
{
    if (logits.form != RecordForm::Top)
        return softmax(widened, 1.0);
    std::vector<double> probs(widened.size());
    std::transform(widened.begin(), widened.end(), probs.begin(),
        [&logits](float logit) { return std::exp(static_cast<double>(logit) - logits.logSumExp); });
    return probs;
}

std::vector<TokenId> sortedOrder(const Row& row)
{
    std::vector<Candidate> kept(
        row.candidates.begin(), row.candidates.begin() + static_cast<std::ptrdiff_t>(row.kept));
    std::sort(kept.begin(), kept.end(), [](const Candidate& a, const Candidate& b) { return a.key > b.key; });
    std::vector<TokenId> order;
    order.reserve(kept.size());
    for (const Candidate& candidate : kept)
        order.push_back(candidate.id());
    return order;
}

} // namespace

Result<Explained> reshape(const RawLogits& logits, const SampleParams& params, const History& history,
    std::uint64_t step, const SpecialIds& special, double u)
{
    KAIKOU_CHECK(check(params));
    if (!(u >= 0.0 && u < 1.0))
        return Error {ErrorCode::ParameterRange, "u must be in 0..1, 1 excluded", "u"};
    if (logits.vocab == 0)
        return Error {ErrorCode::ParameterRange, "the record holds no logits", "logits"};
    const std::vector<float> widened = logits.exact() ? std::vector<float> {} : logits.widen();
    const std::span<const float> values = logits.exact() ? logits.f32 : widened;
    Explained explained;
    Pipeline pipeline;
    Ledger ledger(pipeline, explained);
    KAIKOU_CHECK(pipeline.run(
        {values, params, history, special, step}, [&ledger](StageKind kind) { ledger.record(kind); }));
    explained.pModel = modelProbabilities(logits, pipeline.modelLogits());
    explained.stages.front().probs = explained.pModel;
    explained.pShaped = softmax(pipeline.row().logits, pipeline.shapedTemperature());
    explained.pSample = explained.stages.back().probs;
    explained.order = sortedOrder(pipeline.row());
    explained.pick = pipeline.pick(u);
    explained.approximate = !logits.exact();
    explained.greedy = pipeline.greedy();
    return explained;
}

} // namespace kaikou
