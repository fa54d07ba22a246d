#pragma once

#include "inference/generate/job.h"
#include "inference/generate/service.h"

#include <memory>

namespace kaikou {

// What a request is checked against and completed with. Borrowed for the call.
struct SubmitContext
{
    const ModelInfo& model;
    const Tokenizer& tokenizer;
    const TextModel& text;
};

// A request as the engine runs it: prompt rendered, limits resolved, masks and stops completed. The ticket is
// the caller's to give. Any thread. Errors: ParameterRange, PromptTooLong, PromptEmpty, TokenIdRange and
// what the prompt builder says.
[[nodiscard]] Result<std::shared_ptr<Job>> prepareJob(
    const Request& request, std::shared_ptr<EventQueue> events, const SubmitContext& context);

} // namespace kaikou
