#pragma once

#include "inference/chat/turn.h"
#include "inference/model/config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kaikou {

enum class StopMatch : std::uint8_t
{
    Anywhere,
    Suffix
};

// When generated text ends the answer. keep = the stop string stays in the answer and nothing is held back.
struct StopRule
{
    std::vector<std::string> strings; // bytes; none empty
    StopMatch match = StopMatch::Anywhere;
    bool keep = false;
    bool beforeMinTokens = false;
    bool automatic = true; // add the stops of the chosen form and family

    friend bool operator==(const StopRule&, const StopRule&) = default;
};

// What really ends an answer: the rule itself, with the stops of form and family added where it is automatic.
// The result has automatic = false. GPT_teacher checkpoints bring their own match, keep and beforeMinTokens
// when the user gave no strings (settled.md 12-13).
[[nodiscard]] StopRule effectiveStops(const StopRule& rule, ChatForm form, Family family);

} // namespace kaikou
