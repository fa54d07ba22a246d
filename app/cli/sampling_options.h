#pragma once

#include "app/cli/command.h"
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

// Notes on stderr for given options that do nothing, or something unexpected, under params.semantics.
void noteIgnored(const SamplingOptions& given, const SampleParams& params, const Console& console);

} // namespace kaikou::cli
