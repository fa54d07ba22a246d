#include "inference/chat/visible_answer.h"

#include "inference/base/utf8.h"
#include "inference/chat/form_text.h"
#include "inference/tokenize/unicode.h"

#include <algorithm>

namespace kaikou {

namespace {

constexpr std::u32string_view kTeacherTrim = U"，,。．、：:；;！!？?…";

std::string_view cutAtStop(std::string_view text, const StopRule& stops)
{
    if (stops.match == StopMatch::Suffix) {
        for (const std::string& stop : stops.strings) {
            if (!stops.keep && text.ends_with(stop))
                return text.substr(0, text.size() - stop.size());
        }
        return text;
    }
    std::size_t end = text.size();
    std::size_t first = std::string_view::npos;
    for (const std::string& stop : stops.strings) {
        const std::size_t at = text.find(stop);
        if (at == std::string_view::npos || at >= first)
            continue;
        first = at;
        end = stops.keep ? at + stop.size() : at;
    }
    return text.substr(0, end);
}

} // namespace

std::size_t leadingTrim(std::string_view text, Family family)
{
    std::size_t at = 0;
    while (isGptTeacher(family) && at < text.size()) {
        const Utf8Unit unit = firstUtf8Unit(text.substr(at));
        if (!isWhiteSpace(unit.codePoint) && kTeacherTrim.find(unit.codePoint) == std::u32string_view::npos)
            break;
        at += unit.length;
    }
    return at;
}

std::string visibleAnswer(std::string_view generated, const StopRule& stops, Family family)
{
    const std::string text = toValidUtf8(cutAtStop(generated, stops));
    return text.substr(leadingTrim(text, family));
}

} // namespace kaikou
