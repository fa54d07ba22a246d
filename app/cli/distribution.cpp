#include "app/cli/print.h"
#include "app/cli/sampling_options.h"
#include "inference/sample/reshape.h"
#include "inference/sample/rng.h"

#include <memory>

namespace kaikou::cli {

namespace {

struct Options
{
    std::vector<std::string> logits; // numbers, "-inf" for a masked id
    std::vector<TokenId> history, promptHistory;
    std::vector<TokenId> eos;
    SamplingOptions sampling;
};

constexpr std::string_view kStageNames[] = {"raw", "bias", "mask", "min_tokens", "repetition",
    "frequency_presence", "temperature", "top_k", "top_p", "min_p", "dice"};

Json numbers(const std::vector<double>& values)
{
    Json array = Json::array();
    for (const double value : values)
        array.push(value);
    return array;
}

Json stageJson(const Stage& stage)
{
    Json removed = Json::array();
    for (const TokenId id : stage.removed)
        removed.push(id);
    return Json::object()
        .set("name", kStageNames[static_cast<std::size_t>(stage.kind)])
        .set("probs", numbers(stage.probs))
        .set("removed", removed);
}

Result<std::vector<float>> parseLogits(const std::vector<std::string>& texts)
{
    std::vector<float> logits;
    for (const std::string& text : texts) {
        char* end = nullptr;
        logits.push_back(std::strtof(text.c_str(), &end));
        if (end == text.c_str() || *end != '\0')
            return Error {ErrorCode::ParameterRange, "not a number: " + text, "--logits"};
    }
    return logits;
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(const std::vector<float> logits, parseLogits(options.logits));
    KAIKOU_TRY(const SampleParams params, options.sampling.over(SampleParams {}));
    noteIgnored(options.sampling, params, console);
    SpecialIds special;
    special.eos = options.eos;
    const std::uint64_t step = options.history.size();
    const double u = rng::unit(options.sampling.seed.value_or(42), step);
    KAIKOU_TRY(const Explained explained,
        reshape(RawLogits::keep(logits, RecordForm::F32), params, {options.promptHistory, options.history},
            step, special, u));
    Json stages = Json::array();
    for (const Stage& stage : explained.stages)
        stages.push(stageJson(stage));
    const Json result = Json::object()
                            .set("stages", stages)
                            .set("p_model", numbers(explained.pModel))
                            .set("p_shaped", numbers(explained.pShaped))
                            .set("p_sample", numbers(explained.pSample))
                            .set("u", u)
                            .set("pick", explained.pick);
    if (console.json) {
        printJson(result);
        return kDone;
    }
    printText("id       model   shaped   sampled\n");
    for (std::size_t id = 0; id < logits.size(); ++id) {
        char line[96];
        std::snprintf(line, sizeof(line), "%-6zu %7.4f  %7.4f   %7.4f%s\n", id, explained.pModel[id],
            explained.pShaped[id], explained.pSample[id], id == explained.pick ? "  <- the dice" : "");
        printText(line);
    }
    return kDone;
}

} // namespace

Command addDistribution(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("distribution",
        "What every stage does to one step, without a model.\nExample: kaikou-cli distribution --logits "
        "2,1,0,-1 --temperature 0.5 --top-p 0.9 --json");
    app->add_option("--logits", options->logits, "Raw logits, comma separated; -inf = masked")
        ->delimiter(',')
        ->required();
    app->add_option("--history", options->history, "Ids generated before")->delimiter(',');
    app->add_option("--prompt-history", options->promptHistory, "Ids of the prompt")->delimiter(',');
    app->add_option("--eos", options->eos, "Ids that end an answer (for --min-new-tokens)")->delimiter(',');
    app->add_flag("--json", console.json, "One JSON object on stdout");
    options->sampling.addTo(*app);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
