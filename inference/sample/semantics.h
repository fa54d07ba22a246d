#pragma once

#include "inference/sample/params.h"
#include "inference/sample/reshape.h"

#include <cstdint>
#include <span>

namespace kaikou {

enum class TopPRule : std::uint8_t
{
    KeepCrossing, // up to and including the token that reaches p; at least one
    DropCrossing // only while the sum stays <= p; ignored when nothing would be left
};

// How one system penalises what was already said.
struct RepetitionRule
{
    std::uint32_t window = 0; // last n tokens; 0 = all
    bool generatedOnly = false; // else prompt + output
    bool everyOccurrence = false; // compounding; else once per distinct id
    bool alwaysDivide = false; // else logits < 0 are multiplied
    bool onlyAboveOne = false; // a penalty < 1 does nothing
};

// One named system as data: the order of its stages and its rules (sampling.md §2–4).
struct SemanticsRules
{
    std::span<const StageKind> order; // from Bias to the last stage before the dice
    TopPRule topP = TopPRule::KeepCrossing;
    bool tiesAtK = false; // top-k keeps every tie at the k-th place; else exactly k, lowest ids
    bool masksSpecials = false; // bos, pad and unk are never drawn
    bool scalesFirst = false; // temperature divides the logits before masks and penalties
    bool greedyNeedsTopPZero = false; // temperature <= 0 with topP > 0 samples at temperature 1
    bool countsInWindow = false; // frequency and presence count inside the repetition window only
    RepetitionRule repetition {};
};

[[nodiscard]] const SemanticsRules& rulesOf(Semantics semantics);

// The order for these parameters: the semantics' own, or Standard with the temperature last.
[[nodiscard]] std::span<const StageKind> stageOrder(const SampleParams& params);

// Whether these parameters mean argmax; LitGPT samples at temperature 1 unless topP is 0 too (settled.md 40).
[[nodiscard]] bool isGreedy(const SampleParams& params);

} // namespace kaikou
