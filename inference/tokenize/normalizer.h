#pragma once

#include "inference/base/json.h"
#include "inference/tokenize/regex.h"
#include "inference/tokenize/unicode.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kaikou {

// The "normalizer" of a tokenizer.json: what happens to a text before it is split (formats.md §8.3).
// Immutable; any thread.
class Normalizer
{
public:
    // Null gives the normaliser that changes nothing. Errors: TokenizerInvalid, TokenizerUnsupported,
    // TokenizerRegex.
    [[nodiscard]] static Result<Normalizer> read(const JsonValue& value);

    [[nodiscard]] std::string apply(std::string_view text) const; // valid UTF-8 in and out

    [[nodiscard]] bool empty() const noexcept { return m_steps.empty(); }

private:
    struct Lowercase
    {
    };

    struct StripAccents
    {
    };

    struct ByteLevel
    {
    };

    struct Strip
    {
        bool left, right;
    };

    struct Prepend
    {
        std::string text;
    };

    struct Replace
    {
        Regex pattern;
        std::string content;
    };

    using Step = std::variant<NormalForm, Lowercase, StripAccents, ByteLevel, Strip, Prepend, Replace>;

    Result<void> add(const JsonValue& value);
    [[nodiscard]] static std::string applyStep(const Step& step, std::string_view text);

    std::vector<Step> m_steps; // nested sequences flattened
};

} // namespace kaikou
