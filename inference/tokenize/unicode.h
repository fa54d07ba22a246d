#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What tokenizers need of Unicode (tables of utf8proc 2.8, Unicode 15). All texts are valid UTF-8.
namespace kaikou {

enum class NormalForm : std::uint8_t
{
    Nfc,
    Nfd,
    Nfkc,
    Nfkd
};

[[nodiscard]] std::string normalForm(std::string_view text, NormalForm form);
[[nodiscard]] std::string lowercase(std::string_view text); // character by character, no context rules
[[nodiscard]] std::string withoutMarks(std::string_view text); // categories Mn, Mc and Me removed

[[nodiscard]] bool isWhiteSpace(char32_t c) noexcept; // property White_Space
[[nodiscard]] bool isNumeric(char32_t c) noexcept; // categories Nd, Nl, No
[[nodiscard]] bool isPunctuation(char32_t c) noexcept; // categories P* and ASCII punctuation
[[nodiscard]] bool isWordCharacter(char32_t c) noexcept; // \w: letters, marks, digits, connectors

// The text without white space at its ends.
[[nodiscard]] std::string_view stripWhiteSpace(std::string_view text, bool left = true, bool right = true);

// Where the last character of a text begins; the text is not empty.
[[nodiscard]] std::size_t lastCharacterBegin(std::string_view text) noexcept;

} // namespace kaikou
