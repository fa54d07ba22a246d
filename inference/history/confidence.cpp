#include "inference/history/confidence.h"

#include <cmath>

namespace kaikou {

ConfidenceLabel confidenceLabel(double probability)
{
    if (probability > 0.8)
        return ConfidenceLabel::High;
    return probability > 0.5 ? ConfidenceLabel::Medium : ConfidenceLabel::Low;
}

std::optional<Confidence> answerConfidence(std::span<const AnswerToken> tokens)
{
    Confidence result;
    double sum = 0.0;
    double logSum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].visible)
            continue;
        const double p = tokens[i].stats.pModel;
        if (count == 0 || p < result.lowestProbability) {
            result.lowest = i;
            result.lowestProbability = p;
        }
        sum += p;
        logSum += std::log(p);
        ++count;
    }
    if (count == 0)
        return std::nullopt;
    const auto n = static_cast<double>(count);
    result.mean = sum / n;
    result.geometricMean = std::exp(logSum / n);
    result.joint = std::exp(logSum);
    result.label = confidenceLabel(result.mean);
    return result;
}

std::optional<double> gptTeacherConfidence(std::span<const AnswerToken> tokens)
{
    if (tokens.empty())
        return std::nullopt;
    double sum = 0.0;
    for (const AnswerToken& token : tokens)
        sum += token.stats.pShaped;
    return sum / static_cast<double>(tokens.size());
}

} // namespace kaikou
