#include "app/cli/completion.h"
#include "app/cli/conversation_file.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"
#include "app/cli/request_options.h"
#include "inference/history/confidence.h"
#include "inference/study/calibration.h"
#include "inference/study/eval_set.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <memory>

namespace kaikou::cli {

namespace {

constexpr std::uint32_t kBins = 10;

struct Options
{
    ModelOptions model;
    RequestOptions request;
    std::string set;
};

struct Outcome
{
    const EvalRow* row = nullptr;
    std::string reply;
    Judged judged;
    double splitGap = 0.0; // largest |P(answer) - designed share|; rows with a split only
};

// The geometric mean of P_model: what calibration compares with being right.
double confidenceOf(const Reply& reply)
{
    std::vector<AnswerToken> tokens;
    for (const Token& token : reply.tokens)
        tokens.push_back({token.stats, !token.bytes.empty() && token.byteBegin < reply.end.answerBytes});
    const auto confidence = answerConfidence(tokens);
    return confidence ? confidence->geometricMean : 0.0;
}

// P(the reply begins with `answer`) under the model itself, teacher forced.
Result<double> probabilityOf(const Engine& engine, const EvalRow& row, const std::string& answer)
{
    const auto text = engine.service->text();
    Request plain;
    plain.prompt = answer;
    KAIKOU_TRY(const PromptInfo ids, text->preview(plain));
    Request request;
    request.mode = Mode::Score;
    request.prompt = row.turns;
    request.said = ids.ids;
    KAIKOU_TRY(const Completion completion, complete(*engine.service, std::move(request)));
    double logSum = 0.0;
    for (const Token& token : completion.replies.front().tokens)
        logSum += std::log(token.stats.pModel);
    return std::exp(logSum);
}

Result<double> splitGap(const Engine& engine, const EvalRow& row)
{
    double gap = 0.0;
    for (const auto& [answer, share] : row.split) {
        KAIKOU_TRY(const double p, probabilityOf(engine, row, answer));
        gap = std::max(gap, std::abs(p - share));
    }
    return gap;
}

Result<Outcome> ask(const Engine& engine, const RequestOptions& options, const EvalRow& row)
{
    KAIKOU_TRY(Request request, options.make(engine));
    request.prompt = row.turns;
    KAIKOU_TRY(const Completion completion, complete(*engine.service, std::move(request)));
    if (completion.interrupted)
        return Error {ErrorCode::Cancelled, "stopped", row.id};
    Outcome outcome;
    outcome.row = &row;
    outcome.reply = completion.replies.front().text;
    outcome.judged = {confidenceOf(completion.replies.front()), acceptable(row, outcome.reply)};
    KAIKOU_TRY(outcome.splitGap, splitGap(engine, row));
    return outcome;
}

Json rowJson(const Outcome& outcome)
{
    Json json = Json::object()
                    .set("id", outcome.row->id)
                    .set("kind", outcome.row->kind)
                    .set("prompt", outcome.row->turns.turns.back().text)
                    .set("reply", outcome.reply)
                    .set("correct", outcome.judged.correct)
                    .set("confidence", outcome.judged.confidence);
    if (!outcome.row->split.empty())
        json.set("split_gap", outcome.splitGap);
    return json;
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(const std::string text, readText(options.set));
    KAIKOU_TRY(const std::vector<EvalRow> rows, parseEvalSet(text, options.set));
    KAIKOU_TRY(const Engine engine, startEngine(options.model, console));
    std::vector<Judged> judged;
    Json list = Json::array();
    std::size_t correct = 0;
    double gap = 0.0;
    for (const EvalRow& row : rows) {
        KAIKOU_TRY(const Outcome outcome, ask(engine, options.request, row));
        judged.push_back(outcome.judged);
        correct += outcome.judged.correct ? 1 : 0;
        gap = std::max(gap, outcome.splitGap);
        list.push(rowJson(outcome));
        if (!console.json && !outcome.judged.correct)
            printText("✗ " + row.turns.turns.back().text + " → " + outcome.reply + "\n");
        progressLine(
            console, "asking", static_cast<double>(judged.size()) / static_cast<double>(rows.size()));
    }
    endProgress(console);
    const Calibration calibration = calibrate(judged, kBins);
    const double accuracy
        = rows.empty() ? 0.0 : static_cast<double>(correct) / static_cast<double>(rows.size());
    if (console.json) {
        printJson(Json::object()
                      .set("n", rows.size())
                      .set("accuracy", accuracy)
                      .set("ece", calibration.ece)
                      .set("brier", calibration.brier)
                      .set("largest_split_gap", gap)
                      .set("rows", list));
        return kDone;
    }
    char line[128];
    std::snprintf(line, sizeof(line), "%zu of %zu right (%.1f %%), ECE %.3f, Brier %.3f", correct,
        rows.size(), accuracy * 100, calibration.ece, calibration.brier);
    printText(std::string(line)
        + (gap > 0 ? ", largest gap to a designed share " + std::to_string(gap).substr(0, 5) : "") + "\n");
    return kDone;
}

} // namespace

Command addEval(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("eval",
        "Accuracy and calibration on a question set.\nExample: kaikou-cli eval builtin --set "
        "resources/model/eval/arithmetic.jsonl --greedy");
    options->model.addTo(*app, console);
    app->add_option(
           "--set", options->set, "JSON lines: {messages or prompt, keywords, forbidden, answer, split}")
        ->required();
    options->request.addTo(*app);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
