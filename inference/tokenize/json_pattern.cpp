#include "inference/tokenize/json_pattern.h"

namespace kaikou {

Result<Regex> readPattern(const JsonValue& value)
{
    const bool literal = value.has("String");
    KAIKOU_TRY(const JsonValue text, value.member(literal ? "String" : "Regex", ErrorCode::TokenizerInvalid));
    KAIKOU_TRY(const std::string_view pattern, text.string(ErrorCode::TokenizerInvalid));
    Result<Regex> regex = literal ? Regex::literal(pattern) : Regex::compile(pattern);
    if (!regex)
        return text.error(regex.error().code, regex.error().message);
    return regex;
}

Result<std::string_view> readType(const JsonValue& component)
{
    KAIKOU_TRY(const JsonValue type, component.member("type", ErrorCode::TokenizerInvalid));
    return type.string(ErrorCode::TokenizerInvalid);
}

Result<bool> readFlag(const JsonValue& component, std::string_view key, bool fallback)
{
    if (!component.given(key))
        return fallback;
    return component[key].boolean(ErrorCode::TokenizerInvalid);
}

Result<std::string> readText(const JsonValue& component, std::string_view key, std::string_view fallback)
{
    if (!component.given(key))
        return std::string(fallback);
    KAIKOU_TRY(const std::string_view text, component[key].string(ErrorCode::TokenizerInvalid));
    return std::string(text);
}

Result<std::string> readInsertion(const JsonValue& component, std::string_view key, std::string_view fallback)
{
    constexpr std::size_t kMaxInsertion = 32;
    KAIKOU_TRY(std::string text, readText(component, key, fallback));
    if (text.size() > kMaxInsertion)
        return component.error(ErrorCode::TokenizerUnsupported,
            "`" + std::string(key) + "` has " + std::to_string(text.size()) + " bytes, at most 32 are read");
    return text;
}

Result<void> checkSteps(const JsonValue& component, std::size_t steps)
{
    if (steps >= kMaxSteps)
        return component.error(
            ErrorCode::TokenizerInvalid, "more than " + std::to_string(kMaxSteps) + " steps in one chain");
    return {};
}

Error unsupportedComponent(const JsonValue& component, std::string_view what, std::string_view type)
{
    return component.error(ErrorCode::TokenizerUnsupported,
        "the " + std::string(what) + " `" + std::string(type)
            + "` is not supported; the output could be wrong, so the tokenizer is refused");
}

} // namespace kaikou
