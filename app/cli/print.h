#pragma once

#include "app/cli/command.h"
#include "inference/base/json.h"
#include "inference/base/utf8.h"
#include "inference/chat/turn.h"

#include <string>
#include <string_view>

namespace kaikou::cli {

// `error: what — where — what to do` on stderr, with --json an object too. Gives kFailed.
int printError(const Error& error, const Console& console);

// One line of English: what a user can do about it.
[[nodiscard]] std::string_view advice(ErrorCode code);

// A note on stderr unless --quiet.
void note(const Console& console, const std::string& text);

// Names the characters of a prompt that the model's tokenizer does not know, if any.
void noteUnknown(const PromptInfo& prompt, const Console& console);

void printJson(const Json& object); // on stdout, one line
void printText(std::string_view text); // on stdout as it is, flushed

[[nodiscard]] Json bytesJson(std::string_view bytes); // array of 0–255

// Text of a token for a terminal: invalid bytes as ⟨E9 87⟩, line ends as ⏎.
[[nodiscard]] std::string visible(std::string_view bytes);

// A progress line on stderr where that is a terminal and neither --quiet nor --json is set.
void progressLine(const Console& console, std::string_view what, double fraction);
void endProgress(const Console& console);

} // namespace kaikou::cli
