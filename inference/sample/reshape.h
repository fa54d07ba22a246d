#pragma once

#include "inference/base/result.h"
#include "inference/sample/params.h"
#include "inference/sample/step_record.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kaikou {

enum class StageKind : std::uint8_t
{
    Raw,
    Bias,
    Mask,
    MinTokens,
    Repetition,
    FrequencyPresence,
    Temperature,
    TopK,
    TopP,
    MinP,
    Dice,
};

// False: the system has no such stage, so its parameters do nothing there (LitGPT: min-p, penalties;
// GPT_teacher: min-p, frequency and presence).
[[nodiscard]] bool hasStage(Semantics semantics, StageKind kind);

// The distribution after one stage, in the order the semantics apply them; inactive stages are left out.
struct Stage
{
    StageKind kind = StageKind::Raw;
    std::vector<double> probs; // [vocab], sums to 1; 0 = removed so far
    std::vector<TokenId> removed; // by this stage, best first
};

// What the sampler sees of the past. Spans are borrowed for the call.
struct History
{
    std::span<const TokenId> prompt;
    std::span<const TokenId> generated;
};

// One step taken apart: every stage, the three probabilities and the token the dice give.
struct Explained
{
    std::vector<Stage> stages;
    std::vector<double> pModel, pShaped, pSample; // [vocab]
    std::vector<StageKind> removedBy; // [vocab]; Raw = not removed
    std::vector<TokenId> order; // kept candidates, most likely first (ties: lower id)
    TokenId pick = 0;
    bool approximate = false; // the record was not f32
    bool greedy = false;
};

// The only way to shape stored logits again. With the original arguments on an f32 record the result equals
// the original step bit for bit. Errors: ParameterRange, NonFiniteLogits. Pure; any thread.
[[nodiscard]] Result<Explained> reshape(const RawLogits& logits, const SampleParams& params,
    const History& history, std::uint64_t step, const SpecialIds& special, double u);

} // namespace kaikou
