#include "app/cli/completion.h"
#include "app/cli/conversation_file.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"
#include "app/cli/request_options.h"
#include "inference/history/confidence.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <memory>
#include <sstream>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    RequestOptions request;
    std::vector<std::string> models;
    std::string prompts, out, baseline;
};

// One answer of one model.
struct Row
{
    std::string model, prompt, text;
    std::uint32_t tokens = 0;
    double mean = 0.0, geometric = 0.0, ttftMs = 0.0, tokensPerSecond = 0.0;
};

Row makeRow(const std::string& model, const std::string& prompt, const Reply& reply)
{
    std::vector<AnswerToken> tokens;
    for (const Token& token : reply.tokens)
        tokens.push_back({token.stats, !token.bytes.empty() && token.byteBegin < reply.end.answerBytes});
    const Confidence confidence = answerConfidence(tokens).value_or(Confidence {});
    const Metrics& metrics = reply.end.metrics;
    return {model, prompt, reply.text, metrics.newTokens, confidence.mean, confidence.geometricMean,
        metrics.ttftMs, metrics.tokensPerSecond};
}

Result<void> askAll(const std::string& path, const Options& options, const std::vector<std::string>& prompts,
    const Console& console, std::vector<Row>& rows)
{
    ModelOptions model = options.model;
    model.model = path;
    KAIKOU_TRY(const Engine engine, startEngine(model, console));
    KAIKOU_CHECK(options.request.noteIgnored(engine, console));
    for (const std::string& prompt : prompts) {
        KAIKOU_TRY(Request request, options.request.make(engine));
        Turns turns;
        turns.turns.push_back({Role::User, prompt});
        request.prompt = std::move(turns);
        KAIKOU_TRY(const Completion completion, complete(*engine.service, std::move(request)));
        if (completion.interrupted)
            return Error {ErrorCode::Cancelled, "stopped", path};
        rows.push_back(makeRow(path, prompt, completion.replies.front()));
    }
    return {};
}

Json toJson(const std::vector<Row>& rows)
{
    Json list = Json::array();
    for (const Row& row : rows)
        list.push(Json::object()
                      .set("model", row.model)
                      .set("prompt", row.prompt)
                      .set("text", row.text)
                      .set("tokens", row.tokens)
                      .set("p_mean", row.mean)
                      .set("p_geo", row.geometric)
                      .set("ttft_ms", row.ttftMs)
                      .set("tokens_per_second", row.tokensPerSecond));
    return Json::object().set("rows", list);
}

Result<std::vector<Row>> readBaseline(const std::string& path)
{
    KAIKOU_TRY(const std::string text, readText(path));
    KAIKOU_TRY(const JsonDocument document, JsonDocument::parse(text, path));
    KAIKOU_TRY(const JsonValue list, document.root().member("rows"));
    std::vector<Row> rows;
    for (const JsonValue item : list.children()) {
        Row row;
        KAIKOU_TRY(const std::string_view prompt, item["prompt"].string());
        KAIKOU_TRY(const std::string_view answer, item["text"].string());
        KAIKOU_TRY(row.mean, item["p_mean"].number());
        KAIKOU_TRY(row.geometric, item["p_geo"].number());
        row.model = "earlier";
        row.prompt = prompt;
        row.text = answer;
        rows.push_back(std::move(row));
    }
    return rows;
}

// RFC 4180: quotes doubled, every text field quoted.
std::string csvField(const std::string& text)
{
    std::string field = "\"";
    for (const char c : text)
        field += c == '"' ? "\"\"" : std::string(1, c);
    return field + "\"";
}

std::string markdownCell(const std::string& text)
{
    std::string cell;
    for (const char c : text)
        cell += c == '|' ? "\\|" : c == '\n' ? "<br>" : std::string(1, c);
    return cell;
}

std::string asText(const std::vector<Row>& rows, bool csv)
{
    std::ostringstream out;
    out.precision(4);
    out << (csv ? "model,prompt,text,tokens,p_mean,p_geo,ttft_ms,tokens_per_second\n"
                : "| prompt | model | answer | tokens | mean | geometric | tok/s "
                  "|\n|---|---|---|---|---|---|---|\n");
    for (const Row& row : rows) {
        if (csv)
            out << csvField(row.model) << ',' << csvField(row.prompt) << ',' << csvField(row.text) << ','
                << row.tokens << ',' << row.mean << ',' << row.geometric << ',' << row.ttftMs << ','
                << row.tokensPerSecond << '\n';
        else
            out << "| " << markdownCell(row.prompt) << " | " << markdownCell(row.model) << " | "
                << markdownCell(row.text) << " | " << row.tokens << " | " << row.mean << " | "
                << row.geometric << " | " << row.tokensPerSecond << " |\n";
    }
    return out.str();
}

Result<void> write(const std::string& file, const std::string& text)
{
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.flush();
    if (!out)
        return Error {ErrorCode::FileWrite, "cannot write the file", file};
    return {};
}

Result<int> run(const Options& options, const Console& console)
{
    if (options.models.size() < 2 && options.baseline.empty())
        return Error {
            ErrorCode::ParameterRange, "one model alone needs a --baseline to compare with", "--models"};
    KAIKOU_TRY(const std::string text, readText(options.prompts));
    std::vector<std::string> prompts;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.front() != '#')
            prompts.push_back(line);
    }
    std::vector<Row> rows;
    if (!options.baseline.empty()) {
        KAIKOU_TRY(rows, readBaseline(options.baseline));
    }
    bool interrupted = false;
    for (const std::string& model : options.models) {
        const Result<void> asked = askAll(model, options, prompts, console, rows);
        interrupted = !asked && asked.error().code == ErrorCode::Cancelled;
        if (interrupted)
            break; // what is there is printed
        if (!asked)
            return asked.error();
    }
    const auto place
        = [&prompts](const Row& row) { return std::find(prompts.begin(), prompts.end(), row.prompt); };
    std::stable_sort(
        rows.begin(), rows.end(), [&place](const Row& a, const Row& b) { return place(a) < place(b); });
    const bool json = console.json || options.out.ends_with(".json");
    const std::string result
        = json ? toJson(rows).dump() + "\n" : asText(rows, options.out.ends_with(".csv"));
    if (options.out.empty())
        printText(result);
    else
        KAIKOU_CHECK(write(options.out, result));
    return interrupted ? kInterrupted : kDone;
}

} // namespace

Command addCompare(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("compare",
        "Ask several models the same questions.\nExample: kaikou-cli compare --models a.pt b.pt --prompts "
        "questions.txt --out table.md");
    options->model.addTo(*app, console, false);
    app->add_option("--models", options->models, "Two models or more, or one with --baseline")->required();
    app->add_option("--prompts", options->prompts, "One question per line; # starts a comment")->required();
    app->add_option("--out", options->out, "Write .md, .csv or .json instead of printing");
    app->add_option("--baseline", options->baseline, "An earlier .json of this command to compare with");
    options->request.addTo(*app);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
