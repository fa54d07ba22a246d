#include "inference/study/bench.h"

#include "app/cli/completion.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    std::uint32_t promptTokens = 0, genTokens = 0, batch = 1, repeat = 5;
};

// What one round of a request gives.
struct Round
{
    double ttftMs = 0.0, tpotMs = 0.0, prefillTps = 0.0, decodeTps = 0.0;
};

// Ids that are spread over the vocabulary and differ from round to round, so that no prefix is cached.
std::vector<TokenId> promptIds(std::uint32_t count, std::uint32_t vocab, std::uint32_t round)
{
    std::vector<TokenId> ids;
    for (std::uint32_t i = 0; i < count; ++i)
        ids.push_back((i * 37 + 11 + round * 101) % vocab);
    return ids;
}

Result<Round> measure(const Engine& engine, const Options& options, std::uint32_t round)
{
    Request request;
    request.prompt = promptIds(options.promptTokens, engine.service->capabilities().vocab, round);
    request.sampling.temperature = 0.0F;
    request.ignoreEos = true;
    request.stops.automatic = false;
    request.positions = PositionMode::Correct;
    request.fit = Fit::Refuse;
    request.maxTokens = options.genTokens;
    request.choices = options.batch;
    request.trace = TraceLevel::Full; // what the window asks for: statistics and all logits
    KAIKOU_TRY(const Completion completion, complete(*engine.service, std::move(request)));
    if (completion.interrupted)
        return Error {ErrorCode::Cancelled, "stopped", "bench"};
    Round result;
    for (const Reply& reply : completion.replies) {
        const Metrics& metrics = reply.end.metrics;
        result.ttftMs = std::max(result.ttftMs, metrics.ttftMs);
        result.tpotMs = std::max(result.tpotMs, metrics.tpotMs);
        result.prefillTps = metrics.prefillMs > 0 ? 1000.0 * options.promptTokens / metrics.prefillMs : 0.0;
        result.decodeTps += metrics.tpotMs > 0 ? 1000.0 / metrics.tpotMs : 0.0;
    }
    return result;
}

Json spreadJson(const Spread& spread)
{
    return Json::object().set("min", spread.min).set("median", spread.median).set("max", spread.max);
}

void printSpread(const char* name, const Spread& spread)
{
    char line[96];
    std::snprintf(
        line, sizeof(line), "%-14s %10.2f %10.2f %10.2f\n", name, spread.min, spread.median, spread.max);
    printText(line);
}

// Four columns of the rounds as spreads.
struct Summary
{
    Spread ttft, tpot, prefill, decode;
};

Summary summarise(const std::vector<Round>& rounds)
{
    const auto column = [&rounds](double Round::*field) {
        std::vector<double> values;
        for (const Round& round : rounds)
            values.push_back(round.*field);
        return spreadOf(std::move(values));
    };
    return {column(&Round::ttftMs), column(&Round::tpotMs), column(&Round::prefillTps),
        column(&Round::decodeTps)};
}

Result<int> run(Options options, const Console& console)
{
    KAIKOU_TRY(const Engine engine, startEngine(options.model, console, options.batch));
    const Capabilities model = engine.service->capabilities();
    const BenchPlan plan = benchPlan(model.context);
    options.promptTokens = options.promptTokens > 0 ? options.promptTokens : plan.promptTokens;
    options.genTokens = options.genTokens > 0
        ? options.genTokens
        : std::min(plan.newTokens, model.context - options.promptTokens);
    KAIKOU_TRY(const Round warm, measure(engine, options, 0));
    static_cast<void>(warm); // caches and branch predictors are warm now
    std::vector<Round> rounds;
    for (std::uint32_t i = 0; i < options.repeat; ++i) {
        KAIKOU_TRY(const Round round, measure(engine, options, i + 1));
        rounds.push_back(round);
    }
    const Summary summary = summarise(rounds);
    if (console.json) {
        const Json row = Json::object()
                             .set("threads", options.model.threads)
                             .set("prompt_tokens", options.promptTokens)
                             .set("gen_tokens", options.genTokens)
                             .set("batch", options.batch)
                             .set("ttft_ms", spreadJson(summary.ttft))
                             .set("tpot_ms", spreadJson(summary.tpot))
                             .set("prefill_tps", spreadJson(summary.prefill))
                             .set("decode_tps", spreadJson(summary.decode));
        printJson(Json::object()
                      .set("rows", Json::array().push(row))
                      .set("model", model.model)
                      .set("backend", model.backend)
                      .set("machine", model.backend));
        return kDone;
    }
    printText(model.model + " · " + model.backend + " · prompt " + std::to_string(options.promptTokens)
        + ", generated " + std::to_string(options.genTokens) + ", batch " + std::to_string(options.batch)
        + ", " + std::to_string(options.repeat) + " rounds\n");
    printText("                      min     median        max\n");
    printSpread("TTFT ms", summary.ttft);
    printSpread("TPOT ms", summary.tpot);
    printSpread("prefill tok/s", summary.prefill);
    printSpread("decode tok/s", summary.decode);
    return kDone;
}

} // namespace

Command addBench(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("bench",
        "Time to first token and tokens per second, greedy.\nExample: kaikou-cli bench builtin --threads 1 "
        "--json");
    options->model.addTo(*app, console);
    app->add_option(
        "--prompt-tokens", options->promptTokens, "Length of the prompt; default 128 or 3/4 of the context");
    app->add_option("--gen-tokens", options->genTokens, "Tokens to generate; default 64 or what is left");
    app->add_option("--batch", options->batch, "Answers at once")->check(CLI::Range(1, 50));
    app->add_option("--repeat", options->repeat, "Rounds after the warm-up")->check(CLI::Range(1, 1000));
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
