#include "app/cli/completion.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"
#include "app/cli/reply_json.h"
#include "app/cli/request_options.h"
#include "inference/chat/reply_guard.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    RequestOptions request;
};

constexpr std::string_view kHelp
    = "/new          forget the conversation\n"
      "/seed N       use this seed for the next answers (/seed off: a new one each time)\n"
      "/temp T       temperature; 0 = always the most likely token\n"
      "/top_p P      keep the most likely tokens up to this mass\n"
      "/top_k K      keep the K most likely; 0 = off\n"
      "/probs        show the probability of every token of the last answer\n"
      "/prompt       show the exact prompt of the last answer\n"
      "/help         this list\n"
      "/quit         leave (also Ctrl+D); Ctrl+C stops an answer\n";

// One conversation at a terminal.
class Session
{
public:
    Session(Engine engine, RequestOptions options, const Console& console)
        : m_engine(std::move(engine))
        , m_options(std::move(options))
        , m_output(console)
    {
    }

    Result<int> run()
    {
        const Capabilities model = m_engine.service->capabilities();
        note(m_output, model.model + " · " + model.backend + " · /help lists the commands");
        std::string line;
        while (ask(line)) {
            if (line.empty())
                continue;
            if (line == "/quit")
                break;
            const Result<void> done = line.front() == '/' ? command(line) : answer(line);
            if (!done)
                printError(done.error(), m_output);
        }
        return kDone;
    }

private:
    bool ask(std::string& line)
    {
        clearInterrupt();
        if (!m_output.quiet)
            printText("> ");
        return static_cast<bool>(std::getline(std::cin, line)) && !interrupted();
    }

    Result<void> answer(const std::string& question)
    {
        KAIKOU_TRY(Request request, m_options.make(m_engine));
        Turns turns {m_turns, {}, ChatForm::Automatic, {}};
        turns.turns.push_back({Role::User, question});
        request.prompt = std::move(turns);
        const auto show = [](std::string_view text) { printText(text); };
        KAIKOU_TRY(m_last, complete(*m_engine.service, std::move(request), show));
        printText("\n");
        const Reply& reply = m_last.replies.front();
        if (m_last.prompt && m_last.prompt->droppedTurns > 0)
            note(m_output,
                "(the oldest " + std::to_string(m_last.prompt->droppedTurns)
                    + " turns no longer fit the context)");
        if (isEmptyReply(reply.text)) {
            note(m_output, "(the model ended without an answer; the question stays out of the conversation)");
            return {};
        }
        m_turns.push_back({Role::User, question});
        m_turns.push_back({Role::Assistant, reply.text});
        const Metrics& metrics = reply.end.metrics;
        char text[128];
        std::snprintf(text, sizeof(text), "(%u tokens, %.0f tokens/s, first after %.0f ms, %.*s)",
            metrics.newTokens, metrics.tokensPerSecond, metrics.ttftMs,
            static_cast<int>(finishName(reply.end.reason).size()), finishName(reply.end.reason).data());
        note(m_output, text);
        return {};
    }

    Result<void> command(const std::string& line)
    {
        const std::size_t space = line.find(' ');
        const std::string name = line.substr(0, space);
        const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
        if (name == "/help") {
            printText(kHelp);
        } else if (name == "/new") {
            m_turns.clear();
            note(m_output, "(a new conversation)");
        } else if (name == "/probs") {
            showProbabilities();
        } else if (name == "/prompt") {
            printText((m_last.prompt ? m_last.prompt->text : std::string("(nothing was asked yet)")) + "\n");
        } else {
            return set(name, value);
        }
        return {};
    }

    void showProbabilities() const
    {
        if (m_last.replies.empty())
            return;
        for (const Token& token : m_last.replies.front().tokens) {
            char number[16];
            std::snprintf(number, sizeof(number), "%6.2f %%  ", token.stats.pModel * 100.0);
            printText(number + visible(m_engine.service->text()->piece(token.id)) + "\n");
        }
    }

    Result<void> set(const std::string& name, const std::string& value)
    {
        SamplingOptions sampling = m_options.sampling;
        try {
            if (name == "/seed")
                sampling.seed
                    = value == "off" ? std::nullopt : std::optional<std::uint64_t>(std::stoull(value));
            else if (name == "/temp")
                sampling.temperature = std::stof(value);
            else if (name == "/top_p")
                sampling.topP = std::stof(value);
            else if (name == "/top_k")
                sampling.topK = std::stoi(value);
            else
                return Error {ErrorCode::ParameterRange, "unknown command, /help lists them", name};
        } catch (const std::exception&) {
            return Error {ErrorCode::ParameterRange, "not a number: " + value, name};
        }
        if (const auto allowed = sampling.over({}); !allowed)
            return allowed.error();
        m_options.sampling = sampling;
        return {};
    }

    Engine m_engine;
    RequestOptions m_options;
    const Console& m_output;
    std::vector<Turn> m_turns;
    Completion m_last;
};

Result<int> run(const Options& options, const Console& console)
{
    KAIKOU_TRY(Engine engine, startEngine(options.model, console));
    KAIKOU_CHECK(options.request.noteIgnored(engine, console));
    return Session(std::move(engine), options.request, console).run();
}

} // namespace

Command addChat(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand(
        "chat", "Talk in the terminal; /help lists the commands.\nExample: kaikou-cli chat builtin");
    options->model.addTo(*app, console);
    options->request.addTo(*app);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
