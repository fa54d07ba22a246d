#pragma once

#include "inference/base/result.h"

#include <CLI/App.hpp>

#include <functional>

namespace kaikou::cli {

inline constexpr int kDone = 0, kFailed = 1, kUsage = 2, kInterrupted = 130; // exit codes

// A subcommand: its options live in the closure, `run` gives the exit code.
struct Command
{
    CLI::App* app = nullptr;
    std::function<Result<int>()> run;
};

// What every subcommand knows of how to print.
struct Console
{
    bool json = false; // one JSON object on stdout
    bool quiet = false; // nothing on stderr but errors
};

Command addInspect(CLI::App& root, Console& console);
Command addTokenize(CLI::App& root, Console& console);
Command addDetokenize(CLI::App& root, Console& console);
Command addRender(CLI::App& root, Console& console);
Command addLogits(CLI::App& root, Console& console);
Command addScore(CLI::App& root, Console& console);
Command addDistribution(CLI::App& root, Console& console);
Command addGenerate(CLI::App& root, Console& console);
Command addChat(CLI::App& root, Console& console);
Command addCheck(CLI::App& root, Console& console);
Command addCompare(CLI::App& root, Console& console);
Command addEval(CLI::App& root, Console& console);
Command addBench(CLI::App& root, Console& console);
Command addDevices(CLI::App& root, Console& console);

} // namespace kaikou::cli
