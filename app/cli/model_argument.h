#pragma once

#include "app/cli/command.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/scheduler.h"
#include "inference/sample/defaults.h"

#include <memory>
#include <string>

namespace kaikou::cli {

// MODEL and the options common to all subcommands that load one.
struct ModelOptions
{
    std::string model; // a path, or "builtin"
    std::string tokenizer; // empty = the one beside the weights
    std::string backend = "auto", precision = "auto", kv = "auto";
    std::uint32_t threads = 0, context = 0;

    void addTo(CLI::App& app, Console& console, bool positional = true);
};

// The checkpoint MODEL names. Warnings go to stderr.
[[nodiscard]] Result<Checkpoint> openModel(const ModelOptions& options, const Console& console);

// Opened and loaded with `slots` sequences, a progress line on stderr.
[[nodiscard]] Result<LoadedModel> loadModel(
    const ModelOptions& options, const Console& console, std::uint32_t slotCount = 1);

// A running engine and what the defaults of a request depend on.
struct Engine
{
    std::unique_ptr<Scheduler> service;
    ModelKind kind = ModelKind::Base;
    GenerationHints hints;
};

[[nodiscard]] Result<Engine> startEngine(
    const ModelOptions& options, const Console& console, std::uint32_t slotCount = 1);

} // namespace kaikou::cli
