#pragma once

#include "inference/model/config.h"

#include <string>
#include <string_view>

namespace kaikou {

// The text of a reply as it is shown, kept in the chat and put into later prompts: invalid UTF-8 as U+FFFD,
// and for GPT_teacher without leading white space and punctuation. `answer` = the released bytes of its
// tokens: stops have already been applied to them.
[[nodiscard]] std::string visibleAnswer(std::string_view answer, Family family);

// Where a GPT_teacher answer begins: behind leading white space and ，,。．、：:；;！!？?… (formats.md §3.2).
[[nodiscard]] std::size_t leadingTrim(std::string_view text, Family family);

} // namespace kaikou
