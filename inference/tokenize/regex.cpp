#include "inference/tokenize/regex.h"

#include "inference/base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <optional>

namespace kaikou {

namespace {

constexpr std::uint32_t kMatchLimit = 5'000'000; // backtracking steps of one match: under a second
constexpr std::uint32_t kHeapLimitKib = 65'536;
constexpr std::size_t kPatternLimit = 65'536; // bytes; real patterns have some hundred

// What an Oniguruma escape means, for inside and outside of [...]. PCRE2's own \s under UCP takes U+180E too
// and its \w knows neither marks nor connectors.
struct EscapeMeaning
{
    char letter;
    std::string_view inside;
    std::string_view outside;
};

// Oniguruma's word characters: alphabetic, marks, decimal digits, connectors, and the numbers of Latin-1.
#define KAIKOU_WORD R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE})"

constexpr std::array<EscapeMeaning, 6> kEscapes {{
    {'s', R"(\p{White_Space})", R"(\p{White_Space})"},
    {'S', R"(\P{White_Space})", R"(\P{White_Space})"},
    {'w', KAIKOU_WORD, "[" KAIKOU_WORD "]"},
    {'W', {}, "[^" KAIKOU_WORD "]"},
    {'h', R"(0-9a-fA-F)", R"([0-9a-fA-F])"},
    {'H', {}, R"([^0-9a-fA-F])"},
}};

#undef KAIKOU_WORD

constexpr std::size_t kHexDigits = 4; // of \u4e2d

Error unsupported(std::string_view what, std::size_t offset)
{
    return {ErrorCode::TokenizerUnsupported,
        "the pattern uses " + std::string(what) + " at byte " + std::to_string(offset)
            + ", which Kaikou does not read",
        {}};
}

// Rewrites one pattern for PCRE2.
class Translator
{
public:
    explicit Translator(std::string_view pattern)
        : m_pattern(pattern)
    {
    }

    Result<std::string> run()
    {
        for (m_at = 0; m_at < m_pattern.size(); ++m_at) {
            const char c = m_pattern[m_at];
            if (c == '\\') {
                KAIKOU_CHECK(escape());
            } else if (m_inClass) {
                KAIKOU_CHECK(classCharacter(c));
            } else {
                m_out += c;
                if (c == '[')
                    openClass();
            }
        }
        return std::move(m_out);
    }

private:
    void openClass()
    {
        m_inClass = true;
        if (peek(1) == '^')
            m_out += m_pattern[++m_at];
        if (peek(1) == ']') // a bracket right after the opening is a literal
            m_out += m_pattern[++m_at];
    }

    Result<void> classCharacter(char c)
    {
        if (c == '[' && peek(1) == ':') {
            const std::size_t end = m_pattern.find(":]", m_at);
            if (end != std::string_view::npos) {
                m_out += m_pattern.substr(m_at, end + 2 - m_at);
                m_at = end + 1;
                return {};
            }
        }
        if (c == '[')
            return unsupported("a class inside a class", m_at);
        if (c == '&' && peek(1) == '&')
            return unsupported("the intersection of classes", m_at);
        m_inClass = c != ']';
        m_out += c;
        return {};
    }

    Result<void> escape()
    {
        const char letter = peek(1);
        for (const EscapeMeaning& meaning : kEscapes) {
            if (meaning.letter != letter)
                continue;
            if (m_inClass && meaning.inside.empty())
                return unsupported("a negated escape inside a class", m_at);
            m_out += m_inClass ? meaning.inside : meaning.outside;
            ++m_at;
            return {};
        }
        if (letter == 'u' && m_at + 2 + kHexDigits <= m_pattern.size()) {
            m_out += "\\x{";
            m_out += m_pattern.substr(m_at + 2, kHexDigits);
            m_out += '}';
            m_at += 1 + kHexDigits;
            return {};
        }
        m_out += '\\';
        if (m_at + 1 < m_pattern.size())
            m_out += m_pattern[++m_at];
        return {};
    }

    [[nodiscard]] char peek(std::size_t ahead) const
    {
        return m_at + ahead < m_pattern.size() ? m_pattern[m_at + ahead] : '\0';
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    bool m_inClass = false;
    std::string m_out;
};

std::string messageOf(int code)
{
    std::array<PCRE2_UCHAR, 200> buffer {};
    pcre2_get_error_message(code, buffer.data(), buffer.size());
    return reinterpret_cast<const char*>(buffer.data());
}

Result<std::shared_ptr<const void>> compileCode(std::string_view pattern, std::uint32_t options)
{
    int code = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
        options | PCRE2_UTF, &code, &offset, nullptr);
    if (compiled == nullptr)
        return Error {ErrorCode::TokenizerRegex,
            "the pattern does not compile: " + messageOf(code) + " at byte " + std::to_string(offset), {}};
    pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE); // without it matching is slower, not wrong
    return std::shared_ptr<const void>(
        compiled, [](const void* p) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(p))); });
}

struct Freer
{
    void operator()(pcre2_match_data* p) const { pcre2_match_data_free(p); }

    void operator()(pcre2_match_context* p) const { pcre2_match_context_free(p); }
};

// One walk over one text: PCRE2's scratch data for it.
class Matcher
{
public:
    Matcher(const pcre2_code* code, std::string_view text)
        : m_code(code)
        , m_text(text)
        , m_data(pcre2_match_data_create_from_pattern(code, nullptr))
        , m_context(pcre2_match_context_create(nullptr))
    {
        pcre2_set_match_limit(m_context.get(), kMatchLimit);
        pcre2_set_heap_limit(m_context.get(), kHeapLimitKib);
    }

    // The first match at or after `from`.
    [[nodiscard]] std::optional<ByteRange> next(std::size_t from)
    {
        int rc = match(from, PCRE2_NO_UTF_CHECK);
        if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
            rc = match(from, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT);
        const PCRE2_SIZE* found = pcre2_get_ovector_pointer(m_data.get());
        if (rc < 0 || found[0] > found[1] || found[1] < from) // \K can turn a match around
            return std::nullopt;
        return ByteRange {found[0], found[1]};
    }

private:
    int match(std::size_t from, std::uint32_t options)
    {
        return pcre2_match(m_code, reinterpret_cast<PCRE2_SPTR>(m_text.data()), m_text.size(), from, options,
            m_data.get(), m_context.get());
    }

    const pcre2_code* m_code;
    std::string_view m_text;
    std::unique_ptr<pcre2_match_data, Freer> m_data;
    std::unique_ptr<pcre2_match_context, Freer> m_context;
};

} // namespace

Result<Regex> Regex::compile(std::string_view pattern)
{
    if (pattern.size() > kPatternLimit)
        return Error {ErrorCode::TokenizerRegex, "the pattern is longer than 64 KiB", {}};
    KAIKOU_TRY(const std::string translated, Translator(pattern).run());
    KAIKOU_TRY(auto code, compileCode(translated, PCRE2_UCP | PCRE2_MULTILINE));
    return Regex(std::move(code));
}

Result<Regex> Regex::literal(std::string_view text)
{
    KAIKOU_TRY(auto code, compileCode(text, PCRE2_LITERAL));
    return Regex(std::move(code));
}

std::vector<ByteRange> Regex::findAll(std::string_view text) const
{
    std::vector<ByteRange> matches;
    Matcher matcher(static_cast<const pcre2_code*>(m_code.get()), text);
    std::size_t from = 0;
    while (from <= text.size()) {
        const std::optional<ByteRange> match = matcher.next(from);
        if (!match)
            break;
        const bool empty = match->begin == match->end;
        if (empty && !matches.empty() && matches.back().end == match->end) {
            // nothing, right after the last match: go on one character later, as Oniguruma's iterator does
            from += from < text.size() ? firstUtf8Unit(text.substr(from)).length : 1;
            continue;
        }
        matches.push_back(*match);
        from = match->end;
    }
    return matches;
}

std::string Regex::replaceAll(std::string_view text, std::string_view content) const
{
    std::string result;
    std::size_t done = 0;
    for (const ByteRange& match : findAll(text)) {
        result += text.substr(done, match.begin - done);
        result += content;
        done = match.end;
    }
    result += text.substr(done);
    return result;
}

} // namespace kaikou
