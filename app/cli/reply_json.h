#pragma once

#include "app/cli/completion.h"

namespace kaikou::cli {

// The object `generate --json` prints: prompt ids, every token with its probabilities, text, confidence,
// metrics, parameters. top = alternatives per token, taken from the step's logits; needs TraceLevel::Full.
[[nodiscard]] Json replyJson(const CompletionService& service, const Request& request,
    const Completion& completion, std::uint32_t top);

[[nodiscard]] std::string_view finishName(
    FinishReason reason); // "eos", "stop", "length", "context", "cancelled", "error"

} // namespace kaikou::cli
