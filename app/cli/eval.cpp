#include "app/cli/completion.h"
#include "app/cli/conversation_file.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"
#include "app/cli/request_options.h"
#include "inference/history/confidence.h"
#include "inference/study/calibration.h"
#include "inference/study/eval_set.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>

namespace kaikou::cli {

namespace {

constexpr std::uint32_t kBins = 10;

struct Options
{
    ModelOptions model;
    RequestOptions request;
    std::vector<std::string> sets;
    double below = 1.0;
    std::uint32_t earlier = 0;
    std::string earlierFrom;
};

struct Outcome
{
    const EvalRow* row = nullptr;
    std::string reply;
    Judged judged;
    double splitGap = 0.0; // largest |P(answer) - designed share|; rows with a split only
};

// The probability of the whole answer: the one number that says how often such an answer should be right. (A
// mean over its tokens grows with the easy tokens around the one that matters.)
double confidenceOf(const Reply& reply)
{
    std::vector<AnswerToken> tokens;
    for (const Token& token : reply.tokens)
        tokens.push_back({token.stats, !token.bytes.empty() && token.byteBegin < reply.end.answerBytes});
    const auto confidence = answerConfidence(tokens);
    return confidence ? confidence->joint : 0.0;
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

// FNV-1a: the same on every machine, so that a row always gets the same earlier turns.
std::uint64_t fingerprint(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}

Result<Outcome> ask(
    const Engine& engine, const Options& options, const EvalRow& row, std::span<const EvalRow> pool)
{
    KAIKOU_TRY(Request request, options.request.make(engine));
    const std::uint64_t draw = fingerprint(row.turns.turns.back().text);
    request.prompt = afterEarlierTurns(row, pool, options.earlier, draw);
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

// The rows of all files one after the other.
Result<std::vector<EvalRow>> readSets(const std::vector<std::string>& files)
{
    std::vector<EvalRow> rows;
    for (const std::string& file : files) {
        KAIKOU_TRY(const std::string text, readText(file));
        KAIKOU_TRY(const std::vector<EvalRow> more, parseEvalSet(text, file));
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

struct Summary
{
    std::size_t correct = 0;
    double accuracy = 0.0, gap = 0.0;
    Calibration calibration; // of the rows less sure than the limit
    std::size_t calibrated = 0;
    ReplyShape shape;
};

Summary summarise(std::span<const Outcome> outcomes, double below)
{
    Summary sum;
    std::vector<Judged> judged;
    std::vector<std::string> replies;
    for (const Outcome& outcome : outcomes) {
        sum.correct += outcome.judged.correct ? 1 : 0;
        sum.gap = std::max(sum.gap, outcome.splitGap);
        replies.push_back(outcome.reply);
        if (below >= 1.0 || outcome.judged.confidence < below)
            judged.push_back(outcome.judged);
    }
    if (!outcomes.empty())
        sum.accuracy = static_cast<double>(sum.correct) / static_cast<double>(outcomes.size());
    sum.calibration = calibrate(judged, kBins);
    sum.calibrated = judged.size();
    sum.shape = shapeOf(replies);
    return sum;
}

void print(const Summary& sum, std::span<const Outcome> outcomes, const Console& console)
{
    if (console.json) {
        Json list = Json::array();
        for (const Outcome& outcome : outcomes)
            list.push(rowJson(outcome));
        printJson(Json::object()
                      .set("n", outcomes.size())
                      .set("accuracy", sum.accuracy)
                      .set("ece", sum.calibration.ece)
                      .set("brier", sum.calibration.brier)
                      .set("calibrated", sum.calibrated)
                      .set("largest_split_gap", sum.gap)
                      .set("distinct", sum.shape.distinct)
                      .set("complete", sum.shape.complete)
                      .set("looped", sum.shape.looped)
                      .set("rows", list));
        return;
    }
    char line[256];
    std::snprintf(line, sizeof(line),
        "%zu of %zu right (%.1f %%), ECE %.3f and Brier %.3f over %zu, %zu distinct, %zu complete, %zu "
        "looped",
        sum.correct, outcomes.size(), sum.accuracy * 100, sum.calibration.ece, sum.calibration.brier,
        sum.calibrated, sum.shape.distinct, sum.shape.complete, sum.shape.looped);
    printText(std::string(line)
        + (sum.gap > 0 ? ", largest gap to a designed share " + std::to_string(sum.gap).substr(0, 5) : "")
        + "\n");
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(const std::vector<EvalRow> rows, readSets(options.sets));
    std::vector<EvalRow> pool;
    if (!options.earlierFrom.empty()) {
        KAIKOU_TRY(pool, readSets({options.earlierFrom}));
    }
    KAIKOU_TRY(const Engine engine, startEngine(options.model, console));
    KAIKOU_CHECK(options.request.noteIgnored(engine, console));
    std::vector<Outcome> outcomes;
    bool interrupted = false;
    for (const EvalRow& row : rows) {
        Result<Outcome> outcome = ask(engine, options, row, pool);
        interrupted = !outcome && outcome.error().code == ErrorCode::Cancelled;
        if (interrupted)
            break; // what is there is summed up
        if (!outcome)
            return outcome.error();
        outcomes.push_back(std::move(*outcome));
        if (!console.json && !outcomes.back().judged.correct)
            printText("✗ " + row.turns.turns.back().text + " → " + outcomes.back().reply + "\n");
        progressLine(
            console, "asking", static_cast<double>(outcomes.size()) / static_cast<double>(rows.size()));
    }
    endProgress(console);
    print(summarise(outcomes, options.below), outcomes, console);
    return interrupted ? kInterrupted : kDone;
}

} // namespace

Command addEval(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("eval",
        "Accuracy and calibration on a question set.\nExample: kaikou-cli eval builtin --set "
        "resources/model/eval/arithmetic.jsonl --greedy");
    options->model.addTo(*app, console);
    app->add_option("--set", options->sets,
           "JSON lines: {messages or prompt, keywords, forbidden, answer, split}; several are one set")
        ->required();
    app->add_option("--below", options->below, "calibration only over answers less probable than this")
        ->check(CLI::Range(0.0, 1.0));
    CLI::Option* earlier = app->add_option("--earlier", options->earlier,
        "put this many answered questions before each row, drawn by the row's text");
    app->add_option(
           "--earlier-from", options->earlierFrom, "the set they are drawn from: rows with a reference")
        ->needs(earlier);
    earlier->needs("--earlier-from");
    options->request.addTo(*app);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
