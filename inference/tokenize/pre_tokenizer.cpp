#include "inference/tokenize/pre_tokenizer.h"

#include "inference/tokenize/byte_alphabet.h"
#include "inference/tokenize/json_pattern.h"
#include "inference/tokenize/unicode.h"

#include <array>
#include <utility>

namespace kaikou {

namespace {

constexpr std::string_view kGpt2Pattern
    = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
// `\w+|[^\w\s]+` with Rust's meaning of \w, which this pre-tokenizer has
constexpr std::string_view kWordsPattern = R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}]+)"
                                           R"(|[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200C}\x{200D}\s]+)";

constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> kBehaviors {{
    {"Isolated", SplitBehavior::Isolated},
    {"Removed", SplitBehavior::Removed},
    {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
    {"MergedWithNext", SplitBehavior::MergedWithNext},
    {"Contiguous", SplitBehavior::Contiguous},
}};

Result<SplitBehavior> readBehavior(const JsonValue& component, std::string_view fallback)
{
    KAIKOU_TRY(const std::string name, readText(component, "behavior", fallback));
    for (const auto& [known, behavior] : kBehaviors) {
        if (known == name)
            return behavior;
    }
    return component.error(ErrorCode::TokenizerInvalid, "unknown split behavior `" + name + '`');
}

} // namespace

Result<PrependScheme> readPrependScheme(const JsonValue& metaspace)
{
    KAIKOU_TRY(const bool prefix, readFlag(metaspace, "add_prefix_space", true)); // files before 2024
    KAIKOU_TRY(const std::string name, readText(metaspace, "prepend_scheme", prefix ? "always" : "never"));
    if (name == "always")
        return PrependScheme::Always;
    if (name == "first")
        return PrependScheme::First;
    if (name == "never")
        return PrependScheme::Never;
    return metaspace.error(ErrorCode::TokenizerInvalid, "unknown prepend_scheme `" + name + '`');
}

Result<PreTokenizer> PreTokenizer::read(const JsonValue& value)
{
    PreTokenizer result;
    if (!value.isNull())
        KAIKOU_CHECK(result.add(value));
    return result;
}

Result<void> PreTokenizer::add(const JsonValue& value)
{
    KAIKOU_TRY(const std::string_view type, readType(value));
    if (type == "Sequence") {
        KAIKOU_TRY(const JsonValue list, value.member("pretokenizers", ErrorCode::TokenizerInvalid));
        for (const JsonValue item : list.children())
            KAIKOU_CHECK(add(item));
        return {};
    }
    KAIKOU_CHECK(checkSteps(value, m_steps.size()));
    m_description = m_steps.empty() ? std::string(type) : m_description + ", " + std::string(type);
    return addComponent(value, type);
}

Result<void> PreTokenizer::addComponent(const JsonValue& value, std::string_view type)
{
    if (type == "ByteLevel")
        return addByteLevel(value);
    if (type == "Split")
        return addSplit(value);
    if (type == "Metaspace")
        return addMetaspace(value);
    if (type == "Digits") {
        KAIKOU_TRY(const bool each, readFlag(value, "individual_digits", false));
        m_steps.emplace_back(
            SplitAtCharacters {isNumeric, each ? SplitBehavior::Isolated : SplitBehavior::Contiguous});
    } else if (type == "Punctuation") {
        KAIKOU_TRY(const SplitBehavior behavior, readBehavior(value, "Isolated"));
        m_steps.emplace_back(SplitAtCharacters {isPunctuation, behavior});
    } else if (type == "WhitespaceSplit") {
        m_steps.emplace_back(SplitAtCharacters {isWhiteSpace, SplitBehavior::Removed});
    } else if (type == "Whitespace") {
        KAIKOU_TRY(Regex words, Regex::compile(kWordsPattern));
        m_steps.emplace_back(Split {std::move(words), SplitBehavior::Removed, true});
    } else {
        return unsupportedComponent(value, "pre-tokenizer", type);
    }
    return {};
}

Result<void> PreTokenizer::addByteLevel(const JsonValue& value)
{
    KAIKOU_TRY(const bool prefix, readFlag(value, "add_prefix_space", true));
    KAIKOU_TRY(const bool useRegex, readFlag(value, "use_regex", true));
    ByteLevel step {prefix, {}};
    if (useRegex) {
        KAIKOU_TRY(Regex pattern, Regex::compile(kGpt2Pattern));
        step.split.push_back(std::move(pattern));
    }
    m_steps.emplace_back(std::move(step));
    return {};
}

Result<void> PreTokenizer::addSplit(const JsonValue& value)
{
    KAIKOU_TRY(const JsonValue patternValue, value.member("pattern", ErrorCode::TokenizerInvalid));
    KAIKOU_TRY(Regex pattern, readPattern(patternValue));
    KAIKOU_TRY(const SplitBehavior behavior, readBehavior(value, "Isolated"));
    KAIKOU_TRY(const bool inverted, readFlag(value, "invert", false));
    m_steps.emplace_back(Split {std::move(pattern), behavior, inverted});
    return {};
}

Result<void> PreTokenizer::addMetaspace(const JsonValue& value)
{
    KAIKOU_TRY(std::string replacement, readInsertion(value, "replacement", "\u2581"));
    KAIKOU_TRY(const PrependScheme scheme, readPrependScheme(value));
    KAIKOU_TRY(const bool split, readFlag(value, "split", true));
    Metaspace step {std::move(replacement), scheme, {}};
    if (split) {
        KAIKOU_TRY(Regex pattern, Regex::literal(step.replacement));
        step.split.push_back(std::move(pattern));
    }
    m_steps.emplace_back(std::move(step));
    return {};
}

void PreTokenizer::apply(PieceList& list) const
{
    const std::size_t limit = growthLimit(list.bytes());
    for (const Step& step : m_steps) {
        std::visit([&list](const auto& s) { run(s, list); }, step);
        if (list.bytes() > limit)
            break;
    }
}

void PreTokenizer::run(const ByteLevel& step, PieceList& list)
{
    if (step.addPrefixSpace) {
        list.rewrite([](const PieceList::Piece& piece, std::string& out) {
            if (!piece.text.starts_with(' '))
                out += ' ';
            out += piece.text;
        });
    }
    for (const Regex& pattern : step.split) {
        list.split([&pattern](std::string_view text) {
            return applyBehavior(splitParts(text, pattern.findAll(text)), SplitBehavior::Isolated);
        });
    }
    list.rewrite(
        [](const PieceList::Piece& piece, std::string& out) { appendAsByteAlphabet(out, piece.text); });
}

void PreTokenizer::run(const Split& step, PieceList& list)
{
    list.split([&step](std::string_view text) {
        std::vector<SplitPart> parts = splitParts(text, step.pattern.findAll(text));
        if (step.inverted)
            invert(parts);
        return applyBehavior(std::move(parts), step.behavior);
    });
}

void PreTokenizer::run(const SplitAtCharacters& step, PieceList& list)
{
    list.split([&step](std::string_view text) {
        return applyBehavior(splitParts(text, step.isMatch), step.behavior);
    });
}

void PreTokenizer::run(const Metaspace& step, PieceList& list)
{
    list.rewrite([&step](const PieceList::Piece& piece, std::string& out) {
        const bool wanted
            = step.scheme == PrependScheme::Always || (step.scheme == PrependScheme::First && piece.atStart);
        if (wanted && !piece.text.starts_with(' ') && !piece.text.starts_with(step.replacement))
            out += step.replacement;
        for (const char c : piece.text) {
            if (c == ' ')
                out += step.replacement;
            else
                out += c;
        }
    });
    for (const Regex& pattern : step.split) {
        list.split([&pattern](std::string_view text) {
            return applyBehavior(splitParts(text, pattern.findAll(text)), SplitBehavior::MergedWithNext);
        });
    }
}

} // namespace kaikou
