#include "inference/base/utf8.h"

namespace kaikou {

namespace {

struct Lead
{
    std::size_t length; // 0 = no lead byte
    unsigned char low, high; // allowed range of the second byte
};

Lead leadOf(unsigned char byte) noexcept
{
    if (byte >= 0xC2 && byte <= 0xDF)
        return {2, 0x80, 0xBF};
    if (byte == 0xE0)
        return {3, 0xA0, 0xBF};
    if (byte == 0xED)
        return {3, 0x80, 0x9F};
    if (byte >= 0xE1 && byte <= 0xEF)
        return {3, 0x80, 0xBF};
    if (byte == 0xF0)
        return {4, 0x90, 0xBF};
    if (byte >= 0xF1 && byte <= 0xF3)
        return {4, 0x80, 0xBF};
    if (byte == 0xF4)
        return {4, 0x80, 0x8F};
    return {0, 0, 0};
}

} // namespace

Utf8Unit firstUtf8Unit(std::string_view bytes) noexcept
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (at(0) < 0x80)
        return {Utf8Unit::Kind::Character, at(0), 1};
    const Lead lead = leadOf(at(0));
    if (lead.length == 0)
        return {Utf8Unit::Kind::Invalid, kReplacementCharacter, 1};
    char32_t codePoint = at(0) & (0x7FU >> lead.length);
    for (std::size_t i = 1; i < lead.length; ++i) {
        if (i == bytes.size())
            return {Utf8Unit::Kind::Incomplete, kReplacementCharacter, i};
        const unsigned char low = i == 1 ? lead.low : 0x80;
        const unsigned char high = i == 1 ? lead.high : 0xBF;
        if (at(i) < low || at(i) > high)
            return {Utf8Unit::Kind::Invalid, kReplacementCharacter, i};
        codePoint = (codePoint << 6) | (at(i) & 0x3FU);
    }
    return {Utf8Unit::Kind::Character, codePoint, lead.length};
}

std::size_t validPrefixLength(std::string_view bytes) noexcept
{
    std::size_t position = 0;
    while (position < bytes.size()) {
        const Utf8Unit unit = firstUtf8Unit(bytes.substr(position));
        if (unit.kind != Utf8Unit::Kind::Character)
            break;
        position += unit.length;
    }
    return position;
}

std::string toValidUtf8(std::string_view bytes)
{
    Utf8Decoder decoder;
    std::string text = decoder.push(bytes);
    return text += decoder.flush();
}

void appendUtf8(std::string& text, char32_t codePoint)
{
    const auto tail
        = [&](unsigned shift) { text.push_back(static_cast<char>(0x80U | ((codePoint >> shift) & 0x3FU))); };
    if (codePoint < 0x80) {
        text.push_back(static_cast<char>(codePoint));
    } else if (codePoint < 0x800) {
        text.push_back(static_cast<char>(0xC0U | (codePoint >> 6)));
        tail(0);
    } else if (codePoint < 0x10000) {
        text.push_back(static_cast<char>(0xE0U | (codePoint >> 12)));
        tail(6);
        tail(0);
    } else {
        text.push_back(static_cast<char>(0xF0U | (codePoint >> 18)));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::string Utf8Decoder::push(std::string_view bytes)
{
    const std::string joined = m_tail.empty() ? std::string() : m_tail + std::string(bytes);
    std::string_view rest = m_tail.empty() ? bytes : std::string_view(joined);
    std::string text;
    text.reserve(rest.size());
    while (!rest.empty()) {
        const std::size_t valid = validPrefixLength(rest);
        text.append(rest.substr(0, valid));
        rest.remove_prefix(valid);
        if (rest.empty())
            break;
        const Utf8Unit unit = firstUtf8Unit(rest);
        if (unit.kind == Utf8Unit::Kind::Incomplete)
            break;
        appendUtf8(text, kReplacementCharacter);
        rest.remove_prefix(unit.length);
    }
    m_tail = std::string(rest);
    return text;
}

std::string Utf8Decoder::flush()
{
    std::string text;
    if (!m_tail.empty())
        appendUtf8(text, kReplacementCharacter);
    m_tail.clear();
    return text;
}

} // namespace kaikou
