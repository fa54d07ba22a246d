#include "inference/tokenize/bpe.h"

#include "inference/base/utf8.h"
#include "inference/tokenize/json_pattern.h"

#include <queue>

#include <algorithm>
#include <utility>

namespace kaikou {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

struct Symbol
{
    TokenId id;
    std::uint32_t previous, next; // kNone at the ends
    bool alive = true;
};

struct Candidate
{
    std::uint32_t rank;
    std::uint32_t position; // of the left symbol
    TokenId result;

    bool operator<(const Candidate& other) const // for a queue whose top is the lowest rank, leftmost
    {
        return rank != other.rank ? rank > other.rank : position > other.position;
    }
};

// A linked list of symbols that shrinks by merges in order of rank.
class Merger
{
public:
    Merger(const PairTable& merges, const std::vector<TokenId>& ids)
        : m_merges(merges)
    {
        const auto count = static_cast<std::uint32_t>(ids.size());
        m_symbols.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i)
            m_symbols.push_back({ids[i], i == 0 ? kNone : i - 1, i + 1 == count ? kNone : i + 1});
        std::vector<Candidate> first;
        for (std::uint32_t i = 0; i + 1 < count; ++i) {
            if (const MergeRule* rule = m_merges.find(ids[i], ids[i + 1]))
                first.push_back({rule->rank, i, rule->result});
        }
        m_queue = std::priority_queue<Candidate>({}, std::move(first));
    }

    void run(std::vector<TokenId>& out)
    {
        while (!m_queue.empty()) {
            const Candidate top = m_queue.top();
            m_queue.pop();
            merge(top);
        }
        for (const Symbol& symbol : m_symbols) {
            if (symbol.alive)
                out.push_back(symbol.id);
        }
    }

private:
    void merge(const Candidate& candidate)
    {
        Symbol& left = m_symbols[candidate.position];
        if (!left.alive || left.next == kNone)
            return;
        Symbol& right = m_symbols[left.next];
        const MergeRule* rule = m_merges.find(left.id, right.id);
        if (rule == nullptr || rule->result != candidate.result)
            return; // stale: a neighbour changed since it was queued
        left.id = candidate.result;
        right.alive = false;
        left.next = right.next;
        if (left.next != kNone)
            m_symbols[left.next].previous = candidate.position;
        if (left.previous != kNone)
            queuePair(left.previous);
        if (left.next != kNone)
            queuePair(candidate.position);
    }

    void queuePair(std::uint32_t position)
    {
        const Symbol& left = m_symbols[position];
        if (const MergeRule* rule = m_merges.find(left.id, m_symbols[left.next].id))
            m_queue.push({rule->rank, position, rule->result});
    }

    const PairTable& m_merges;
    std::vector<Symbol> m_symbols;
    std::priority_queue<Candidate> m_queue;
};

// "a b" or ["a", "b"]; only the second form can hold tokens with spaces.
Result<std::pair<std::string_view, std::string_view>> readMerge(const JsonValue& item)
{
    if (item.isString()) {
        KAIKOU_TRY(const std::string_view text, item.string(ErrorCode::TokenizerInvalid));
        const std::size_t space = text.find(' ');
        if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos)
            return item.error(
                ErrorCode::TokenizerInvalid, "a merge must be two tokens with one space between");
        return std::pair(text.substr(0, space), text.substr(space + 1));
    }
    std::vector<std::string_view> parts;
    for (const JsonValue part : item.children()) {
        KAIKOU_TRY(const std::string_view text, part.string(ErrorCode::TokenizerInvalid));
        parts.push_back(text);
    }
    if (parts.size() != 2)
        return item.error(ErrorCode::TokenizerInvalid, "a merge must be two tokens");
    return std::pair(parts[0], parts[1]);
}

} // namespace

Result<Bpe> Bpe::read(const JsonValue& model)
{
    Bpe bpe;
    KAIKOU_TRY(const JsonValue vocab, model.member("vocab", ErrorCode::TokenizerInvalid));
    KAIKOU_TRY(bpe.m_vocabulary, Vocabulary::read(vocab));
    KAIKOU_CHECK(bpe.readOptions(model));
    KAIKOU_TRY(const JsonValue merges, model.member("merges", ErrorCode::TokenizerInvalid));
    KAIKOU_CHECK(bpe.readMerges(merges));
    return bpe;
}

Result<void> Bpe::readOptions(const JsonValue& model)
{
    KAIKOU_TRY(m_fuseUnknown, readFlag(model, "fuse_unk", false));
    KAIKOU_TRY(m_byteFallback, readFlag(model, "byte_fallback", false));
    KAIKOU_TRY(m_ignoreMerges, readFlag(model, "ignore_merges", false));
    KAIKOU_TRY(m_continuingPrefix, readText(model, "continuing_subword_prefix", {}));
    KAIKOU_TRY(m_wordSuffix, readText(model, "end_of_word_suffix", {}));
    if (model.given("dropout")) {
        KAIKOU_TRY(const double dropout, model["dropout"].number(ErrorCode::TokenizerInvalid));
        if (dropout != 0.0)
            return model["dropout"].error(
                ErrorCode::TokenizerUnsupported, "BPE dropout makes ids random; it is not supported");
    }
    if (model.given("unk_token")) {
        KAIKOU_TRY(const std::string_view text, model["unk_token"].string(ErrorCode::TokenizerInvalid));
        m_unknown = m_vocabulary.id(text);
        if (!m_unknown)
            return model["unk_token"].error(ErrorCode::TokenizerInvalid,
                "unk_token `" + std::string(text) + "` is not in the vocabulary");
    }
    constexpr std::string_view kHex = "0123456789ABCDEF";
    for (unsigned byte = 0; byte < 256; ++byte) {
        const std::string name {'<', '0', 'x', kHex[byte >> 4U], kHex[byte & 15U], '>'};
        m_byteTokens[byte] = m_vocabulary.id(name);
    }
    return {};
}

Result<void> Bpe::readMerges(const JsonValue& merges)
{
    if (!merges.isArray())
        return merges.error(ErrorCode::TokenizerInvalid, "the merges are no list");
    m_merges = PairTable(merges.size());
    std::uint32_t rank = 0;
    std::string joined;
    for (const JsonValue item : merges.children()) {
        KAIKOU_TRY(const auto pair, readMerge(item));
        joined = pair.first;
        joined += pair.second.substr(std::min(m_continuingPrefix.size(), pair.second.size()));
        const auto left = m_vocabulary.id(pair.first);
        const auto right = m_vocabulary.id(pair.second);
        const auto result = m_vocabulary.id(joined);
        if (!left || !right || !result) {
            const std::string_view missing = !left ? pair.first : !right ? pair.second : joined;
            return item.error(ErrorCode::TokenizerInvalid,
                "merge " + std::to_string(rank) + " names `" + std::string(missing)
                    + "`, which is not in the vocabulary");
        }
        m_merges.set(*left, *right, {rank++, *result});
    }
    return {};
}

void Bpe::encode(std::string_view piece, std::vector<TokenId>& out) const
{
    if (m_ignoreMerges) {
        if (const auto whole = m_vocabulary.id(piece)) {
            out.push_back(*whole);
            return;
        }
    }
    const std::vector<TokenId> ids = characters(piece);
    if (ids.size() < 2)
        out.insert(out.end(), ids.begin(), ids.end());
    else
        Merger(m_merges, ids).run(out);
}

std::vector<TokenId> Bpe::characters(std::string_view piece) const
{
    std::vector<TokenId> ids;
    ids.reserve(piece.size());
    bool pendingUnknown = false; // flushed by the next known character, not by byte tokens: as HF does
    std::string affixed;
    for (std::size_t at = 0; at < piece.size();) {
        const std::size_t length = firstUtf8Unit(piece.substr(at)).length;
        std::string_view character = piece.substr(at, length);
        if (!m_continuingPrefix.empty() || !m_wordSuffix.empty()) {
            affixed = (at > 0 ? m_continuingPrefix : std::string()) + std::string(character)
                + (at + length == piece.size() ? m_wordSuffix : std::string());
            character = affixed;
        }
        at += length;
        if (const auto id = m_vocabulary.id(character)) {
            if (std::exchange(pendingUnknown, false))
                ids.push_back(*m_unknown);
            ids.push_back(*id);
        } else if (!(m_byteFallback && appendBytes(character, ids)) && m_unknown) {
            if (pendingUnknown && !m_fuseUnknown)
                ids.push_back(*m_unknown);
            pendingUnknown = true;
        }
    }
    if (pendingUnknown)
        ids.push_back(*m_unknown);
    return ids;
}

bool Bpe::appendBytes(std::string_view character, std::vector<TokenId>& out) const
{
    const std::size_t before = out.size();
    for (const char c : character) {
        const auto id = m_byteTokens[static_cast<unsigned char>(c)];
        if (!id) {
            out.resize(before);
            return false;
        }
        out.push_back(*id);
    }
    return true;
}

} // namespace kaikou
