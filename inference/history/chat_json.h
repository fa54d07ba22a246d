#pragma once

#include "inference/history/chat_document.h"

#include <string_view>

namespace kaikou {

inline constexpr int kChatJsonVersion = 1;

// One chat as JSON: {"format": "kaikou-chat", "version": 1, "title", "active_leaf", "messages": [{"id",
// "parent", "role", "text", "tokens": [{"id", "begin", "length", "logprob", …}], "run": {"seed", …}}]}. Text
// that is no UTF-8 is written as "text_hex". Seeds are strings: JSON readers round 64-bit numbers.
[[nodiscard]] std::string writeChatJson(const ChatDocument& chat);

// Errors: FormatJson (not JSON, a missing or wrong member: where it stands), FormatUnsupported (another
// format), FormatVersion (a later version), FormatLimit. A document that was read holds together: unique ids,
// parents before children, tokens in order and inside their text.
[[nodiscard]] Result<ChatDocument> readChatJson(std::string_view text, const std::string& where = {});

// Any JSON text as a value to be written again; an empty object where it is no JSON.
[[nodiscard]] Json jsonOf(std::string_view text);

} // namespace kaikou
