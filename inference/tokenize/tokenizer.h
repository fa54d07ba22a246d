#pragma once

#include "inference/base/result.h"
#include "inference/model/checkpoint.h"
#include "inference/model/ids.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

struct EncodeOptions
{
    bool addSpecial = false; // run the post-processor (TemplateProcessing: bos, eos)
    bool parseSpecial = false; // special strings in the text become their ids

    friend bool operator==(const EncodeOptions&, const EncodeOptions&) = default;
};

// What a tokenizer is, for the model card and `inspect`.
struct TokenizerInfo
{
    std::string kind; // "byte-level BPE", "bytes"
    std::string pre; // pre-tokenizer in words
    std::uint32_t vocab = 0; // highest id + 1
};

// Text to token ids and back. Immutable after creation; any thread.
class Tokenizer
{
public:
    virtual ~Tokenizer() = default;

    // Ids of UTF-8 text; invalid bytes count as U+FFFD. O(n log n).
    [[nodiscard]] virtual std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const = 0;

    // The raw bytes this token adds to a text (may be part of a character). Special tokens: their text.
    // Unknown id: empty.
    [[nodiscard]] virtual std::string_view piece(TokenId id) const = 0;
    [[nodiscard]] virtual bool isSpecial(TokenId id) const = 0;

    // Whole text as Hugging Face `decode` gives it: the decoder chain, invalid UTF-8 as U+FFFD.
    [[nodiscard]] virtual std::string decode(std::span<const TokenId> ids, bool skipSpecial) const = 0;

    [[nodiscard]] virtual const SpecialIds& special() const = 0;
    [[nodiscard]] virtual const TokenizerInfo& info() const = 0;
};

// Errors: TokenizerMissing, TokenizerInvalid, TokenizerUnsupported, TokenizerRegex (where = path and JSON
// pointer).
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> makeTokenizer(const TokenizerSource& source);

} // namespace kaikou
