#pragma once

#include "inference/base/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

struct ByteRange
{
    std::size_t begin = 0, end = 0;
};

// A compiled pattern of a tokenizer.json, with Oniguruma's meaning of \s, \w, \h, ^ and $ as Hugging Face
// `tokenizers` has it, on PCRE2's Unicode 14 tables. Immutable; any thread.
class Regex
{
public:
    // Errors: TokenizerRegex (PCRE2's message and offset), TokenizerUnsupported for class set operations.
    [[nodiscard]] static Result<Regex> compile(std::string_view pattern);

    // A pattern that matches exactly this text.
    [[nodiscard]] static Result<Regex> literal(std::string_view text);

    // All matches from left to right, not overlapping, empty ones included. `text` is valid UTF-8.
    // A pattern that backtracks beyond the match limit finds nothing more: the rest of the text stays whole.
    [[nodiscard]] std::vector<ByteRange> findAll(std::string_view text) const;

    // The text with every match replaced.
    [[nodiscard]] std::string replaceAll(std::string_view text, std::string_view content) const;

private:
    explicit Regex(std::shared_ptr<const void> code)
        : m_code(std::move(code))
    {
    }

    std::shared_ptr<const void> m_code; // pcre2_code
};

} // namespace kaikou
