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

// A text that is put in for another; at most 32 bytes, so that no file makes short texts huge.
[[nodiscard]] Result<std::string> readInsertion(
    const JsonValue& component, std::string_view key, std::string_view fallback);

inline constexpr std::size_t kMaxSteps = 64; // of one chain of normalisers, pre-tokenizers or decoders

// How long a text of this many bytes may get on its way through a chain; the steps that are left are not
// taken then. No real file comes near (NFKD: 11 times for the worst character).
[[nodiscard]] constexpr std::size_t growthLimit(std::size_t bytes) noexcept
{
    return 12 * bytes + 4096;
}

// TokenizerInvalid where a chain is full.
[[nodiscard]] Result<void> checkSteps(const JsonValue& component, std::size_t steps);

// What to say of a component that is known elsewhere but not here.
[[nodiscard]] Error unsupportedComponent(
    const JsonValue& component, std::string_view what, std::string_view type);

} // namespace kaikou
