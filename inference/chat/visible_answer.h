#pragma once

#include "inference/chat/stops.h"
#include "inference/model/config.h"

#include <string>
#include <string_view>

namespace kaikou {

// The text of a finished reply as it is shown, kept in the chat and put into later prompts: cut at the stop
// string, invalid UTF-8 as U+FFFD, and for GPT_teacher without leading white space and punctuation.
// `generated` = the bytes of all its tokens; `stops` = what effectiveStops gave.
[[nodiscard]] std::string visibleAnswer(std::string_view generated, const StopRule& stops, Family family);

// Where a GPT_teacher answer begins: behind leading white space and ，,。．、：:；;！!？?… (formats.md §3.2).
[[nodiscard]] std::size_t leadingTrim(std::string_view text, Family family);

} // namespace kaikou
