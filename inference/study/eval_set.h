#pragma once

#include "inference/base/result.h"
#include "inference/chat/turn.h"

#include <cstdint>
#include <optional>
#include <span>
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
    std::string reference; // a good answer, for rows used as earlier turns; may be empty
};

// A JSON-lines file: {"messages":[{role, content}…] or "prompt":"…", "keywords":[["a","b"],["c"]],
// "forbidden":[…], "answer":"…", "split":{"红色":0.5,…}, "id", "kind"}. Errors: FormatJson with line and
// pointer.
[[nodiscard]] Result<std::vector<EvalRow>> parseEvalSet(std::string_view text, const std::string& where);

// Whether a reply is acceptable: exact answer where one is given, keyword groups, nothing forbidden.
[[nodiscard]] bool acceptable(const EvalRow& row, std::string_view reply);

// The row's turns behind `count` questions with their reference answers, drawn from `pool` by `seed`; pool
// rows without a reference or with more than one turn are not drawn. count 0 or nothing to draw: unchanged.
[[nodiscard]] Turns afterEarlierTurns(
    const EvalRow& row, std::span<const EvalRow> pool, std::uint32_t count, std::uint64_t seed);

// How replies to one set look as texts.
struct ReplyShape
{
    std::size_t distinct = 0; // different texts
    std::size_t complete = 0; // end with 。！？…” or their ASCII forms
    std::size_t looped = 0; // hold a phrase of >= 4 characters three times in a row
};

[[nodiscard]] ReplyShape shapeOf(std::span<const std::string> replies);

} // namespace kaikou
