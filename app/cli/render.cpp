#include "app/cli/conversation_file.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    std::string messages, form = "auto";
};

Result<ChatForm> formByName(const std::string& name)
{
    if (name == "auto")
        return ChatForm::Automatic;
    if (name == "user-assistant")
        return ChatForm::UserAssistant;
    if (name == "continuation")
        return ChatForm::Continuation;
    return Error {ErrorCode::ParameterRange, "unknown form " + name + " (auto, user-assistant, continuation)",
        "--form"};
}

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(Turns turns, readMessages(options.messages));
    KAIKOU_TRY(turns.form, formByName(options.form));
    KAIKOU_TRY(const Engine engine, startEngine(options.model, console));
    Request request;
    request.prompt = std::move(turns);
    KAIKOU_TRY(const PromptInfo prompt, engine.service->text()->preview(request));
    if (!console.json) {
        printText(prompt.text + "\n");
        return kDone;
    }
    Json ids = Json::array();
    for (const TokenId id : prompt.ids)
        ids.push(id);
    const char* form = prompt.form == ChatForm::UserAssistant ? "user-assistant" : "continuation";
    printJson(Json::object()
                  .set("prompt", prompt.text)
                  .set("ids", ids)
                  .set("form", form)
                  .set("reason", prompt.reason)
                  .set("dropped_turns", prompt.droppedTurns));
    return kDone;
}

} // namespace

Command addRender(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("render",
        "The exact prompt of a conversation.\nExample: kaikou-cli render builtin --messages chat.json "
        "--json\n"
        "chat.json: [{\"role\":\"user\",\"content\":\"你好\"}]");
    options->model.addTo(*app, console);
    app->add_option("--messages", options->messages, "JSON file: a list of {role, content}")->required();
    app->add_option("--form", options->form, "auto, user-assistant (用户:/助手:) or continuation");
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
