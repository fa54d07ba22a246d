#include "inference/sample/semantics.h"

#include <algorithm>
#include <array>

namespace kaikou {

namespace {

using enum StageKind;

constexpr std::array kStandard {
    Bias, Mask, MinTokens, Repetition, FrequencyPresence, Temperature, TopK, TopP, MinP};
constexpr std::array kTemperatureLast {
    Bias, Mask, MinTokens, Repetition, FrequencyPresence, TopK, TopP, MinP, Temperature};
constexpr std::array kVllm {
    Bias, Mask, MinTokens, Repetition, FrequencyPresence, Temperature, MinP, TopK, TopP};
constexpr std::array kLitGpt {Bias, Mask, MinTokens, TopK, Temperature, TopP};
constexpr std::array kGptTeacher {Bias, Temperature, Mask, MinTokens, Repetition, TopK, TopP};

constexpr SemanticsRules kStandardRules {.order = kStandard, .tiesAtK = true};
constexpr SemanticsRules kLlamaCppRules {
    .order = kTemperatureLast, .countsInWindow = true, .repetition = {.window = 64}};
constexpr SemanticsRules kVllmRules {.order = kVllm, .tiesAtK = true};
constexpr SemanticsRules kLitGptRules {.order = kLitGpt, .greedyNeedsTopPZero = true};
constexpr SemanticsRules kGptTeacherRules {.order = kGptTeacher,
    .topP = TopPRule::DropCrossing,
    .masksSpecials = true,
    .scalesFirst = true,
    .repetition = {.window = 32,
        .generatedOnly = true,
        .everyOccurrence = true,
        .alwaysDivide = true,
        .onlyAboveOne = true}};

} // namespace

const SemanticsRules& rulesOf(Semantics semantics)
{
    switch (semantics) {
    case Semantics::LlamaCpp:
        return kLlamaCppRules;
    case Semantics::Vllm:
        return kVllmRules;
    case Semantics::LitGpt:
        return kLitGptRules;
    case Semantics::GptTeacher:
        return kGptTeacherRules;
    case Semantics::Standard:
        break;
    }
    return kStandardRules;
}

std::span<const StageKind> stageOrder(const SampleParams& params)
{
    if (params.semantics == Semantics::Standard && params.temperatureLast)
        return kTemperatureLast;
    return rulesOf(params.semantics).order;
}

bool hasStage(Semantics semantics, StageKind kind)
{
    const std::span<const StageKind> order = rulesOf(semantics).order;
    return kind == Raw || kind == Dice || std::find(order.begin(), order.end(), kind) != order.end();
}

bool isGreedy(const SampleParams& params)
{
    if (params.greedy)
        return true;
    if (params.temperature > 0.0F)
        return false;
    return !rulesOf(params.semantics).greedyNeedsTopPZero || params.topP <= 0.0F;
}

} // namespace kaikou
