#include "app/cli/command.h"
#include "app/cli/print.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using namespace kaikou;
using namespace kaikou::cli;

// --max_new_tokens is --max-new-tokens, as users of other tools write it.
std::vector<std::string> argumentsReversed(int argc, char** argv)
{
    std::vector<std::string> arguments(argv + 1, argv + argc);
    for (std::string& argument : arguments) {
        if (argument.starts_with("--"))
            std::replace(argument.begin(),
                argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size())),
                '_', '-');
    }
    std::reverse(arguments.begin(), arguments.end());
    return arguments;
}

std::vector<Command> addCommands(CLI::App& root, Console& console)
{
    return {addInspect(root, console), addTokenize(root, console), addDetokenize(root, console),
        addRender(root, console), addLogits(root, console), addScore(root, console),
        addDistribution(root, console), addGenerate(root, console), addChat(root, console),
        addCheck(root, console), addCompare(root, console), addEval(root, console), addBench(root, console),
        addDevices(root, console)};
}

int runChosen(const std::vector<Command>& commands, const Console& console)
{
    const auto chosen
        = std::find_if(commands.begin(), commands.end(), [](const Command& c) { return c.app->parsed(); });
    try {
        const Result<int> code = chosen->run();
        if (!code && code.error().code == ErrorCode::Cancelled)
            return kInterrupted;
        if (!code)
            return printError(code.error(), console);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return printError({ErrorCode::FileWrite, "the output could not be written", "stdout"}, console);
        return *code;
    } catch (const std::bad_alloc&) {
        return printError({ErrorCode::OutOfMemory, "not enough memory", chosen->app->get_name()}, console);
    } catch (const std::exception& fault) {
        return printError({ErrorCode::Internal, fault.what(), chosen->app->get_name()}, console);
    }
}

} // namespace

int main(int argc, char** argv) // NOLINT(bugprone-exception-escape): no memory at the start ends the program
{
    CLI::App root("Kaikou 开口: a local language model in the terminal, with the probability of every token.",
        "kaikou-cli");
    root.require_subcommand(1);
    root.set_version_flag("--version", KAIKOU_VERSION);
    Console console;
    const std::vector<Command> commands = addCommands(root, console);
    try {
        root.parse(argumentsReversed(argc, argv));
    } catch (const CLI::ParseError& fault) {
        return root.exit(fault) == 0 ? kDone : kUsage;
    }
    return runChosen(commands, console);
}
