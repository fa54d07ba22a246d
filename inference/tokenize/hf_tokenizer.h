#pragma once

#include "inference/tokenize/added_tokens.h"
#include "inference/tokenize/bpe.h"
#include "inference/tokenize/decoder.h"
#include "inference/tokenize/normalizer.h"
#include "inference/tokenize/post_processor.h"
#include "inference/tokenize/pre_tokenizer.h"
#include "inference/tokenize/tokenizer.h"

namespace kaikou {

// A Hugging Face tokenizer.json with a BPE model: same ids and texts as `tokenizers` 0.23 (formats.md §8).
// Known deviation: code points newer than one of the two sides' Unicode tables (PCRE2 14, utf8proc 15; HF's
// own differ by stage) may be split or normalised differently.
// Order: added tokens in the raw text, normaliser, added tokens in the normalised text, pre-tokenizer, model.
class HfTokenizer final : public Tokenizer
{
public:
    [[nodiscard]] static Result<std::shared_ptr<const Tokenizer>> read(const TokenizerSource& source);

    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const override;
    [[nodiscard]] std::string_view piece(TokenId id) const override;
    [[nodiscard]] bool isSpecial(TokenId id) const override;
    [[nodiscard]] std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override;

    [[nodiscard]] const SpecialIds& special() const override { return m_special; }

    [[nodiscard]] const TokenizerInfo& info() const override { return m_info; }

private:
    struct Parts
    {
        Normalizer normalizer;
        PreTokenizer preTokenizer;
        Bpe model;
        AddedTokens added;
        Decoder decoder;
        PostProcessor postProcessor;
    };

    HfTokenizer(Parts parts, const SpecialIds& configured);

    void encodeNormalized(
        std::string_view text, bool atStart, bool parseSpecial, std::vector<TokenId>& out) const;
    [[nodiscard]] std::optional<std::string_view> text(TokenId id) const; // as in the file

    Parts m_parts;
    SpecialIds m_special;
    TokenizerInfo m_info;
    std::vector<std::string> m_pieces; // raw bytes by id
};

} // namespace kaikou
