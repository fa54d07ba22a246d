// consumer MODEL QUESTION: prints the model's answer.
#include "inference/chat/visible_answer.h"
#include "inference/generate/scheduler.h"
#include "inference/load/open_checkpoint.h"
#include "inference/sample/defaults.h"

#include <iostream>

int main(int argc, char** argv)
{
    const auto fail = [](const kaikou::Error& error) {
        std::cerr << error.message << " (" << error.where << ")\n";
        return 1;
    };
    if (argc != 3)
        return 2;
    auto checkpoint = kaikou::openCheckpoint(argv[1]);
    if (!checkpoint)
        return fail(checkpoint.error());
    const auto defaults = samplingDefaults(modelKind(*checkpoint), checkpoint->generation);
    auto loaded = kaikou::loadModel(std::move(*checkpoint), kaikou::cpuOnlyRegistry(), {});
    if (!loaded)
        return fail(loaded.error());
    kaikou::Scheduler service(std::move(*loaded)); // its thread runs the model
    const auto events = std::make_shared<kaikou::EventQueue>();
    const kaikou::Turns turns {.turns = {{kaikou::Role::User, argv[2]}}};
    const auto ticket = service.submit({.prompt = turns, .sampling = defaults.params}, events);
    if (!ticket)
        return fail(ticket.error());
    for (std::string bytes;;) {
        for (const kaikou::Event& event : events->waitAndTake(1000)) {
            if (const auto* token = std::get_if<kaikou::Token>(&event)) {
                bytes += token->bytes; // token->stats: its probabilities
            } else if (const auto* failed = std::get_if<kaikou::Failed>(&event)) {
                return fail(failed->error);
            } else if (const auto* end = std::get_if<kaikou::Finished>(&event)) {
                bytes.resize(end->answerBytes);
                std::cout << visibleAnswer(bytes, service.capabilities().family) << '\n';
                return 0;
            }
        }
    }
}
