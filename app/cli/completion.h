#pragma once

#include "inference/base/json.h"
#include "inference/generate/service.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kaikou::cli {

// One finished choice of a request.
struct Reply
{
    std::vector<Token> tokens; // those of the answer and the ones that ended it (eos, stop)
    std::string text; // the visible answer
    Finished end;
};

struct Completion
{
    std::shared_ptr<const PromptInfo> prompt;
    std::uint32_t cachedTokens = 0;
    std::vector<Reply> replies; // by choice
    bool interrupted = false; // Ctrl+C; what came until then is kept
};

// Runs a request to its end on the calling thread's time. onText gets the visible answer of choice 0 as it
// becomes final. Ctrl+C cancels the request. Errors: those of submit, and a Failed ticket's.
[[nodiscard]] Result<Completion> complete(
    CompletionService& service, Request request, const std::function<void(std::string_view)>& onText = {});

} // namespace kaikou::cli
