#pragma once

#include "app/cli/model_argument.h"
#include "app/cli/sampling_options.h"
#include "inference/generate/request.h"

#include <string>
#include <vector>

namespace kaikou::cli {

// Sampling, stops and positions of subcommands that generate; unset = what the kind of model wants.
struct RequestOptions
{
    SamplingOptions sampling;
    std::vector<std::string> stops;
    std::string positions = "auto";
    bool ignoreEos = false;

    void addTo(CLI::App& app);

    // A request with everything but its prompt: the defaults of the model's kind under what was given.
    // Draws a random seed where none was given. Errors: ParameterRange.
    [[nodiscard]] Result<Request> make(const Engine& engine) const;

    // Says once which given options the semantics in force do not know. Errors: as make.
    [[nodiscard]] Result<void> noteIgnored(const Engine& engine, const Console& console) const;
};

// A new random 63-bit seed.
[[nodiscard]] std::uint64_t randomSeed();

} // namespace kaikou::cli
