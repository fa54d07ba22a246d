#include "app/cli/model_argument.h"
#include "app/cli/npy.h"
#include "app/cli/print.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    std::vector<TokenId> ids;
    bool all = false;
    std::string out;
};

// Logits of the last id, or of all: [rows, vocab], at true positions.
Result<std::vector<float>> compute(Model& model, const std::vector<TokenId>& ids, bool all)
{
    KAIKOU_TRY(const KvSlot slot, model.openSlot(static_cast<std::uint32_t>(ids.size())));
    std::vector<BatchRow> rows;
    for (std::uint32_t at = 0; at < ids.size(); ++at) {
        const bool wanted = all || at + 1 == ids.size();
        rows.push_back({slot, at, at, ids[at], wanted ? Output::Logits : Output::None});
    }
    KAIKOU_TRY(const LogitsRows logits, model.step(rows, {}));
    return std::vector<float>(logits.values.begin(), logits.values.end());
}

Result<void> checkIds(const std::vector<TokenId>& ids, const ModelInfo& info)
{
    for (const TokenId id : ids) {
        if (id >= info.config.vocabRows)
            return Error {ErrorCode::TokenIdRange,
                "id " + std::to_string(id) + " is outside 0.." + std::to_string(info.config.vocabRows - 1),
                "--ids"};
    }
    if (ids.size() > info.context)
        return Error {ErrorCode::PromptTooLong,
            std::to_string(ids.size()) + " ids, the context has " + std::to_string(info.context), "--ids"};
    return {};
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(const LoadedModel loaded, loadModel(options.model, console));
    KAIKOU_CHECK(checkIds(options.ids, loaded.model->info()));
    KAIKOU_TRY(const std::vector<float> logits, compute(*loaded.model, options.ids, options.all));
    const std::size_t vocab = loaded.model->info().config.vocabRows;
    const std::size_t rows = logits.size() / vocab;
    if (!options.out.empty()) {
        KAIKOU_CHECK(writeNpy(options.out, logits, rows, vocab));
        return kDone;
    }
    Json positions = Json::array();
    for (std::size_t row = 0; row < rows; ++row) {
        Json values = Json::array();
        for (std::size_t id = 0; id < vocab; ++id)
            values.push(logits[row * vocab + id]);
        positions.push(Json::object().set("pos", options.ids.size() - rows + row).set("logits", values));
    }
    printJson(Json::object().set("vocab", vocab).set("positions", positions));
    return kDone;
}

} // namespace

Command addLogits(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("logits",
        "Raw logits (f32) of the last position, or of all.\nExample: kaikou-cli logits builtin --ids 1,2,3 "
        "--all --out logits.npy");
    options->model.addTo(*app, console);
    app->add_option("--ids", options->ids, "Ids, comma separated")
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber)
        ->required();
    app->add_flag("--all", options->all, "All positions");
    app->add_option("--out", options->out, "Write a NumPy file [rows, vocab] instead of printing");
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
