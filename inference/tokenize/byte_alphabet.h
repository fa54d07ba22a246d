#pragma once

#include <optional>
#include <string>
#include <string_view>

// GPT-2's printable stand-ins for the 256 bytes: 33-126, 161-172 and 174-255 are themselves, the other 68 are
// U+0100 and up in ascending order (space is U+0120).
namespace kaikou {

// Every byte of the text as its stand-in, UTF-8.
void appendAsByteAlphabet(std::string& out, std::string_view text);

// The bytes that a token of stand-ins means; nothing if it holds any other character.
[[nodiscard]] std::optional<std::string> fromByteAlphabet(std::string_view token);

} // namespace kaikou
