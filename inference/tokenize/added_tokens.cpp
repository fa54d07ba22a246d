#include "inference/tokenize/added_tokens.h"

#include "inference/base/utf8.h"
#include "inference/tokenize/json_pattern.h"
#include "inference/tokenize/unicode.h"

#include <algorithm>

namespace kaikou {

void TextTrie::add(std::string_view text, std::uint32_t value)
{
    std::uint32_t node = 0;
    for (const char c : text) {
        const auto [edge, isNew] = m_nodes[node].next.try_emplace(
            static_cast<unsigned char>(c), static_cast<std::uint32_t>(m_nodes.size()));
        node = edge->second;
        if (isNew)
            m_nodes.emplace_back();
    }
    if (!m_nodes[node].value)
        m_nodes[node].value = value;
}

std::optional<TextTrie::Match> TextTrie::longestAt(std::string_view text, std::size_t at) const
{
    std::optional<Match> best;
    std::uint32_t node = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
        const auto edge = m_nodes[node].next.find(static_cast<unsigned char>(text[i]));
        if (edge == m_nodes[node].next.end())
            break;
        node = edge->second;
        if (m_nodes[node].value)
            best = Match {i + 1 - at, *m_nodes[node].value};
    }
    return best;
}

Result<AddedTokens> AddedTokens::read(
    const JsonValue& list, const Vocabulary& vocabulary, const Normalizer& normalizer)
{
    AddedTokens result;
    for (const JsonValue item : list.children())
        KAIKOU_CHECK(result.add(item, vocabulary, normalizer));
    // special tokens first: they win where two patterns are equal
    for (const bool special : {true, false}) {
        for (std::size_t i = 0; i < result.m_tokens.size(); ++i) {
            const AddedToken& token = result.m_tokens[i];
            if (token.special == special && !token.text.empty())
                (token.normalized ? result.m_normalized : result.m_raw)
                    .add(token.text, static_cast<std::uint32_t>(i));
        }
    }
    return result;
}

Result<void> AddedTokens::add(
    const JsonValue& item, const Vocabulary& vocabulary, const Normalizer& normalizer)
{
    AddedToken token;
    KAIKOU_TRY(const JsonValue idValue, item.member("id", ErrorCode::TokenizerInvalid));
    KAIKOU_TRY(const std::uint64_t id, idValue.count(ErrorCode::TokenizerInvalid));
    if (id > kMaxTokenId)
        return idValue.error(
            ErrorCode::TokenizerInvalid, "added token id " + std::to_string(id) + " is too large");
    token.id = static_cast<TokenId>(id);
    KAIKOU_TRY(token.content, readText(item, "content", {}));
    KAIKOU_TRY(token.singleWord, readFlag(item, "single_word", false));
    KAIKOU_TRY(token.stripLeft, readFlag(item, "lstrip", false));
    KAIKOU_TRY(token.stripRight, readFlag(item, "rstrip", false));
    KAIKOU_TRY(token.special, readFlag(item, "special", false));
    KAIKOU_TRY(token.normalized, readFlag(item, "normalized", !token.special));
    if (token.content.empty())
        return item.error(ErrorCode::TokenizerInvalid, "added token " + std::to_string(id) + " is empty");
    const auto inVocabulary = vocabulary.text(token.id);
    const auto otherId = vocabulary.id(token.content);
    if ((inVocabulary && *inVocabulary != token.content) || (otherId && *otherId != token.id))
        return idValue.error(ErrorCode::TokenizerInvalid,
            "duplicate: added token `" + token.content + "` has id " + std::to_string(id)
                + ", the vocabulary says otherwise");
    if (!m_byId.emplace(token.id, m_tokens.size()).second)
        return idValue.error(
            ErrorCode::TokenizerInvalid, "duplicate id " + std::to_string(id) + " in added_tokens");
    token.text = token.normalized ? normalizer.apply(token.content) : token.content;
    m_tokens.push_back(std::move(token));
    return {};
}

const AddedToken* AddedTokens::byId(TokenId id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : &m_tokens[found->second];
}

namespace {

bool endsWithWord(std::string_view text)
{
    return !text.empty() && isWordCharacter(firstUtf8Unit(text.substr(lastCharacterBegin(text))).codePoint);
}

bool startsWithWord(std::string_view text)
{
    return !text.empty() && isWordCharacter(firstUtf8Unit(text).codePoint);
}

std::size_t trailingSpaceBegin(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t last = lastCharacterBegin(text);
        if (!isWhiteSpace(firstUtf8Unit(text.substr(last)).codePoint))
            break;
        text = text.substr(0, last);
    }
    return text.size();
}

std::size_t leadingSpaceLength(std::string_view text)
{
    std::size_t length = 0;
    while (length < text.size()) {
        const Utf8Unit unit = firstUtf8Unit(text.substr(length));
        if (!isWhiteSpace(unit.codePoint))
            break;
        length += unit.length;
    }
    return length;
}

} // namespace

std::vector<AddedTokens::Part> AddedTokens::find(
    std::string_view text, bool normalized, bool parseSpecial) const
{
    const TextTrie& trie = normalized ? m_normalized : m_raw;
    std::vector<Part> parts;
    std::size_t done = 0; // everything before it is in parts
    for (std::size_t at = 0; at < text.size();) {
        const auto match = trie.longestAt(text, at);
        if (!match) {
            ++at;
            continue;
        }
        // a match that is not wanted is passed over whole, never retried shorter: as HF does
        const AddedToken& token = m_tokens[match->value];
        std::size_t begin = at;
        std::size_t end = at + match->length;
        at = end;
        if (token.special && !parseSpecial)
            continue;
        if (token.singleWord && (endsWithWord(text.substr(0, begin)) || startsWithWord(text.substr(end))))
            continue;
        if (token.stripLeft)
            begin = std::max(trailingSpaceBegin(text.substr(0, begin)), done);
        if (token.stripRight)
            end += leadingSpaceLength(text.substr(end));
        if (done < begin)
            parts.push_back({{done, begin}, std::nullopt});
        parts.push_back({{begin, end}, token.id});
        done = end;
    }
    if (done < text.size())
        parts.push_back({{done, text.size()}, std::nullopt});
    return parts;
}

} // namespace kaikou
