#pragma once

#include "inference/tokenize/tokenizer.h"

#include <array>

namespace kaikou {

// GPT_teacher's `type: byte` (formats.md §3.3): id = byte, 256 BOS, 257 EOS, 258 PAD; no token is unknown.
class ByteTokenizer final : public Tokenizer
{
public:
    ByteTokenizer();

    // parseSpecial has no effect: the special tokens have no text.
    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const override;
    [[nodiscard]] std::string_view piece(TokenId id) const override;
    [[nodiscard]] bool isSpecial(TokenId id) const override;
    // Ids from 256 on are dropped, and so is invalid UTF-8: the original decodes with errors="ignore".
    [[nodiscard]] std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override;

    [[nodiscard]] const SpecialIds& special() const override { return m_special; }

    [[nodiscard]] const TokenizerInfo& info() const override { return m_info; }

private:
    std::array<char, 256> m_bytes {};
    SpecialIds m_special;
    TokenizerInfo m_info;
};

} // namespace kaikou
