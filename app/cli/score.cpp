#include "app/cli/completion.h"
#include "app/cli/conversation_file.h"
#include "app/cli/model_argument.h"
#include "app/cli/npy.h"
#include "app/cli/print.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    std::string text, file, out;
    std::vector<TokenId> ids;
};

Result<Request> makeRequest(const Options& options)
{
    Request request;
    request.mode = Mode::Score;
    request.scoreFrom = 0;
    request.fit = Fit::Refuse;
    request.positions = PositionMode::Correct;
    request.encode = {true, true};
    request.trace = options.out.empty() ? TraceLevel::Stats : TraceLevel::Full;
    if (!options.ids.empty()) {
        request.prompt = options.ids;
    } else {
        std::string text = options.text;
        if (!options.file.empty()) {
            KAIKOU_TRY(text, readText(options.file));
        }
        request.prompt = std::move(text);
    }
    return request;
}

// Mean loss over the tokens that have a probability: the first of a text has none.
struct Loss
{
    double nats = 0.0;
    std::size_t tokens = 0;
    std::size_t bytes = 0;
};

Loss sumUp(const std::vector<Token>& tokens)
{
    Loss loss;
    for (const Token& token : tokens) {
        if (std::isnan(token.stats.pModel))
            continue;
        loss.nats -= std::log(token.stats.pModel);
        ++loss.tokens;
        loss.bytes += token.bytes.size();
    }
    return loss;
}

Json toJson(const std::vector<Token>& tokens, const Loss& loss)
{
    Json list = Json::array();
    for (const Token& token : tokens) {
        const bool known = !std::isnan(token.stats.pModel);
        list.push(Json::object()
                      .set("id", token.id)
                      .set("bytes", bytesJson(token.bytes))
                      .set("p_model", known ? Json(token.stats.pModel) : Json())
                      .set("rank", known ? Json(token.stats.rank) : Json())
                      .set("entropy", known ? Json(token.stats.entropy) : Json()));
    }
    const double mean = loss.tokens > 0 ? loss.nats / static_cast<double>(loss.tokens) : 0.0;
    const double bits = loss.bytes > 0 ? loss.nats / std::log(2.0) / static_cast<double>(loss.bytes) : 0.0;
    return Json::object()
        .set("tokens", list)
        .set("loss", loss.tokens > 0 ? Json(mean) : Json())
        .set("perplexity", loss.tokens > 0 ? Json(std::exp(mean)) : Json())
        .set("bits_per_byte", loss.bytes > 0 ? Json(bits) : Json());
}

Result<void> writeLogits(const std::string& file, const std::vector<Token>& tokens)
{
    std::vector<float> values;
    std::uint64_t rows = 0;
    for (const Token& token : tokens) {
        if (!token.record)
            continue;
        const std::vector<float> row = token.record->logits.widen();
        values.insert(values.end(), row.begin(), row.end());
        ++rows;
    }
    return writeNpy(file, values, rows, rows > 0 ? values.size() / rows : 0);
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(const Engine engine, startEngine(options.model, console));
    KAIKOU_TRY(Request request, makeRequest(options));
    KAIKOU_TRY(const Completion completion, complete(*engine.service, std::move(request)));
    const std::vector<Token>& tokens = completion.replies.front().tokens;
    if (!options.out.empty()) {
        KAIKOU_CHECK(writeLogits(options.out, tokens));
    }
    const Loss loss = sumUp(tokens);
    if (console.json) {
        printJson(toJson(tokens, loss));
        return kDone;
    }
    for (const Token& token : tokens)
        printText((std::isnan(token.stats.pModel) ? std::string("   –  ")
                                                  : std::to_string(token.stats.pModel).substr(0, 6))
            + "  " + visible(token.bytes) + "\n");
    if (loss.tokens == 0) {
        printText("nothing to score: the first token of a text has no probability\n");
        return completion.interrupted ? kInterrupted : kDone;
    }
    const double mean = loss.nats / static_cast<double>(loss.tokens);
    printText(
        "loss " + std::to_string(mean) + " nats/token, perplexity " + std::to_string(std::exp(mean)) + "\n");
    return completion.interrupted ? kInterrupted : kDone;
}

} // namespace

Command addScore(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand(
        "score", "How likely a given text is.\nExample: kaikou-cli score builtin --text 你好 --json");
    options->model.addTo(*app, console);
    CLI::Option_group* input = app->add_option_group("input", "What is scored");
    input->add_option("--text", options->text, "The text");
    input->add_option("--file", options->file, "A file with the text");
    input->add_option("--ids", options->ids, "Ids, comma separated")
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber);
    input->require_option(1);
    app->add_option("--out", options->out, "Write the logits as a NumPy file [rows, vocab]");
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
