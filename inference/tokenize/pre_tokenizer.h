#pragma once

#include "inference/base/json.h"
#include "inference/tokenize/pieces.h"
#include "inference/tokenize/regex.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kaikou {

// When U+2581 is put in front of a piece.
enum class PrependScheme : std::uint8_t
{
    Always,
    First, // only where the whole text begins
    Never
};

[[nodiscard]] Result<PrependScheme> readPrependScheme(const JsonValue& metaspace);

// The "pre_tokenizer" of a tokenizer.json: how a text is cut before the model sees it (formats.md §8.3).
// Immutable; any thread.
class PreTokenizer
{
public:
    // Null gives the one that cuts nothing. Errors: TokenizerInvalid, TokenizerUnsupported, TokenizerRegex.
    [[nodiscard]] static Result<PreTokenizer> read(const JsonValue& value);

    void apply(PieceList& list) const;

    [[nodiscard]] const std::string& description() const noexcept { return m_description; }

private:
    struct ByteLevel
    {
        bool addPrefixSpace;
        std::vector<Regex> split; // GPT-2's pattern, or none
    };

    struct Split
    {
        Regex pattern;
        SplitBehavior behavior;
        bool inverted;
    };

    struct SplitAtCharacters // Digits, Punctuation, WhitespaceSplit
    {
        bool (*isMatch)(char32_t);
        SplitBehavior behavior;
    };

    struct Metaspace
    {
        std::string replacement;
        PrependScheme scheme;
        std::vector<Regex> split; // at the replacement, or none
    };

    using Step = std::variant<ByteLevel, Split, SplitAtCharacters, Metaspace>;

    Result<void> add(const JsonValue& value);
    Result<void> addComponent(const JsonValue& value, std::string_view type);
    Result<void> addByteLevel(const JsonValue& value);
    Result<void> addSplit(const JsonValue& value);
    Result<void> addMetaspace(const JsonValue& value);

    static void run(const ByteLevel& step, PieceList& list);
    static void run(const Split& step, PieceList& list);
    static void run(const SplitAtCharacters& step, PieceList& list);
    static void run(const Metaspace& step, PieceList& list);

    std::vector<Step> m_steps; // nested sequences flattened
    std::string m_description = "none";
};

} // namespace kaikou
