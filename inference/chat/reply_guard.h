#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

// A reply that says nothing: empty without white space, or only one of 。 ， . , (the rule of GPT_teacher's
// demo). It is shown as a fallback sentence and stays out of later prompts.
[[nodiscard]] bool isEmptyReply(std::string_view text);

// The sentences offered until the user edits them: two languages, plainly the program's words.
[[nodiscard]] std::vector<std::string> defaultFallbackSentences();

// One of the sentences, the same for the same seed; empty if there is none.
[[nodiscard]] std::string fallbackSentence(std::span<const std::string> sentences, std::uint64_t seed);

} // namespace kaikou
