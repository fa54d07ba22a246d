#include "inference/study/eval_set.h"

#include "inference/base/json.h"
#include "inference/base/utf8.h"
#include "inference/sample/rng.h"
#include "inference/study/loop.h"

#include <algorithm>
#include <set>

namespace kaikou {

namespace {

Result<std::vector<std::string>> strings(JsonValue list)
{
    std::vector<std::string> texts;
    for (const JsonValue item : list.children()) {
        KAIKOU_TRY(const std::string_view text, item.string());
        texts.emplace_back(text);
    }
    return texts;
}

Result<Turns> readTurns(JsonValue row)
{
    Turns turns;
    if (row.given("prompt")) {
        KAIKOU_TRY(const std::string_view text, row["prompt"].string());
        turns.turns.push_back({Role::User, std::string(text)});
        return turns;
    }
    KAIKOU_TRY(const JsonValue messages, row.member("messages"));
    for (const JsonValue message : messages.children()) {
        KAIKOU_TRY(const std::string_view role, message["role"].string());
        KAIKOU_TRY(const std::string_view content, message["content"].string());
        turns.turns.push_back({role == "user" ? Role::User : Role::Assistant, std::string(content)});
    }
    if (turns.turns.empty())
        return messages.error(ErrorCode::FormatJson, "no message");
    return turns;
}

Result<EvalRow> readRow(JsonValue json)
{
    EvalRow row;
    KAIKOU_TRY(row.turns, readTurns(json));
    for (const JsonValue group : json["keywords"].children()) {
        KAIKOU_TRY(std::vector<std::string> words, strings(group));
        row.keywords.push_back(std::move(words));
    }
    KAIKOU_TRY(row.forbidden, strings(json["forbidden"]));
    for (const auto& [name, field] :
        {std::pair {"id", &row.id}, std::pair {"kind", &row.kind}, std::pair {"reference", &row.reference}}) {
        if (json.given(name)) {
            KAIKOU_TRY(const std::string_view text, json[name].string());
            *field = text;
        }
    }
    if (json.given("answer")) {
        KAIKOU_TRY(const std::string_view text, json["answer"].string());
        row.answer = std::string(text);
    }
    for (const JsonValue share : json["split"].children()) {
        KAIKOU_TRY(const double value, share.number());
        row.split.emplace_back(share.key(), value);
    }
    return row;
}

std::u32string characters(std::string_view bytes)
{
    std::u32string text;
    while (!bytes.empty()) {
        const Utf8Unit unit = firstUtf8Unit(bytes);
        text.push_back(unit.codePoint);
        bytes.remove_prefix(unit.length);
    }
    return text;
}

} // namespace

Result<std::vector<EvalRow>> parseEvalSet(std::string_view text, const std::string& where)
{
    std::vector<EvalRow> rows;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        KAIKOU_TRY(
            const JsonDocument document, JsonDocument::parse(line, where + ":" + std::to_string(number)));
        KAIKOU_TRY(EvalRow row, readRow(document.root()));
        rows.push_back(std::move(row));
    }
    return rows;
}

bool acceptable(const EvalRow& row, std::string_view reply)
{
    const auto occurs
        = [reply](const std::string& text) { return reply.find(text) != std::string_view::npos; };
    if (row.answer && reply != *row.answer)
        return false;
    if (std::any_of(row.forbidden.begin(), row.forbidden.end(), occurs))
        return false;
    return std::all_of(
        row.keywords.begin(), row.keywords.end(), [&occurs](const std::vector<std::string>& group) {
            return std::any_of(group.begin(), group.end(), occurs);
        });
}

Turns afterEarlierTurns(
    const EvalRow& row, std::span<const EvalRow> pool, std::uint32_t count, std::uint64_t seed)
{
    std::vector<const EvalRow*> known;
    for (const EvalRow& other : pool) {
        if (!other.reference.empty() && other.turns.turns.size() == 1)
            known.push_back(&other);
    }
    Turns turns = row.turns;
    if (known.empty())
        return turns;
    std::vector<Turn> earlier;
    for (std::uint32_t i = 0; i < count; ++i) {
        const EvalRow& other = *known[rng::word(seed, i) % known.size()];
        earlier.push_back(other.turns.turns.front());
        earlier.push_back({Role::Assistant, other.reference});
    }
    turns.turns.insert(turns.turns.begin(), earlier.begin(), earlier.end());
    return turns;
}

ReplyShape shapeOf(std::span<const std::string> replies)
{
    ReplyShape shape;
    shape.distinct = std::set<std::string>(replies.begin(), replies.end()).size();
    for (const std::string& reply : replies) {
        const std::u32string text = characters(reply);
        const bool ended = !text.empty()
            && std::u32string_view(U"。！？…”」.!?~").find(text.back()) != std::u32string::npos;
        shape.complete += ended ? 1 : 0;
        shape.looped += findLoop(text) ? 1 : 0;
    }
    return shape;
}

} // namespace kaikou
