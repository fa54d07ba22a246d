#include "app/cli/completion.h"
#include "app/cli/conversation_file.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"
#include "app/cli/reply_json.h"
#include "app/cli/request_options.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    RequestOptions request;
    std::string prompt, promptFile;
    std::vector<TokenId> ids;
    bool chat = false, noSpecial = false, raw = false;
    std::uint32_t topLogprobs = 0;
};

Result<Prompt> makePrompt(const Options& options)
{
    if (!options.ids.empty())
        return Prompt {options.ids};
    std::string text = options.prompt;
    if (!options.promptFile.empty()) {
        KAIKOU_TRY(text, readText(options.promptFile));
    }
    if (!options.chat)
        return Prompt {std::move(text)};
    Turns turns;
    turns.turns.push_back({Role::User, std::move(text)});
    return Prompt {std::move(turns)};
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(const Engine engine, startEngine(options.model, console));
    KAIKOU_CHECK(options.request.noteIgnored(engine, console));
    KAIKOU_TRY(Request request, options.request.make(engine));
    KAIKOU_TRY(request.prompt, makePrompt(options));
    request.encode = {!options.noSpecial, !options.noSpecial};
    request.stops.automatic = !options.raw;
    if (options.raw && request.sampling.semantics == Semantics::GptTeacher) {
        request.fit = Fit::KeepEnd;
        request.stops.match = StopMatch::Suffix; // its own way of stopping, for the stops given too
        request.stops.keep = request.stops.beforeMinTokens = true;
    }
    request.trace = options.topLogprobs > 0 ? TraceLevel::Full : TraceLevel::Stats;
    const Request asked = request;
    const auto show = [&console](std::string_view text) {
        if (!console.json)
            printText(text);
    };
    KAIKOU_TRY(const Completion completion, complete(*engine.service, std::move(request), show));
    noteUnknown(*completion.prompt, console);
    if (console.json)
        printJson(replyJson(*engine.service, asked, completion, options.topLogprobs));
    else
        printText("\n");
    return completion.interrupted ? kInterrupted : kDone;
}

} // namespace

Command addGenerate(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("generate",
        "Continue a prompt, token by token.\nExample: kaikou-cli generate builtin --chat --prompt 你好 "
        "--temperature 0.7 --seed 1");
    options->model.addTo(*app, console);
    CLI::Option_group* input = app->add_option_group("input", "What is continued");
    input->add_option("--prompt", options->prompt, "The text");
    input->add_option("--prompt-file", options->promptFile, "A file with the text");
    input->add_option("--ids", options->ids, "Ids, comma separated")
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber);
    input->require_option(1);
    app->add_flag("--chat", options->chat, "Wrap the prompt in the model's chat form");
    app->add_flag("--no-special", options->noSpecial, "No post-processor, special strings stay text");
    app->add_flag("--raw", options->raw,
        "Only the stops given with --stop, none of the form's or family's own; under gpt_teacher's semantics "
        "a text that is too long loses its beginning, as there");
    app->add_option(
        "--top-logprobs", options->topLogprobs, "With --json: this many alternatives of every token");
    options->request.addTo(*app);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
