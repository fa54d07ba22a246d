#pragma once

#include "inference/base/json.h"
#include "inference/tokenize/regex.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kaikou {

// The "decoder" of a tokenizer.json: token texts back to text. Immutable; any thread.
class Decoder
{
public:
    // Null gives the one that joins tokens with spaces, as HF does. Errors: TokenizerInvalid,
    // TokenizerUnsupported, TokenizerRegex.
    [[nodiscard]] static Result<Decoder> read(const JsonValue& value);

    // Whole text of a list of tokens; invalid UTF-8 becomes U+FFFD.
    [[nodiscard]] std::string decode(std::vector<std::string> tokens) const;

    // The raw bytes one token adds somewhere inside a text, where no rule for first or last tokens applies.
    [[nodiscard]] std::string pieceBytes(std::string_view token) const;

private:
    struct ByteLevel
    {
    };

    struct ByteFallback
    {
    };

    struct Fuse
    {
    };

    struct Replace
    {
        Regex pattern;
        std::string content;
    };

    struct Strip
    {
        char32_t character;
        std::size_t start, stop; // how many at most
    };

    struct Metaspace
    {
        Regex replacement;
        bool dropFirst; // those of the first token stand for nothing
    };

    struct WordSuffix // BPEDecoder
    {
        Regex suffix;
    };

    using Step = std::variant<ByteLevel, ByteFallback, Fuse, Replace, Strip, Metaspace, WordSuffix>;
    using Tokens = std::vector<std::string>;

    Result<void> add(const JsonValue& value);
    Result<void> addStrip(const JsonValue& value);

    static Tokens run(const ByteLevel& step, const Tokens& tokens);
    static Tokens run(const ByteFallback& step, Tokens tokens);
    static Tokens run(const Fuse& step, const Tokens& tokens);
    static Tokens run(const Replace& step, Tokens tokens);
    static Tokens run(const Strip& step, Tokens tokens);
    static Tokens run(const Metaspace& step, Tokens tokens);
    static Tokens run(const WordSuffix& step, Tokens tokens);

    std::vector<Step> m_steps; // nested sequences flattened
    bool m_spaceBetween = true; // no decoder at all
};

} // namespace kaikou
