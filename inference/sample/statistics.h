#pragma once

#include "inference/model/ids.h"
#include "inference/sample/step_record.h"

#include <cstdint>
#include <span>
#include <vector>

// Double-precision numbers of one step (sampling.md §6): nothing here decides which token is drawn.
namespace kaikou {

inline constexpr double kNearTieMargin = 1e-3; // below: another backend may choose differently

// The softmax of a row without its vector: p(l) = exp((l - max) / T) / sum.
struct RowSummary
{
    double max = 0.0;
    double temperature = 1.0;
    double sum = 0.0; // of exp((l - max) / T)
    double entropy = 0.0; // nats
    double margin = 0.0; // p of the best minus p of the second

    [[nodiscard]] double probability(float logit) const;
    [[nodiscard]] double logSumExp() const; // ln sum exp(l / T)
};

// Sums run in id order. -inf is a mask; at least one logit must be finite. No allocation.
[[nodiscard]] RowSummary summarise(std::span<const float> logits, double temperature);

[[nodiscard]] std::vector<double> softmax(std::span<const float> logits, double temperature);

// 1 = most likely; equal logits by id.
[[nodiscard]] std::uint32_t rankOf(std::span<const float> logits, TokenId token);

struct TopToken
{
    TokenId id = 0;
    double pModel = 0.0;

    friend bool operator==(const TopToken&, const TopToken&) = default;
};

// The `count` most likely tokens of a record, best first, ties by id.
[[nodiscard]] std::vector<TopToken> topTokens(const RawLogits& logits, std::size_t count);

// Shape of a distribution, for the inspector.
struct StepMeasures
{
    double entropy = 0.0; // nats
    double effectiveChoices = 1.0; // exp(H): 2 for an even tie whatever the vocabulary
    double normalisedEntropy = 0.0; // H / ln V: comparable within one model only
    double margin = 0.0;
    double varentropy = 0.0; // nats^2
};

[[nodiscard]] StepMeasures measure(std::span<const double> probs);

[[nodiscard]] double surprisalBits(double p);

// sum p ln(p / q), nats; +inf where q cuts what p allows. Same length.
[[nodiscard]] double klDivergence(std::span<const double> p, std::span<const double> q);

// Half of sum |p - q|. Same length.
[[nodiscard]] double totalVariation(std::span<const double> p, std::span<const double> q);

} // namespace kaikou
