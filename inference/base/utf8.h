#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kaikou {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// What stands at the begin of some bytes.
struct Utf8Unit
{
    enum class Kind : std::uint8_t
    {
        Character, // a whole character
        Incomplete, // the begin of one that later bytes can complete
        Invalid // bytes that can become nothing, one U+FFFD (longest part of a character, as Unicode 3.9
                // advises)
    };

    Kind kind = Kind::Invalid;
    char32_t codePoint = kReplacementCharacter;
    std::size_t length = 0; // bytes, 1..4
};

// Looks at the first character; overlong forms, surrogates and values above U+10FFFF are invalid. `bytes` is
// not empty.
[[nodiscard]] Utf8Unit firstUtf8Unit(std::string_view bytes) noexcept;

// Bytes of the longest prefix that is whole, valid UTF-8.
[[nodiscard]] std::size_t validPrefixLength(std::string_view bytes) noexcept;

[[nodiscard]] inline bool isValidUtf8(std::string_view bytes) noexcept
{
    return validPrefixLength(bytes) == bytes.size();
}

// Every invalid part, an incomplete end too, becomes one U+FFFD.
[[nodiscard]] std::string toValidUtf8(std::string_view bytes);

void appendUtf8(std::string& text, char32_t codePoint);

// Makes text of bytes that arrive in any portions: what is complete comes out at once, 1..3 bytes of an open
// character are held, what can no longer become valid is U+FFFD at once. All portions together equal
// toValidUtf8 of all bytes.
class Utf8Decoder
{
public:
    [[nodiscard]] std::string push(std::string_view bytes);
    [[nodiscard]] std::string flush(); // the held tail as one U+FFFD, or nothing

    [[nodiscard]] std::size_t held() const noexcept { return m_tail.size(); }

private:
    std::string m_tail;
};

} // namespace kaikou
