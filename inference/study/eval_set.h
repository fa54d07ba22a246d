#pragma once

#include "inference/base/result.h"
#include "inference/chat/turn.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaikou {

// One question of an evaluation set and what counts as a right answer.
struct EvalRow
{
    std::string id, kind;
    Turns turns; // the last turn is the user's
    std::vector<std::vector<std::string>> keywords; // of every group at least one must occur
    std::vector<std::string> forbidden; // none may occur
    std::optional<std::string> answer; // the exact text
    std::vector<std::pair<std::string, double>> split; // answer -> designed share
};

// A JSON-lines file: {"messages":[{role, content}…] or "prompt":"…", "keywords":[["a","b"],["c"]],
// "forbidden":[…], "answer":"…", "split":{"红色":0.5,…}, "id", "kind"}. Errors: FormatJson with line and
// pointer.
[[nodiscard]] Result<std::vector<EvalRow>> parseEvalSet(std::string_view text, const std::string& where);

// Whether a reply is acceptable: exact answer where one is given, keyword groups, nothing forbidden.
[[nodiscard]] bool acceptable(const EvalRow& row, std::string_view reply);

} // namespace kaikou
