#include "inference/chat/stops.h"

#include "inference/chat/form_text.h"

#include <algorithm>

namespace kaikou {

namespace {

void addOnce(std::vector<std::string>& strings, std::string_view text)
{
    if (std::find(strings.begin(), strings.end(), text) == strings.end())
        strings.emplace_back(text);
}

} // namespace

StopRule effectiveStops(const StopRule& rule, ChatForm form, Family family)
{
    StopRule result = rule;
    result.automatic = false;
    if (!rule.automatic)
        return result;
    const bool teacher = isGptTeacher(family);
    if (form == ChatForm::UserAssistant || teacher) { // the teacher's raw prompts end at them too
        addOnce(result.strings, kUserLabel);
        addOnce(result.strings, "\n用户");
    }
    if (teacher) {
        addOnce(result.strings, "。");
        addOnce(result.strings, "；");
        result.match = StopMatch::Suffix;
        result.keep = true;
        result.beforeMinTokens = true;
    }
    return result;
}

} // namespace kaikou
