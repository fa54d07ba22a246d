#include "inference/chat/visible_answer.h"

#include "inference/base/utf8.h"
#include "inference/chat/form_text.h"
#include "inference/tokenize/unicode.h"

namespace kaikou {

namespace {

constexpr std::u32string_view kTeacherTrim = U"，,。．、：:；;！!？?…";

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

std::string visibleAnswer(std::string_view answer, Family family)
{
    return toValidUtf8(answer.substr(leadingTrim(answer, family)));
}

} // namespace kaikou
