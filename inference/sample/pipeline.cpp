#include "inference/sample/pipeline.h"

#include "inference/base/assert.h"
#include "inference/sample/mass.h"
#include "inference/sample/rng.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace kaikou {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// NonFiniteLogits where a logit is NaN or +inf; -inf is a mask.
Result<void> checkFinite(std::span<const float> logits, std::uint64_t step)
{
    bool broken = false;
    for (const float logit : logits)
        broken |= !(logit < kInfinity);
    if (!broken)
        return {};
    const auto first
        = std::find_if(logits.begin(), logits.end(), [](float logit) { return !(logit < kInfinity); });
    return Error {ErrorCode::NonFiniteLogits, "the model gave a logit that is not a number or infinite",
        "step " + std::to_string(step) + ", id " + std::to_string(first - logits.begin())};
}

bool allMasked(std::span<const float> logits)
{
    return std::all_of(logits.begin(), logits.end(), [](float logit) { return logit == -kInfinity; });
}

bool isLogitStage(StageKind kind, const SemanticsRules& rules)
{
    switch (kind) {
    case StageKind::Temperature:
        return rules.scalesFirst;
    case StageKind::TopK:
    case StageKind::TopP:
    case StageKind::MinP:
    case StageKind::Dice:
        return false;
    default:
        return true;
    }
}

// bos, pad and unk, without allocating.
void maskSpecials(Row& row, const SpecialIds& special)
{
    for (const std::optional<TokenId>& id : {special.bos, special.pad, special.unk})
        if (id)
            applyMask(row, std::array {*id});
}

} // namespace

Result<void> Pipeline::run(const StepInput& input, const Observer& observer)
{
    KAIKOU_CHECK(start(input));
    if (observer)
        observer(StageKind::Raw);
    for (const StageKind kind : stageOrder(input.params)) {
        if (!active(kind))
            continue;
        if (isLogitStage(kind, *m_rules)) {
            applyLogitStage(kind);
            KAIKOU_CHECK(checkFinite(m_row.logits, input.step));
        } else {
            KAIKOU_CHECK(beginCandidates());
            applyCandidateStage(kind);
        }
        if (observer)
            observer(kind);
    }
    KAIKOU_CHECK(beginCandidates());
    finish();
    if (observer)
        observer(StageKind::Dice);
    m_input = nullptr;
    return {};
}

Result<void> Pipeline::start(const StepInput& input)
{
    KAIKOU_ASSERT(!input.logits.empty() && input.logits.size() <= (1U << 20U));
    KAIKOU_CHECK(checkFinite(input.logits, input.step));
    m_input = &input;
    m_special = &input.special;
    m_rules = &rulesOf(input.params.semantics);
    m_greedy = isGreedy(input.params);
    m_wantedTemperature = m_greedy || input.params.temperature <= 0.0F ? 1.0F : input.params.temperature;
    m_temperature = 1.0F;
    m_shapedTemperature = m_rules->scalesFirst ? 1.0 : static_cast<double>(m_wantedTemperature);
    m_collected = m_logitsChanged = false;
    m_row.logits.assign(input.logits.begin(), input.logits.end());
    m_row.kept = 0;
    m_row.counts.resize(input.logits.size());
    m_row.candidates.reserve(input.logits.size());
    m_model = input.logits;
    if (!allMasked(m_row.logits))
        return {};
    if (!rescueEnd())
        return Error {ErrorCode::NonFiniteLogits, "the model allows no token at all",
            "step " + std::to_string(input.step)};
    m_rescued = m_row.logits;
    m_model = m_rescued;
    return {};
}

bool Pipeline::active(StageKind kind) const
{
    const SampleParams& params = m_input->params;
    const SpecialIds& special = m_input->special;
    switch (kind) {
    case StageKind::Bias:
        return !params.logitBias.empty();
    case StageKind::Mask:
        return !params.masked.empty()
            || (m_rules->masksSpecials && (special.bos || special.pad || special.unk));
    case StageKind::MinTokens:
        return m_input->step < params.minTokens && !special.eos.empty();
    case StageKind::Repetition:
        return m_rules->repetition.onlyAboveOne ? params.repetitionPenalty > 1.0F
                                                : params.repetitionPenalty != 1.0F;
    case StageKind::FrequencyPresence:
        return params.frequencyPenalty != 0.0F || params.presencePenalty != 0.0F;
    case StageKind::Temperature:
        return m_wantedTemperature != 1.0F;
    case StageKind::TopK:
        return !m_greedy && params.topK > 0;
    case StageKind::TopP:
        return !m_greedy && params.topP < 1.0F;
    case StageKind::MinP:
        return !m_greedy && params.minP > 0.0F;
    case StageKind::Raw:
    case StageKind::Dice:
        break;
    }
    return false;
}

void Pipeline::applyLogitStage(StageKind kind)
{
    const SampleParams& params = m_input->params;
    const History& history = m_input->history;
    m_logitsChanged = true;
    switch (kind) {
    case StageKind::Bias:
        applyBias(m_row, params.logitBias);
        break;
    case StageKind::Mask:
        applyMask(m_row, params.masked);
        if (m_rules->masksSpecials)
            maskSpecials(m_row, m_input->special);
        break;
    case StageKind::MinTokens:
        applyMask(m_row, m_input->special.eos);
        break;
    case StageKind::Repetition:
        applyRepetition(
            m_row, history, m_rules->repetition, params.repetitionPenalty, params.repetitionWindow);
        return;
    case StageKind::FrequencyPresence: {
        const std::uint32_t window
            = params.repetitionWindow != 0 ? params.repetitionWindow : m_rules->repetition.window;
        const bool cut = m_rules->countsInWindow && history.generated.size() > window;
        applyFrequencyPresence(m_row, cut ? history.generated.last(window) : history.generated,
            params.frequencyPenalty, params.presencePenalty);
        return;
    }
    default:
        applyScale(m_row, m_wantedTemperature);
        return;
    }
    if (allMasked(m_row.logits))
        static_cast<void>(rescueEnd());
}

// Everything is masked: the answer may only end (sampling.md §4). False where the model has no end token.
bool Pipeline::rescueEnd()
{
    bool found = false;
    for (const TokenId id : m_input->special.eos) {
        if (id >= m_row.logits.size())
            continue;
        const float raw = m_input->logits[id];
        m_row.logits[id] = raw == -kInfinity ? 0.0F : raw;
        found = true;
    }
    return found;
}

Result<void> Pipeline::beginCandidates()
{
    if (m_collected)
        return {};
    m_collected = true;
    collectCandidates(m_row);
    if (m_row.kept == 0)
        return Error {
            ErrorCode::ParameterRange, "every token is masked and the model has no end token", "masked"};
    return {};
}

void Pipeline::applyCandidateStage(StageKind kind)
{
    const SampleParams& params = m_input->params;
    switch (kind) {
    case StageKind::Temperature:
        m_temperature = m_wantedTemperature;
        needMasses();
        break;
    case StageKind::TopK:
        cutTopK(m_row, static_cast<std::uint32_t>(params.topK), m_rules->tiesAtK);
        break;
    case StageKind::TopP:
        needMasses();
        cutTopP(m_row, params.topP, m_rules->topP);
        break;
    default:
        needMasses();
        cutMinP(m_row, params.minP);
        break;
    }
}

void Pipeline::needMasses()
{
    if (m_row.massTemperature != m_temperature)
        computeMasses(m_row, m_temperature);
}

// What the dice see: the best token alone when greedy, else every candidate with a mass.
void Pipeline::finish()
{
    if (m_greedy)
        cutTopK(m_row, 1, false);
    needMasses();
    cutMassless(m_row);
}

TokenId Pipeline::pick(double u)
{
    const std::uint64_t target = mass::mulHigh(rng::diceBits(u), m_row.total);
    return m_row.candidates[selectByMass(m_row, target)].id();
}

double Pipeline::sampleProbability(TokenId token) const
{
    const std::uint64_t key = candidateKey(m_row.logits[token], token);
    for (std::size_t i = 0; i < m_row.kept; ++i)
        if (m_row.candidates[i].key == key)
            return static_cast<double>(m_row.candidates[i].mass) / static_cast<double>(m_row.total);
    return 0.0;
}

TokenStats Pipeline::stats(TokenId token, double u) const
{
    const RowSummary model = summarise(m_model, 1.0);
    TokenStats stats;
    stats.pModel = model.probability(m_model[token]);
    stats.pShaped = m_logitsChanged || m_shapedTemperature != 1.0
        ? summarise(m_row.logits, m_shapedTemperature).probability(m_row.logits[token])
        : stats.pModel;
    stats.pSample = sampleProbability(token);
    stats.rank = rankOf(m_model, token);
    stats.entropy = model.entropy;
    stats.margin = model.margin;
    stats.u = u;
    stats.kept = static_cast<std::uint32_t>(m_row.kept);
    stats.greedy = m_greedy;
    const std::vector<TokenId>& eos = m_special->eos;
    stats.special = token == m_special->bos || token == m_special->pad || token == m_special->unk
        || std::find(eos.begin(), eos.end(), token) != eos.end();
    return stats;
}

std::vector<double> Pipeline::probabilities()
{
    if (!m_collected)
        return softmax(m_row.logits, 1.0);
    needMasses();
    std::vector<double> probs(m_row.logits.size(), 0.0);
    for (std::size_t i = 0; i < m_row.kept; ++i)
        probs[m_row.candidates[i].id()]
            = static_cast<double>(m_row.candidates[i].mass) / static_cast<double>(m_row.total);
    return probs;
}

} // namespace kaikou
