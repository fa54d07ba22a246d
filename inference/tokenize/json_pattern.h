#pragma once

#include "inference/base/json.h"
#include "inference/tokenize/regex.h"

#include <string>
#include <string_view>

// Small readers for the parts of a tokenizer.json; all errors carry its JSON pointer.
namespace kaikou {

// {"String": text}, a literal, or {"Regex": pattern}. Errors: TokenizerInvalid, TokenizerRegex,
// TokenizerUnsupported.
[[nodiscard]] Result<Regex> readPattern(const JsonValue& value);

// The "type" of a component. Errors: TokenizerInvalid.
[[nodiscard]] Result<std::string_view> readType(const JsonValue& component);

// Optional members; absent or null gives the fallback. Errors: TokenizerInvalid.
[[nodiscard]] Result<bool> readFlag(const JsonValue& component, std::string_view key, bool fallback);
[[nodiscard]] Result<std::string> readText(
    const JsonValue& component, std::string_view key, std::string_view fallback);

// What to say of a component that is known elsewhere but not here.
[[nodiscard]] Error unsupportedComponent(
    const JsonValue& component, std::string_view what, std::string_view type);

} // namespace kaikou
