#include "inference/chat/prompt_builder.h"

#include "inference/base/utf8.h"
#include "inference/chat/form_text.h"
#include "inference/chat/origins.h"
#include "inference/chat/render.h"

#include <algorithm>
#include <set>
#include <string>

namespace kaikou {

namespace {

void eraseAll(std::string& text, std::string_view part)
{
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
        text.erase(at, part.size());
}

// The family's own clean-up of prompt text.
void clean(std::vector<Segment>& segments, Family family)
{
    if (!isGptTeacher(family))
        return;
    for (Segment& segment : segments) {
        std::erase(segment.text, ' ');
        eraseAll(segment.text, "\u3000");
    }
}

std::vector<TokenId> withBos(std::string_view text, const Tokenizer& tokenizer, bool parseSpecial)
{
    std::vector<TokenId> ids = tokenizer.encode(text, {.addSpecial = false, .parseSpecial = parseSpecial});
    if (const auto bos = tokenizer.special().bos)
        ids.insert(ids.begin(), *bos);
    return ids;
}

std::vector<TokenId> encodeTurns(std::string_view text, const PromptTarget& target)
{
    if (target.family == Family::GptTeacherFirst)
        return target.tokenizer->encode(text, {.addSpecial = true, .parseSpecial = true});
    return withBos(text, *target.tokenizer, isGptTeacher(target.family));
}

std::vector<TokenId> encodeRaw(std::string_view text, const PromptTarget& target, EncodeOptions options)
{
    if (target.family == Family::GptTeacher && options.addSpecial) // BOS, but never its template's EOS
        return withBos(text, *target.tokenizer, options.parseSpecial);
    return target.tokenizer->encode(text, options);
}

Error tooLong(std::size_t needs, std::uint32_t has, const std::string& why)
{
    return {ErrorCode::PromptTooLong,
        "the prompt needs " + std::to_string(needs) + " positions and has " + std::to_string(has) + why,
        "prompt"};
}

// What of the text the tokenizer has no id for. Each character is asked alone, so that a word is not blamed
// for one of its letters.
std::vector<std::string> unknownCharacters(std::string_view text, const Tokenizer& tokenizer)
{
    std::vector<std::string> found;
    std::set<std::string_view> asked;
    while (!text.empty()) {
        const std::string_view character = text.substr(0, firstUtf8Unit(text).length);
        text.remove_prefix(character.size());
        if (!asked.insert(character).second)
            continue;
        const std::vector<TokenId> ids = tokenizer.encode(character, {});
        if (std::find(ids.begin(), ids.end(), tokenizer.special().unk) != ids.end())
            found.emplace_back(character);
    }
    return found;
}

// Everything that follows from the ids, the first `cut` of which are left out.
void complete(
    PromptInfo& info, const std::vector<Segment>& segments, const PromptTarget& target, std::size_t cut = 0)
{
    const Tokenizer& tokenizer = *target.tokenizer;
    info.text = textOf(segments);
    info.origins = originsOf(info.ids, segments, tokenizer);
    info.ids.erase(info.ids.begin(), info.ids.begin() + static_cast<std::ptrdiff_t>(cut));
    info.origins.erase(info.origins.begin(), info.origins.begin() + static_cast<std::ptrdiff_t>(cut));
    info.answerTokens = target.context - static_cast<std::uint32_t>(info.ids.size());
    for (const TokenId id : info.ids) {
        if (id == tokenizer.special().unk)
            info.unknown.push_back(id);
    }
    if (!info.unknown.empty())
        info.unknownCharacters = unknownCharacters(info.text, tokenizer);
}

// Chat turns: how many of the oldest exchanges have to go, and the prompt of the rest.
class TurnsPrompt
{
public:
    TurnsPrompt(const Turns& turns, const PromptTarget& target, const PromptOptions& options)
        : m_turns(turns)
        , m_target(target)
        , m_options(options)
        , m_exchanges(exchangesOf(turns.turns))
    {
        const bool automatic = turns.form == ChatForm::Automatic;
        m_info.form = automatic ? target.automatic.form : turns.form;
        m_info.reason = automatic ? target.automatic.reason : "chosen by the user";
    }

    Result<PromptInfo> build()
    {
        if (m_exchanges.empty())
            return Error {ErrorCode::PromptEmpty, "there is no turn to answer", "turns"};
        const std::uint32_t limit = m_target.context - reserve();
        build(0);
        if (m_info.ids.size() > limit) {
            if (m_options.fit == Fit::DropTurns)
                dropExchanges(limit);
            if (m_info.ids.size() > limit)
                return tooLong(m_info.ids.size(), limit,
                    ": " + std::to_string(reserve()) + " of " + std::to_string(m_target.context)
                        + " are kept for the answer");
        }
        if (m_info.ids.empty())
            return Error {ErrorCode::PromptEmpty, "the prompt has no tokens", "turns"};
        complete(m_info, m_segments, m_target);
        return std::move(m_info);
    }

private:
    [[nodiscard]] std::uint32_t reserve() const
    {
        const std::uint32_t wanted = std::max(16U, m_target.context / 4);
        const std::uint32_t asked = m_options.maxTokens == 0 ? wanted : std::min(m_options.maxTokens, wanted);
        return std::min(asked, m_target.context);
    }

    // Length falls with the number of exchanges dropped, so the smallest number that fits is bisected.
    void dropExchanges(std::uint32_t limit)
    {
        const std::uint32_t target = std::min(limit, static_cast<std::uint32_t>(0.6 * m_target.context));
        std::size_t low = 1;
        std::size_t high = m_exchanges.size() - 1;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            build(middle);
            if (m_info.ids.size() <= target)
                high = middle;
            else
                low = middle + 1;
        }
        build(high);
        for (std::size_t e = 0; e < high; ++e)
            m_info.droppedTurns += static_cast<std::uint32_t>(m_exchanges[e].end - m_exchanges[e].begin);
    }

    void build(std::size_t firstExchange)
    {
        m_segments = render(m_turns, m_exchanges, firstExchange, m_info.form);
        clean(m_segments, m_target.family);
        m_info.ids = encodeTurns(textOf(m_segments), m_target);
    }

    const Turns& m_turns;
    const PromptTarget& m_target;
    const PromptOptions& m_options;
    std::vector<Exchange> m_exchanges;
    std::vector<Segment> m_segments; // of the last build()
    PromptInfo m_info;
};

Result<PromptInfo> buildRaw(const std::string& text, const PromptTarget& target, const PromptOptions& options)
{
    std::vector<Segment> segments {{text, {TokenSource::Text, -1}}};
    clean(segments, target.family);
    PromptInfo info;
    info.reason = "raw text";
    info.ids = encodeRaw(segments.front().text, target, options.encode);
    std::size_t cut = 0;
    if (options.fit == Fit::KeepEnd && info.ids.size() + 1 > target.context)
        cut = info.ids.size() + 1 - target.context;
    if (info.ids.empty())
        return Error {ErrorCode::PromptEmpty, "the prompt has no tokens", "prompt"};
    if (info.ids.size() - cut > target.context)
        return tooLong(info.ids.size(), target.context, "");
    if (cut > 0)
        info.reason += ", cut to its last " + std::to_string(target.context - 1) + " of "
            + std::to_string(info.ids.size()) + " ids as GPT_teacher does";
    complete(info, segments, target, cut);
    return info;
}

Result<PromptInfo> buildIds(const std::vector<TokenId>& ids, const PromptTarget& target)
{
    if (ids.empty())
        return Error {ErrorCode::PromptEmpty, "the prompt has no tokens", "prompt"};
    if (ids.size() > target.context)
        return tooLong(ids.size(), target.context, "");
    PromptInfo info;
    info.reason = "token ids";
    info.ids = ids;
    std::string text;
    for (const TokenId id : ids)
        text += target.tokenizer->piece(id);
    complete(info, {{text, {TokenSource::Text, -1}}}, target);
    return info;
}

} // namespace

Result<PromptInfo> buildPrompt(const Prompt& prompt, const PromptTarget& target, const PromptOptions& options)
{
    if (const auto* turns = std::get_if<Turns>(&prompt))
        return TurnsPrompt(*turns, target, options).build();
    if (const auto* text = std::get_if<std::string>(&prompt))
        return buildRaw(*text, target, options);
    return buildIds(std::get<std::vector<TokenId>>(prompt), target);
}

} // namespace kaikou
