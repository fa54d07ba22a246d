#pragma once

#include "inference/base/json.h"
#include "inference/model/ids.h"
#include "inference/tokenize/normalizer.h"
#include "inference/tokenize/regex.h"
#include "inference/tokenize/vocabulary.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

// A token that is found in the text before the model sees it.
struct AddedToken
{
    TokenId id = 0;
    std::string content;
    std::string text; // what it decodes to: the content, normalised where it is looked for normalised
    bool singleWord = false; // no word character on either side
    bool stripLeft = false, stripRight = false; // takes the white space beside it
    bool normalized = false; // looked for after the normaliser
    bool special = false;
};

// Finds the longest of many texts at a place; ties go to the first one added.
class TextTrie
{
public:
    void add(std::string_view text, std::uint32_t value);

    struct Match
    {
        std::size_t length = 0;
        std::uint32_t value = 0;
    };

    [[nodiscard]] std::optional<Match> longestAt(std::string_view text, std::size_t at) const;

private:
    struct Node
    {
        std::map<unsigned char, std::uint32_t> next;
        std::optional<std::uint32_t> value;
    };

    std::vector<Node> m_nodes {1};
};

// The "added_tokens" of a tokenizer.json (formats.md §8.1). Immutable after reading; any thread.
class AddedTokens
{
public:
    // Errors: TokenizerInvalid (empty content, an id that means something else).
    [[nodiscard]] static Result<AddedTokens> read(
        const JsonValue& list, const Vocabulary& vocabulary, const Normalizer& normalizer);

    // A part of a text: an added token, or text between.
    struct Part
    {
        ByteRange range;
        std::optional<TokenId> id;
    };

    // Cuts at the tokens that are looked for before (normalized = false) or after the normaliser.
    // parseSpecial = false leaves special tokens inside the text between.
    [[nodiscard]] std::vector<Part> find(std::string_view text, bool normalized, bool parseSpecial) const;

    [[nodiscard]] const AddedToken* byId(TokenId id) const;

    [[nodiscard]] const std::vector<AddedToken>& all() const noexcept { return m_tokens; }

private:
    Result<void> add(const JsonValue& item, const Vocabulary& vocabulary, const Normalizer& normalizer);

    std::vector<AddedToken> m_tokens;
    std::map<TokenId, std::size_t> m_byId;
    TextTrie m_raw, m_normalized; // values are indices of m_tokens
};

} // namespace kaikou
