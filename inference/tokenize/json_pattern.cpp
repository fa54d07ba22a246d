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

Error unsupportedComponent(const JsonValue& component, std::string_view what, std::string_view type)
{
    return component.error(ErrorCode::TokenizerUnsupported,
        "the " + std::string(what) + " `" + std::string(type)
            + "` is not supported; the output could be wrong, so the tokenizer is refused");
}

} // namespace kaikou
