#pragma once

#include "inference/base/result.h"
#include "inference/model/ids.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace kaikou {

// Whose rules the sampler follows: order of stages, ties, the token that crosses top_p, penalty signs
// (sampling.md §2–4).
enum class Semantics : std::uint8_t
{
    Standard,
    LlamaCpp,
    Vllm,
    LitGpt,
    GptTeacher
};

// Everything that shapes the distribution of one step. Off values: topK 0, topP 1, minP 0, penalties 1 / 0 /
// 0.
struct SampleParams
{
    Semantics semantics = Semantics::Standard;
    float temperature = 1.0F; // <= 0 is greedy (LitGpt: only together with topP 0)
    bool greedy = false; // argmax whatever the temperature, in every semantics
    std::int32_t topK = 0; // <= 0 off; > vocabulary is clamped
    float topP = 1.0F; // 0..1
    float minP = 0.0F; // 0..1
    float repetitionPenalty = 1.0F; // > 0
    float presencePenalty = 0.0F; // finite
    float frequencyPenalty = 0.0F; // finite
    std::uint32_t repetitionWindow
        = 0; // last n tokens the repetition penalty sees; 0 = the semantics' own window
    std::uint32_t minTokens = 0; // eos ids stay masked for this many generated tokens
    bool temperatureLast = false; // Standard only: truncate at T = 1, then apply T to the survivors
    std::vector<std::pair<TokenId, float>> logitBias {}; // added to the raw logit, finite
    std::vector<TokenId> masked {}; // never drawn

    friend bool operator==(const SampleParams&, const SampleParams&) = default;
};

// ParameterRange with field name and allowed range in the message. Nothing is clamped silently except topK.
[[nodiscard]] Result<void> check(const SampleParams& params);

// "standard", "llama.cpp", "vllm", "litgpt", "gpt_teacher": the names of the command line and of files.
[[nodiscard]] std::string_view semanticsName(Semantics semantics);
[[nodiscard]] Result<Semantics> semanticsByName(std::string_view name);

} // namespace kaikou
