#include "inference/tokenize/byte_alphabet.h"

#include "inference/base/utf8.h"

#include <array>
#include <cstdint>

namespace kaikou {

namespace {

constexpr bool standsForItself(unsigned byte)
{
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::size_t kStandIns = 0x100 + 68; // code points below this

struct Alphabet
{
    std::array<std::uint16_t, 256> ofByte {};
    std::array<std::int16_t, kStandIns> ofCharacter {}; // -1 = no stand-in
};

constexpr Alphabet makeAlphabet()
{
    Alphabet alphabet;
    alphabet.ofCharacter.fill(-1);
    unsigned next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const unsigned character = standsForItself(byte) ? byte : next++;
        alphabet.ofByte[byte] = static_cast<std::uint16_t>(character);
        alphabet.ofCharacter[character] = static_cast<std::int16_t>(byte);
    }
    return alphabet;
}

constexpr Alphabet kAlphabet = makeAlphabet();

} // namespace

void appendAsByteAlphabet(std::string& out, std::string_view text)
{
    for (const char c : text)
        appendUtf8(out, kAlphabet.ofByte[static_cast<unsigned char>(c)]);
}

std::optional<std::string> fromByteAlphabet(std::string_view token)
{
    std::string bytes;
    while (!token.empty()) {
        const Utf8Unit unit = firstUtf8Unit(token);
        if (unit.codePoint >= kStandIns || kAlphabet.ofCharacter[unit.codePoint] < 0)
            return std::nullopt;
        bytes += static_cast<char>(kAlphabet.ofCharacter[unit.codePoint]);
        token.remove_prefix(unit.length);
    }
    return bytes;
}

} // namespace kaikou
