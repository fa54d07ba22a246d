#include "inference/tokenize/decoder.h"

#include "inference/base/utf8.h"
#include "inference/tokenize/byte_alphabet.h"
#include "inference/tokenize/json_pattern.h"
#include "inference/tokenize/pre_tokenizer.h"
#include "inference/tokenize/unicode.h"

#include <charconv>
#include <optional>
#include <utility>

namespace kaikou {

namespace {

std::string joined(const std::vector<std::string>& tokens, std::string_view between = {})
{
    std::string text;
    for (const std::string& token : tokens) {
        if (!text.empty() || &token != &tokens.front())
            text += between;
        text += token;
    }
    return text;
}

std::size_t bytesOf(const std::vector<std::string>& tokens)
{
    std::size_t bytes = 0;
    for (const std::string& token : tokens)
        bytes += token.size();
    return bytes;
}

// "<0x0A>" -> 10
std::optional<char> byteOfToken(std::string_view token)
{
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>')
        return std::nullopt;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(token.data() + 3, token.data() + 5, value, 16);
    if (error != std::errc() || end != token.data() + 5)
        return std::nullopt;
    return static_cast<char>(value);
}

std::string bytesOfAlphabetToken(std::string_view token)
{
    std::optional<std::string> bytes = fromByteAlphabet(token);
    return bytes ? std::move(*bytes) : std::string(token);
}

} // namespace

Result<Decoder> Decoder::read(const JsonValue& value)
{
    Decoder decoder;
    if (!value.isNull()) {
        decoder.m_spaceBetween = false;
        KAIKOU_CHECK(decoder.add(value));
    }
    return decoder;
}

Result<void> Decoder::add(const JsonValue& value)
{
    KAIKOU_TRY(const std::string_view type, readType(value));
    if (type == "Sequence") {
        KAIKOU_TRY(const JsonValue list, value.member("decoders", ErrorCode::TokenizerInvalid));
        for (const JsonValue item : list.children())
            KAIKOU_CHECK(add(item));
        return {};
    }
    KAIKOU_CHECK(checkSteps(value, m_steps.size()));
    if (type == "Strip")
        return addStrip(value);
    if (type == "ByteLevel") {
        m_steps.emplace_back(ByteLevel {});
    } else if (type == "ByteFallback") {
        m_steps.emplace_back(ByteFallback {});
    } else if (type == "Fuse") {
        m_steps.emplace_back(Fuse {});
    } else if (type == "Replace") {
        KAIKOU_TRY(const JsonValue patternValue, value.member("pattern", ErrorCode::TokenizerInvalid));
        KAIKOU_TRY(Regex pattern, readPattern(patternValue));
        KAIKOU_TRY(std::string content, readInsertion(value, "content", {}));
        m_steps.emplace_back(Replace {std::move(pattern), std::move(content)});
    } else if (type == "Metaspace") {
        KAIKOU_TRY(const std::string text, readInsertion(value, "replacement", "\u2581"));
        KAIKOU_TRY(const PrependScheme scheme, readPrependScheme(value));
        KAIKOU_TRY(Regex replacement, Regex::literal(text));
        m_steps.emplace_back(Metaspace {std::move(replacement), scheme != PrependScheme::Never});
    } else if (type == "BPEDecoder") {
        KAIKOU_TRY(const std::string text, readText(value, "suffix", "</w>"));
        KAIKOU_TRY(Regex suffix, Regex::literal(text));
        m_steps.emplace_back(WordSuffix {std::move(suffix)});
    } else {
        return unsupportedComponent(value, "decoder", type);
    }
    return {};
}

Result<void> Decoder::addStrip(const JsonValue& value)
{
    KAIKOU_TRY(const std::string content, readText(value, "content", " "));
    if (content.empty() || firstUtf8Unit(content).length != content.size())
        return value.error(ErrorCode::TokenizerInvalid, "the Strip decoder needs one character as content");
    std::size_t counts[2] = {0, 0};
    constexpr std::string_view kKeys[2] = {"start", "stop"};
    for (std::size_t i = 0; i < 2; ++i) {
        if (!value.given(kKeys[i]))
            continue;
        KAIKOU_TRY(const std::uint64_t count, value[kKeys[i]].count(ErrorCode::TokenizerInvalid));
        counts[i] = static_cast<std::size_t>(count);
    }
    m_steps.emplace_back(Strip {firstUtf8Unit(content).codePoint, counts[0], counts[1]});
    return {};
}

std::string Decoder::decode(std::vector<std::string> tokens) const
{
    const std::size_t limit = growthLimit(bytesOf(tokens));
    for (const Step& step : m_steps) {
        tokens = std::visit([&tokens](const auto& s) { return run(s, std::move(tokens)); }, step);
        if (bytesOf(tokens) > limit)
            break;
    }
    return toValidUtf8(joined(tokens, m_spaceBetween ? " " : ""));
}

std::string Decoder::pieceBytes(std::string_view token) const
{
    std::string bytes(token);
    for (const Step& step : m_steps) {
        if (std::holds_alternative<ByteLevel>(step)) {
            bytes = bytesOfAlphabetToken(bytes);
        } else if (std::holds_alternative<ByteFallback>(step)) {
            if (const auto byte = byteOfToken(bytes))
                bytes = std::string(1, *byte);
        } else if (const auto* replace = std::get_if<Replace>(&step)) {
            if (isValidUtf8(bytes))
                bytes = replace->pattern.replaceAll(bytes, replace->content);
        } else if (const auto* metaspace = std::get_if<Metaspace>(&step)) {
            if (isValidUtf8(bytes))
                bytes = metaspace->replacement.replaceAll(bytes, " ");
        } else if (const auto* word = std::get_if<WordSuffix>(&step)) {
            if (isValidUtf8(bytes))
                bytes = word->suffix.replaceAll(bytes, " ");
        }
        if (bytes.size() > growthLimit(token.size()))
            break;
    }
    return m_spaceBetween ? bytes + ' ' : bytes;
}

Decoder::Tokens Decoder::run(const ByteLevel& /*step*/, const Tokens& tokens)
{
    std::string bytes;
    for (const std::string& token : tokens)
        bytes += bytesOfAlphabetToken(token);
    return {toValidUtf8(bytes)};
}

// A run of byte tokens that is no valid UTF-8 becomes one U+FFFD for each byte, not for each bad part.
Decoder::Tokens Decoder::run(const ByteFallback& /*step*/, Tokens tokens)
{
    Tokens result;
    std::string bytes;
    const auto flush = [&result, &bytes] {
        if (isValidUtf8(bytes)) {
            if (!bytes.empty())
                result.push_back(bytes);
        } else {
            result.insert(result.end(), bytes.size(), "\uFFFD");
        }
        bytes.clear();
    };
    for (std::string& token : tokens) {
        if (const auto byte = byteOfToken(token)) {
            bytes += *byte;
            continue;
        }
        flush();
        result.push_back(std::move(token));
    }
    flush();
    return result;
}

Decoder::Tokens Decoder::run(const Fuse& /*step*/, const Tokens& tokens)
{
    return {joined(tokens)};
}

Decoder::Tokens Decoder::run(const Replace& step, Tokens tokens)
{
    for (std::string& token : tokens)
        token = step.pattern.replaceAll(token, step.content);
    return tokens;
}

Decoder::Tokens Decoder::run(const Strip& step, Tokens tokens)
{
    for (std::string& token : tokens) {
        std::string_view rest = token;
        for (std::size_t i = 0; i < step.start && !rest.empty(); ++i) {
            const Utf8Unit first = firstUtf8Unit(rest);
            if (first.codePoint != step.character)
                break;
            rest.remove_prefix(first.length);
        }
        for (std::size_t i = 0; i < step.stop && !rest.empty(); ++i) {
            const std::size_t last = lastCharacterBegin(rest);
            if (firstUtf8Unit(rest.substr(last)).codePoint != step.character)
                break;
            rest = rest.substr(0, last);
        }
        token = std::string(rest);
    }
    return tokens;
}

Decoder::Tokens Decoder::run(const Metaspace& step, Tokens tokens)
{
    bool first = step.dropFirst;
    for (std::string& token : tokens)
        token = step.replacement.replaceAll(token, std::exchange(first, false) ? "" : " ");
    return tokens;
}

Decoder::Tokens Decoder::run(const WordSuffix& step, Tokens tokens)
{
    for (std::string& token : tokens)
        token = step.suffix.replaceAll(token, &token == &tokens.back() ? "" : " ");
    return tokens;
}

} // namespace kaikou
