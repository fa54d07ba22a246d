#include "inference/sample/statistics.h"

#include "inference/base/assert.h"
#include "inference/sample/row_math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kaikou {

double RowSummary::probability(float logit) const
{
    return expNonPositiveDouble((static_cast<double>(logit) - max) / temperature) / sum;
}

double RowSummary::logSumExp() const
{
    return max / temperature + std::log(sum);
}

RowSummary summarise(std::span<const float> logits, double temperature)
{
    float best = -std::numeric_limits<float>::infinity(), second = best;
    for (const float logit : logits) {
        second = std::max(second, std::min(best, logit));
        best = std::max(best, logit);
    }
    RowSummary row;
    row.max = static_cast<double>(best);
    row.temperature = temperature;
    const ExpSums sums = expSums(logits, row.max, temperature);
    row.sum = sums.sum;
    row.entropy = std::log(sums.sum) - sums.weighted / sums.sum;
    row.margin = row.probability(best) - row.probability(second);
    return row;
}

std::vector<double> softmax(std::span<const float> logits, double temperature)
{
    const auto max = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    std::vector<double> probs(logits.size());
    softmaxInto(logits, max, temperature, expSums(logits, max, temperature).sum, probs);
    return probs;
}

std::uint32_t rankOf(std::span<const float> logits, TokenId token)
{
    const float own = logits[token];
    std::uint32_t better = 0;
    for (const float logit : logits)
        better += logit > own ? 1U : 0U;
    for (const float logit : logits.first(token))
        better += logit == own ? 1U : 0U;
    return better + 1;
}

std::vector<TopToken> topTokens(const RawLogits& logits, std::size_t count)
{
    std::vector<TopToken> top;
    const auto probability
        = [&logits](float logit) { return std::exp(static_cast<double>(logit) - logits.logSumExp); };
    if (logits.form == RecordForm::Top) {
        for (std::size_t i = 0; i < std::min(count, logits.ids.size()); ++i)
            top.push_back({logits.ids[i], probability(logits.f32[i])});
        return top;
    }
    const std::vector<float> widened = logits.exact() ? std::vector<float> {} : logits.widen();
    const std::span<const float> values = logits.exact() ? logits.f32 : widened;
    std::vector<TokenId> ids(values.size());
    std::iota(ids.begin(), ids.end(), TokenId {0});
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, ids.size()));
    std::partial_sort(ids.begin(), end, ids.end(),
        [values](TokenId a, TokenId b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
    for (auto id = ids.begin(); id != end; ++id)
        top.push_back({*id, probability(values[*id])});
    return top;
}

StepMeasures measure(std::span<const double> probs)
{
    StepMeasures measures;
    double best = 0.0, second = 0.0;
    for (const double p : probs) {
        second = std::max(second, std::min(best, p));
        best = std::max(best, p);
        if (p > 0.0)
            measures.entropy -= p * std::log(p);
    }
    for (const double p : probs)
        if (p > 0.0)
            measures.varentropy += p * (std::log(p) + measures.entropy) * (std::log(p) + measures.entropy);
    measures.effectiveChoices = std::exp(measures.entropy);
    if (probs.size() > 1)
        measures.normalisedEntropy = measures.entropy / std::log(static_cast<double>(probs.size()));
    measures.margin = best - second;
    return measures;
}

double surprisalBits(double p)
{
    return -std::log2(p);
}

double klDivergence(std::span<const double> p, std::span<const double> q)
{
    KAIKOU_ASSERT(p.size() == q.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i] > 0.0)
            sum += p[i] * std::log(p[i] / q[i]);
    return sum;
}

double totalVariation(std::span<const double> p, std::span<const double> q)
{
    KAIKOU_ASSERT(p.size() == q.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i)
        sum += std::abs(p[i] - q[i]);
    return sum / 2.0;
}

} // namespace kaikou
