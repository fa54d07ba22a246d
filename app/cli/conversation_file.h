#pragma once

#include "inference/base/json.h"
#include "inference/chat/turn.h"

#include <string>

namespace kaikou::cli {

// The whole file as bytes, at most 64 MiB. Errors: 1xx file.
[[nodiscard]] Result<std::string> readText(const std::string& path);

// [{"role":"system|user|assistant","content":"…"}, …] as turns. Errors: FormatJson with the JSON pointer.
[[nodiscard]] Result<Turns> turnsFromJson(JsonValue messages);

// The same from a file.
[[nodiscard]] Result<Turns> readMessages(const std::string& path);

} // namespace kaikou::cli
