#pragma once

#include "inference/model/config.h"
#include "inference/sample/step_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace kaikou {

enum class ConfidenceLabel : std::uint8_t
{
    High,
    Medium,
    Low
};

// > 0.8 is High, > 0.5 Medium: the bands of GPT_teacher, kept as the default (settled.md 16).
[[nodiscard]] ConfidenceLabel confidenceLabel(double probability);

// What the numbers of one token's answer are made of.
struct AnswerToken
{
    TokenStats stats;
    bool visible = true; // has bytes in the answer: not an end token, not taken back by a stop
};

// How sure the model was of an answer; over its visible tokens.
struct Confidence
{
    double mean = 0.0; // arithmetic mean of P_model: the chip
    double geometricMean = 0.0; // exp(mean log P_model)
    double joint = 0.0; // product, exp(sum log P_model)
    std::size_t lowest = 0; // index of the token with the smallest P_model; the first of equals
    double lowestProbability = 0.0;
    ConfidenceLabel label = ConfidenceLabel::Low; // of the mean
};

// Nothing where no token is visible.
[[nodiscard]] std::optional<Confidence> answerConfidence(std::span<const AnswerToken> tokens);

// GPT_teacher's own number: mean of P_shaped over every generated token, end and stop tokens included.
[[nodiscard]] std::optional<double> gptTeacherConfidence(std::span<const AnswerToken> tokens);

} // namespace kaikou
