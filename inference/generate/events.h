#pragma once

#include "inference/base/result.h"
#include "inference/chat/turn.h"
#include "inference/sample/step_record.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace kaikou {

enum class Ticket : std::uint64_t
{
}; // never reused within a process

enum class FinishReason : std::uint8_t
{
    Eos,
    Stop,
    Length,
    Context,
    Cancelled,
    Error
};

struct Metrics
{
    std::uint32_t promptTokens = 0, cachedTokens = 0, newTokens = 0;
    double ttftMs = 0.0; // submit to first token
    double prefillMs = 0.0; // first step to first token
    double tpotMs = 0.0; // mean time per token after the first
    double tokensPerSecond = 0.0; // after the first token
};

// The prompt was accepted and its first row is about to be computed. Once per ticket.
struct Started
{
    Ticket ticket {};
    std::uint32_t promptTokens = 0, cachedTokens = 0;
    std::shared_ptr<const PromptInfo> prompt;
};

// One more token of a choice. Answer bytes [0, releasedTo) are final and may be shown;
// the rest is held back for a stop string or an incomplete character. The answer begins with `said`, which is
// not sent again. A scored text without any prompt begins with a token that has no probability: its pModel,
// pShaped, pSample, entropy and margin are NaN, its rank is 0 and it has no record.
struct Token
{
    Ticket ticket {};
    std::uint32_t choice = 0;
    TokenId id = 0;
    std::string bytes; // raw; may end inside a character; empty for special tokens
    std::uint64_t byteBegin = 0; // offset of `bytes` in the answer
    std::uint64_t releasedTo = 0;
    TokenStats stats;
    std::shared_ptr<const StepRecord> record; // by trace level; null at Stats
};

// The end of one choice; the ticket ends with the one that has openChoices == 0.
struct Finished
{
    Ticket ticket {};
    std::uint32_t choice = 0;
    FinishReason reason = FinishReason::Eos;
    std::string stopString; // which one, for FinishReason::Stop
    std::uint64_t answerBytes = 0; // final length of the answer
    std::uint32_t tokens = 0; // how many tokens belong to the answer, `said` included and the end token not;
                              // a stop may take some back
    Metrics metrics;
    std::uint32_t openChoices = 0;
};

// The end of a ticket that could not go on; text so far stays valid.
struct Failed
{
    Ticket ticket {};
    Error error;
};

using Event = std::variant<Started, Token, Finished, Failed>;

[[nodiscard]] inline Ticket ticketOf(const Event& event)
{
    return std::visit([](const auto& e) { return e.ticket; }, event);
}

} // namespace kaikou
