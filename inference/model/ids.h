#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kaikou {

using TokenId = std::uint32_t; // row of the embedding, 0 .. vocabRows - 1

// Tokens with a role of their own. eos holds every id that ends an answer.
struct SpecialIds
{
    std::optional<TokenId> bos;
    std::optional<TokenId> pad;
    std::optional<TokenId> unk;
    std::vector<TokenId> eos;
};

} // namespace kaikou
