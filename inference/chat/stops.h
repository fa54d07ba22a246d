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

// What really ends an answer: the rule itself or, where it is automatic, its strings with the stops of form
// (用户:) and family (。 ；) added. A GPT_teacher checkpoint then matches all of them its own way: suffix,
// kept, before min tokens (settled.md 12-13). The result has automatic = false.
[[nodiscard]] StopRule effectiveStops(const StopRule& rule, ChatForm form, Family family);

} // namespace kaikou
