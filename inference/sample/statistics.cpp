#include "inference/sample/statistics.h"

#include "inference/sample/row_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

} // namespace kaikou
