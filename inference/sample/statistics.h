#pragma once

#include "inference/model/ids.h"
#include "inference/sample/step_record.h"

#include <cstdint>
#include <span>
#include <vector>

// Double-precision numbers of one step (sampling.md §6): nothing here decides which token is drawn.
namespace kaikou {

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

} // namespace kaikou
