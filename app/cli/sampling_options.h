#pragma once

#include "inference/base/json.h"
#include "inference/sample/params.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kaikou::cli {

// The options that shape a step, named as in Hugging Face Transformers and LitGPT. Unset = the model's
// default.
struct SamplingOptions
{
    std::optional<float> temperature, topP, minP, repetitionPenalty, presencePenalty, frequencyPenalty;
    std::optional<std::int32_t> topK;
    std::optional<std::uint32_t> minNewTokens, maxNewTokens;
    std::optional<std::uint64_t> seed;
    std::string semantics; // empty = the model's
    bool greedy = false;
    bool temperatureLast = false;

    void addTo(CLI::App& app);

    // The given values laid over `base`. Errors: ParameterRange.
    [[nodiscard]] Result<SampleParams> over(SampleParams base) const;
};

[[nodiscard]] Json toJson(const SampleParams& params);

} // namespace kaikou::cli
