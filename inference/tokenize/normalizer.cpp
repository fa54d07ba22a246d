#include "inference/tokenize/normalizer.h"

#include "inference/tokenize/byte_alphabet.h"
#include "inference/tokenize/json_pattern.h"

#include <optional>

namespace kaikou {

namespace {

std::optional<NormalForm> normalFormByName(std::string_view name)
{
    if (name == "NFC")
        return NormalForm::Nfc;
    if (name == "NFD")
        return NormalForm::Nfd;
    if (name == "NFKC")
        return NormalForm::Nfkc;
    if (name == "NFKD")
        return NormalForm::Nfkd;
    return std::nullopt;
}

} // namespace

Result<Normalizer> Normalizer::read(const JsonValue& value)
{
    Normalizer normalizer;
    if (!value.isNull())
        KAIKOU_CHECK(normalizer.add(value));
    return normalizer;
}

Result<void> Normalizer::add(const JsonValue& value)
{
    KAIKOU_TRY(const std::string_view type, readType(value));
    if (type == "Sequence") {
        KAIKOU_TRY(const JsonValue list, value.member("normalizers", ErrorCode::TokenizerInvalid));
        for (const JsonValue item : list.children())
            KAIKOU_CHECK(add(item));
        return {};
    }
    KAIKOU_CHECK(checkSteps(value, m_steps.size()));
    if (const auto form = normalFormByName(type)) {
        m_steps.emplace_back(*form);
    } else if (type == "Lowercase") {
        m_steps.emplace_back(Lowercase {});
    } else if (type == "StripAccents") {
        m_steps.emplace_back(StripAccents {});
    } else if (type == "ByteLevel") {
        m_steps.emplace_back(ByteLevel {});
    } else if (type == "Strip") {
        KAIKOU_TRY(const bool left, readFlag(value, "strip_left", true));
        KAIKOU_TRY(const bool right, readFlag(value, "strip_right", true));
        m_steps.emplace_back(Strip {left, right});
    } else if (type == "Prepend") {
        KAIKOU_TRY(std::string text, readInsertion(value, "prepend", {}));
        m_steps.emplace_back(Prepend {std::move(text)});
    } else if (type == "Replace") {
        KAIKOU_TRY(const JsonValue pattern, value.member("pattern", ErrorCode::TokenizerInvalid));
        KAIKOU_TRY(Regex regex, readPattern(pattern));
        KAIKOU_TRY(std::string content, readInsertion(value, "content", {}));
        m_steps.emplace_back(Replace {std::move(regex), std::move(content)});
    } else {
        return unsupportedComponent(value, "normalizer", type);
    }
    return {};
}

std::string Normalizer::applyStep(const Step& step, std::string_view text)
{
    struct Visitor
    {
        std::string_view text;

        std::string operator()(NormalForm form) const { return normalForm(text, form); }

        std::string operator()(const Lowercase&) const { return lowercase(text); }

        std::string operator()(const StripAccents&) const { return withoutMarks(text); }

        std::string operator()(const ByteLevel&) const
        {
            std::string out;
            appendAsByteAlphabet(out, text);
            return out;
        }

        std::string operator()(const Strip& strip) const
        {
            return std::string(stripWhiteSpace(text, strip.left, strip.right));
        }

        std::string operator()(const Prepend& prepend) const
        {
            return text.empty() ? std::string() : prepend.text + std::string(text);
        }

        std::string operator()(const Replace& replace) const
        {
            return replace.pattern.replaceAll(text, replace.content);
        }
    };

    return std::visit(Visitor {text}, step);
}

std::string Normalizer::apply(std::string_view text) const
{
    std::string result(text);
    for (const Step& step : m_steps) {
        result = applyStep(step, result);
        if (result.size() > growthLimit(text.size()))
            break;
    }
    return result;
}

} // namespace kaikou
