#pragma once

#include "inference/chat/stops.h"
#include "inference/chat/turn.h"
#include "inference/model/ids.h"
#include "inference/sample/params.h"
#include "inference/tokenize/tokenizer.h"

#include <cstdint>
#include <vector>

namespace kaikou {

enum class Mode : std::uint8_t
{
    Generate,
    Score // draws nothing; ends with Eos when the last token is an end token, else with Length
};
enum class PositionMode : std::uint8_t
{
    Automatic,
    Correct,
    GptTeacher
}; // Automatic = the family's default
enum class TraceLevel : std::uint8_t
{
    Stats,
    Top,
    Full
};

// Who asks: caches are never shared across owners. id 0 is the window.
struct Owner
{
    std::uint64_t id = 0;
    bool external = false; // counts against the queue limit and may time out

    friend bool operator==(const Owner&, const Owner&) = default;
};

// One question to a model, as a value. Validated by submit, never changed by it.
struct Request
{
    Prompt prompt;
    std::vector<TokenId> said; // what the assistant has already produced; counts as generated everywhere
    Mode mode = Mode::Generate;
    std::uint32_t scoreFrom
        = UINT32_MAX; // Score: first row that gets a record; UINT32_MAX = the first `said` token
    SampleParams sampling;
    StopRule stops;
    PositionMode positions = PositionMode::Automatic;
    EncodeOptions encode; // raw text only
    Fit fit = Fit::DropTurns;
    bool ignoreEos = false;
    std::uint32_t maxTokens = 512; // new tokens, `said` not counted; 0 = what is left
    std::uint32_t choices = 1; // 1..50; choice c uses seed + c
    TraceLevel trace = TraceLevel::Stats;
    std::uint64_t recordLimitBytes = 256ULL << 20; // the store's limit: decides the record form (settled 5)
    std::uint32_t liveSiblings = 1; // other replies that share the limit (columns)
    std::uint64_t seed = 0;
    Owner owner;
};

} // namespace kaikou
