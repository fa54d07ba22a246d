#include "inference/tokenize/vocabulary.h"

#include <algorithm>

namespace kaikou {

Result<Vocabulary> Vocabulary::read(const JsonValue& vocab)
{
    if (!vocab.isObject())
        return vocab.error(ErrorCode::TokenizerInvalid, "the vocabulary is no object of text to id");
    std::vector<TokenId> ids;
    ids.reserve(vocab.size());
    TokenId highest = 0;
    for (const JsonValue entry : vocab.children()) {
        KAIKOU_TRY(const std::uint64_t id, entry.count(ErrorCode::TokenizerInvalid));
        if (id > kMaxTokenId)
            return entry.error(ErrorCode::TokenizerInvalid,
                "vocabulary id " + std::to_string(id) + " is above " + std::to_string(kMaxTokenId));
        ids.push_back(static_cast<TokenId>(id));
        highest = std::max(highest, ids.back());
    }
    Vocabulary result;
    const std::size_t size = ids.empty() ? 0 : std::size_t {highest} + 1;
    result.m_texts.resize(size);
    result.m_used.resize(size);
    result.m_ids.reserve(ids.size());
    auto id = ids.begin();
    for (const JsonValue entry : vocab.children()) {
        if (result.m_used[*id])
            return entry.error(ErrorCode::TokenizerInvalid, "duplicate vocabulary id " + std::to_string(*id));
        result.m_used[*id] = true;
        result.m_texts[*id] = entry.key();
        if (!result.m_ids.emplace(result.m_texts[*id], *id).second)
            return entry.error(ErrorCode::TokenizerInvalid, "a token is in the vocabulary twice");
        ++id;
    }
    return result;
}

} // namespace kaikou
