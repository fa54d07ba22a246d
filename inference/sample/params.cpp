#include "inference/sample/params.h"

#include <array>
#include <cmath>
#include <string>

namespace kaikou {

namespace {

constexpr std::array<std::string_view, 5> kNames {"standard", "llama.cpp", "vllm", "litgpt", "gpt_teacher"};

Error outOfRange(const char* field, const char* range)
{
    return Error {ErrorCode::ParameterRange, std::string(field) + " must be " + range, field};
}

} // namespace

Result<void> check(const SampleParams& params)
{
    const auto within = [](float value) { return value >= 0.0F && value <= 1.0F; };
    if (!std::isfinite(params.temperature))
        return outOfRange("temperature", "a finite number");
    if (!within(params.topP))
        return outOfRange("top_p", "in 0..1");
    if (!within(params.minP))
        return outOfRange("min_p", "in 0..1");
    if (!std::isfinite(params.repetitionPenalty) || params.repetitionPenalty <= 0.0F)
        return outOfRange("repetition_penalty", "a finite number > 0");
    if (!std::isfinite(params.presencePenalty))
        return outOfRange("presence_penalty", "a finite number");
    if (!std::isfinite(params.frequencyPenalty))
        return outOfRange("frequency_penalty", "a finite number");
    for (const auto& [id, bias] : params.logitBias)
        if (!std::isfinite(bias))
            return outOfRange("logit_bias", "finite for every id");
    return {};
}

std::string_view semanticsName(Semantics semantics)
{
    return kNames[static_cast<std::size_t>(semantics)];
}

Result<Semantics> semanticsByName(std::string_view name)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == name)
            return static_cast<Semantics>(i);
    return outOfRange("semantics", "one of standard, llama.cpp, vllm, litgpt, gpt_teacher");
}

} // namespace kaikou
