#include "inference/tokenize/unicode.h"

#include "inference/base/utf8.h"

#include <utf8proc.h>

#include <cstdlib>

namespace kaikou {

namespace {

utf8proc_category_t categoryOf(char32_t c) noexcept
{
    return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool isMark(char32_t c) noexcept
{
    const utf8proc_category_t category = categoryOf(c);
    return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

utf8proc_option_t optionsOf(NormalForm form) noexcept
{
    switch (form) {
    case NormalForm::Nfc:
        return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    case NormalForm::Nfd:
        return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
    case NormalForm::Nfkc:
        return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    case NormalForm::Nfkd:
        return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
    }
    return UTF8PROC_STABLE;
}

bool isAscii(std::string_view text) noexcept
{
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80)
            return false;
    }
    return true;
}

} // namespace

std::string normalForm(std::string_view text, NormalForm form)
{
    if (isAscii(text))
        return std::string(text);
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
        static_cast<utf8proc_ssize_t>(text.size()), &mapped, optionsOf(form));
    if (size < 0)
        return std::string(text); // only out of memory or invalid UTF-8, which the caller excludes
    std::string result(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(size));
    std::free(mapped);
    return result;
}

std::string lowercase(std::string_view text)
{
    constexpr char32_t kCapitalIWithDot = 0x130; // the only character whose lower case is two characters
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Utf8Unit unit = firstUtf8Unit(text);
        if (unit.codePoint == kCapitalIWithDot)
            result += "i\xCC\x87";
        else
            appendUtf8(result,
                static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(unit.codePoint))));
        text.remove_prefix(unit.length);
    }
    return result;
}

std::string withoutMarks(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Utf8Unit unit = firstUtf8Unit(text);
        if (!isMark(unit.codePoint))
            result += text.substr(0, unit.length);
        text.remove_prefix(unit.length);
    }
    return result;
}

bool isWhiteSpace(char32_t c) noexcept
{
    if (c < 0x80)
        return c == ' ' || (c >= 0x09 && c <= 0x0D);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029
        || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool isNumeric(char32_t c) noexcept
{
    const utf8proc_category_t category = categoryOf(c);
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool isPunctuation(char32_t c) noexcept
{
    if (c < 0x80)
        return (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60)
            || (c >= 0x7B && c <= 0x7E);
    const utf8proc_category_t category = categoryOf(c);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool isWordCharacter(char32_t c) noexcept
{
    const utf8proc_category_t category = categoryOf(c);
    return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ND)
        || category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_PC || c == 0x200C
        || c == 0x200D // joiners
        || (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) // letters in circles and squares
        || (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}

std::size_t lastCharacterBegin(std::string_view text) noexcept
{
    std::size_t at = text.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
        --at;
    return at;
}

std::string_view stripWhiteSpace(std::string_view text, bool left, bool right)
{
    while (left && !text.empty()) {
        const Utf8Unit unit = firstUtf8Unit(text);
        if (!isWhiteSpace(unit.codePoint))
            break;
        text.remove_prefix(unit.length);
    }
    while (right && !text.empty()) {
        const std::size_t last = lastCharacterBegin(text);
        if (!isWhiteSpace(firstUtf8Unit(text.substr(last)).codePoint))
            break;
        text.remove_suffix(text.size() - last);
    }
    return text;
}

} // namespace kaikou
