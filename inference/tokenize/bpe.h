#pragma once

#include "inference/base/json.h"
#include "inference/model/ids.h"
#include "inference/tokenize/pair_table.h"
#include "inference/tokenize/vocabulary.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

// The BPE model of a tokenizer.json: characters first, then merges by rank (formats.md §8.2). Immutable; any
// thread.
class Bpe
{
public:
    // The "model" object. Errors: TokenizerInvalid, TokenizerUnsupported.
    [[nodiscard]] static Result<Bpe> read(const JsonValue& model);

    // Ids of one piece, in O(n log n); characters the vocabulary lacks become bytes, unk or nothing.
    void encode(std::string_view piece, std::vector<TokenId>& out) const;

    [[nodiscard]] const Vocabulary& vocabulary() const noexcept { return m_vocabulary; }

    [[nodiscard]] std::optional<TokenId> unknown() const noexcept { return m_unknown; }

private:
    Result<void> readOptions(const JsonValue& model);
    Result<void> readMerges(const JsonValue& merges);
    [[nodiscard]] std::vector<TokenId> characters(std::string_view piece) const;
    [[nodiscard]] bool appendBytes(std::string_view character, std::vector<TokenId>& out) const;

    Vocabulary m_vocabulary;
    PairTable m_merges;
    std::optional<TokenId> m_unknown;
    std::array<std::optional<TokenId>, 256> m_byteTokens {}; // <0x00> .. <0xFF>, for byte_fallback
    std::string m_continuingPrefix, m_wordSuffix; // of word-piece-like BPE; mostly empty
    bool m_fuseUnknown = false, m_byteFallback = false, m_ignoreMerges = false;
};

} // namespace kaikou
