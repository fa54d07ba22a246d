#include "app/cli/completion.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"
#include "app/cli/reply_json.h"
#include "app/cli/request_options.h"
#include "inference/study/consistency.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <memory>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    RequestOptions request;
    std::string prompt;
    std::uint32_t samples = 5;
    bool asGptTeacher = false;
};

constexpr const char* kLabels[] = {"high", "medium", "low"};

double logProbability(const Reply& reply)
{
    double sum = 0.0;
    for (const Token& token : reply.tokens)
        sum += std::log(token.stats.pModel);
    return sum;
}

Json clustersJson(const Consistency& verdict)
{
    Json list = Json::array();
    for (const AnswerCluster& cluster : verdict.clusters) {
        Json members = Json::array();
        for (const std::uint32_t member : cluster.members)
            members.push(member);
        list.push(Json::object()
                      .set("answer", cluster.text)
                      .set("count", cluster.members.size())
                      .set("members", members));
    }
    return list;
}

Json toJson(const Request& request, const Completion& completion, const Consistency& verdict)
{
    Json samples = Json::array();
    for (std::size_t i = 0; i < completion.replies.size(); ++i) {
        const Reply& reply = completion.replies[i];
        samples.push(Json::object()
                         .set("seed", request.seed + i)
                         .set("text", reply.text)
                         .set("finish_reason", finishName(reply.end.reason))
                         .set("log_prob", logProbability(reply)));
    }
    return Json::object()
        .set("samples", samples)
        .set("parameters", kaikou::cli::toJson(request.sampling))
        .set("clusters", clustersJson(verdict))
        .set("ratio", verdict.ratio)
        .set("label", kLabels[static_cast<std::size_t>(verdict.label)])
        .set("interval", Json::array().push(verdict.interval.low).push(verdict.interval.high));
}

void printVerdict(const Consistency& verdict)
{
    for (const AnswerCluster& cluster : verdict.clusters) {
        const std::string text = cluster.empty ? "(no answer)" : cluster.text;
        printText(std::to_string(cluster.members.size()) + " × " + text + "\n");
    }
    char line[128];
    std::snprintf(line, sizeof(line), "agreement %u of %u (%s), true share between %.0f %% and %.0f %%\n",
        verdict.mainCount, verdict.total, kLabels[static_cast<std::size_t>(verdict.label)],
        verdict.interval.low * 100, verdict.interval.high * 100);
    printText(line);
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(const Engine engine, startEngine(options.model, console, std::min(options.samples, 8U)));
    KAIKOU_CHECK(options.request.noteIgnored(engine, console));
    KAIKOU_TRY(Request request, options.request.make(engine));
    Turns turns;
    turns.turns.push_back({Role::User, options.prompt});
    request.prompt = std::move(turns);
    request.choices = options.samples;
    if (options.asGptTeacher) {
        request.sampling.temperature = 0.5F;
        request.sampling.topK = 50;
        request.sampling.topP = 0.9F;
    }
    if (request.sampling.greedy || request.sampling.temperature <= 0.0F)
        note(console,
            "note: at temperature 0 every answer is the same, which says nothing about being sure; give "
            "--temperature or --as-gpt-teacher");
    const Request asked = request;
    KAIKOU_TRY(const Completion completion, complete(*engine.service, std::move(request)));
    std::vector<std::string> answers;
    for (const Reply& reply : completion.replies) {
        if (reply.end.reason != FinishReason::Cancelled)
            answers.push_back(reply.text);
    }
    if (answers.empty())
        return kInterrupted;
    const Consistency verdict = judgeConsistency(answers);
    if (console.json)
        printJson(toJson(asked, completion, verdict));
    else
        printVerdict(verdict);
    return completion.interrupted ? kInterrupted : kDone;
}

} // namespace

Command addCheck(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("check",
        "Self-consistency: ask several times, group the answers.\nExample: kaikou-cli check builtin --prompt "
        "你好 --samples 5");
    options->model.addTo(*app, console);
    app->add_option("--prompt", options->prompt, "The question")->required();
    app->add_option("--samples", options->samples, "How many answers")->check(CLI::Range(3, 50));
    app->add_flag("--as-gpt-teacher", options->asGptTeacher, "Temperature 0.5, top-k 50, top-p 0.9");
    options->request.addTo(*app);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
