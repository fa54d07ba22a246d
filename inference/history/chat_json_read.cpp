#include "inference/history/chat_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <span>

namespace kaikou {

namespace {

using Known = std::span<const std::string_view>;

// Any JSON value again, as it was.
Json copyOf(const JsonValue& value)
{
    switch (value.type()) {
    case JsonType::Null:
        return {};
    case JsonType::Boolean:
        return {*value.boolean()};
    case JsonType::Integer:
        if (const auto number = value.integer())
            return {*number};
        return {*value.count()};
    case JsonType::Real:
        return {*value.number()};
    case JsonType::String:
        return {std::string(*value.string())};
    case JsonType::Array: {
        Json array = Json::array();
        for (const JsonValue item : value.children())
            array.push(copyOf(item));
        return array;
    }
    case JsonType::Object:
        break;
    }
    Json object = Json::object();
    for (const JsonValue item : value.children())
        object.set(std::string(item.key()), copyOf(item));
    return object;
}

ExtraMembers extraOf(const JsonValue& object, Known known)
{
    ExtraMembers extra;
    for (const JsonValue member : object.children()) {
        if (std::ranges::find(known, member.key()) == known.end())
            extra.emplace_back(member.key(), copyOf(member));
    }
    return extra;
}

// Reads members of one object; the first fault is kept and the rest answers defaults.
class Members
{
public:
    explicit Members(const JsonValue& object)
        : m_object(object)
    {
    }

    std::int64_t integer(std::string_view key, std::int64_t fallback = 0)
    {
        return read(key, fallback, [](const JsonValue& value) { return value.integer(); });
    }

    std::uint64_t count(std::string_view key)
    {
        return read(key, std::uint64_t {0}, [](const JsonValue& value) { return value.count(); });
    }

    double number(std::string_view key, double fallback)
    {
        return read(key, fallback, [](const JsonValue& value) { return value.number(); });
    }

    bool flag(std::string_view key)
    {
        return read(key, false, [](const JsonValue& value) { return value.boolean(); });
    }

    std::string string(std::string_view key, std::string_view fallback = {})
    {
        return std::string(read(key, fallback, [](const JsonValue& value) { return value.string(); }));
    }

    // One of the names; anything else is a fault.
    std::string name(std::string_view key, Known names, std::string_view fallback)
    {
        std::string text = string(key, fallback);
        if (text != fallback && std::ranges::find(names, text) == names.end())
            fault(m_object[key].error(ErrorCode::FormatJson, "unknown value \"" + text + "\""));
        return text;
    }

    void fault(Error error)
    {
        if (!m_error)
            m_error = std::move(error);
    }

    void fault(std::string message) { fault(m_object.error(ErrorCode::FormatJson, std::move(message))); }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    template <class Value, class Read>
    Value read(std::string_view key, Value fallback, Read read)
    {
        if (!m_object.given(key))
            return fallback;
        const auto value = read(m_object[key]);
        if (value.ok())
            return static_cast<Value>(*value);
        fault(value.error());
        return fallback;
    }

    JsonValue m_object;
    std::optional<Error> m_error;
};

std::optional<std::string> bytesOf(std::string_view hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned value = 0;
        const auto end = std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
        if (end.ptr != hex.data() + i + 2)
            return std::nullopt;
        bytes += static_cast<char>(value);
    }
    return hex.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

Result<ChatToken> readToken(const JsonValue& json, std::uint64_t from, std::uint64_t textSize)
{
    Members in(json);
    ChatToken token;
    token.id = static_cast<TokenId>(std::min<std::uint64_t>(in.count("id"), UINT32_MAX));
    token.begin = in.count("begin");
    token.length = in.count("length");
    token.logModel = in.number("logprob", NAN);
    token.logShaped = in.number("logprob_shaped", NAN);
    token.logSample = in.number("logprob_sample", NAN);
    token.rank = static_cast<std::uint32_t>(std::min<std::uint64_t>(in.count("rank"), UINT32_MAX));
    token.entropy = in.number("entropy", NAN);
    token.u = in.number("u", NAN);
    token.greedy = in.flag("greedy");
    token.forced = in.flag("forced");
    token.special = in.flag("special");
    for (const JsonValue pair : json["top"].children()) {
        if (pair.size() != 2)
            return pair.error(ErrorCode::FormatJson, "expected [id, logprob]");
        const auto id = (*pair.children().begin()).count();
        auto second = pair.children().begin();
        const auto logprob = (*++second).number();
        if (!id || !logprob)
            return pair.error(ErrorCode::FormatJson, "expected [id, logprob]");
        token.top.emplace_back(static_cast<TokenId>(*id), *logprob);
    }
    if (token.begin < from || token.begin > textSize || token.length > textSize - token.begin)
        in.fault("token outside of the text");
    if (in.error())
        return *in.error();
    return token;
}

Result<ChatRun> readRun(const JsonValue& json)
{
    static constexpr std::array<std::string_view, 17> kKnown {"seed", "params", "model_fingerprint",
        "tokenizer_fingerprint", "backend", "build", "chat_form", "fallback", "prompt_ids", "dropped_turns",
        "prompt_tokens", "cached_tokens", "new_tokens", "said_tokens", "ttft_ms", "prefill_ms", "decode_ms"};
    Members in(json);
    ChatRun run;
    const std::string seed = in.string("seed", "0");
    const auto end = std::from_chars(seed.data(), seed.data() + seed.size(), run.seed);
    if (end.ptr != seed.data() + seed.size() || end.ec != std::errc())
        in.fault("\"seed\" is no 64-bit number");
    if (json.given("params"))
        run.params = copyOf(json["params"]);
    run.model = in.string("model_fingerprint");
    run.tokenizer = in.string("tokenizer_fingerprint");
    run.backend = in.string("backend");
    run.build = in.string("build");
    run.form = in.string("chat_form");
    run.fallback = in.string("fallback");
    for (const JsonValue id : json["prompt_ids"].children()) {
        const auto number = id.count();
        if (!number)
            return number.error();
        run.promptIds.push_back(static_cast<TokenId>(*number));
    }
    run.droppedTurns = in.integer("dropped_turns");
    run.promptTokens = in.integer("prompt_tokens");
    run.cachedTokens = in.integer("cached_tokens");
    run.newTokens = in.integer("new_tokens");
    run.said = in.integer("said_tokens");
    run.ttftMs = in.number("ttft_ms", 0.0);
    run.prefillMs = in.number("prefill_ms", 0.0);
    run.decodeMs = in.number("decode_ms", 0.0);
    run.extra = extraOf(json, kKnown);
    if (in.error())
        return *in.error();
    return run;
}

void readText(const JsonValue& json, Members& in, ChatNode& node)
{
    if (!json.given("text_hex")) {
        if (!json.given("text"))
            in.fault("\"text\" is missing");
        node.text = in.string("text");
        return;
    }
    const auto bytes = bytesOf(in.string("text_hex"));
    if (!bytes)
        in.fault("\"text_hex\" is not hexadecimal");
    node.text = bytes.value_or(std::string());
}

Result<ChatNode> readNode(const JsonValue& json)
{
    static constexpr std::array<std::string_view, 11> kKnown {"id", "parent", "role", "created_ms", "text",
        "text_hex", "state", "stop", "fork_token", "run", "tokens"};
    static constexpr std::array<std::string_view, 2> kRoles {"user", "assistant"};
    static constexpr std::array<std::string_view, 4> kStates {"complete", "stopped", "interrupted", "error"};
    static constexpr std::array<std::string_view, 6> kStops {
        "eos", "stop", "length", "context", "cancelled", "error"};
    Members in(json);
    ChatNode node;
    node.id = in.integer("id");
    node.parent = in.integer("parent");
    node.assistant = in.name("role", kRoles, "") == "assistant";
    if (!json.given("role"))
        in.fault("\"role\" is missing");
    node.createdMs = in.integer("created_ms");
    readText(json, in, node);
    node.state = in.name("state", kStates, "complete");
    node.stop = in.name("stop", kStops, "");
    if (json.given("fork_token"))
        node.forkToken = in.integer("fork_token");
    if (json.given("run")) {
        KAIKOU_TRY(node.run, readRun(json["run"]));
    }
    std::uint64_t from = 0;
    for (const JsonValue token : json["tokens"].children()) {
        KAIKOU_TRY(ChatToken read, readToken(token, from, node.text.size()));
        from = read.begin + read.length;
        node.tokens.push_back(std::move(read));
    }
    node.extra = extraOf(json, kKnown);
    if (in.error())
        return *in.error();
    return node;
}

// Ids are unique and parents come first.
Result<void> addNode(ChatDocument& chat, std::set<std::int64_t>& ids, const JsonValue& json)
{
    KAIKOU_TRY(ChatNode node, readNode(json));
    if (node.id <= 0 || !ids.insert(node.id).second)
        return json.error(ErrorCode::FormatJson, "\"id\" must be positive and unique");
    if (node.parent != 0 && (node.parent >= node.id || !ids.contains(node.parent)))
        return json.error(ErrorCode::FormatJson, "\"parent\" must name an earlier message");
    chat.nodes.push_back(std::move(node));
    return {};
}

} // namespace

Result<ChatDocument> readChatJson(std::string_view text, const std::string& where)
{
    static constexpr std::array<std::string_view, 11> kKnown {"format", "version", "uuid", "title", "pinned",
        "created_ms", "updated_ms", "system_prompt", "params", "active_leaf", "messages"};
    KAIKOU_TRY(const JsonDocument document, JsonDocument::parse(text, where));
    const JsonValue root = document.root();
    Members in(root);
    if (in.string("format") != "kaikou-chat")
        return root.error(
            ErrorCode::FormatUnsupported, "this is no chat of Kaikou (\"format\" is not \"kaikou-chat\")");
    if (const std::int64_t version = in.integer("version"); version != kChatJsonVersion)
        return root.error(ErrorCode::FormatVersion,
            "chat format version " + std::to_string(version) + "; this program reads version "
                + std::to_string(kChatJsonVersion));
    ChatDocument chat;
    chat.uuid = in.string("uuid");
    chat.title = in.string("title");
    chat.pinned = in.flag("pinned");
    chat.createdMs = in.integer("created_ms");
    chat.updatedMs = in.integer("updated_ms");
    chat.systemPrompt = in.string("system_prompt");
    if (root.given("params"))
        chat.params = copyOf(root["params"]);
    std::set<std::int64_t> ids;
    for (const JsonValue message : root["messages"].children())
        KAIKOU_CHECK(addNode(chat, ids, message));
    chat.activeLeaf = in.integer("active_leaf", chat.nodes.empty() ? 0 : chat.nodes.back().id);
    if (chat.activeLeaf != 0 && !ids.contains(chat.activeLeaf))
        in.fault("\"active_leaf\" names no message");
    chat.extra = extraOf(root, kKnown);
    if (in.error())
        return *in.error();
    return chat;
}

Json jsonOf(std::string_view text)
{
    const auto document = JsonDocument::parse(text);
    return document ? copyOf(document->root()) : Json::object();
}

std::vector<const ChatNode*> activePath(const ChatDocument& chat)
{
    std::vector<const ChatNode*> path;
    std::int64_t wanted = chat.activeLeaf;
    for (auto node = chat.nodes.rbegin(); node != chat.nodes.rend(); ++node) {
        if (node->id != wanted)
            continue;
        path.push_back(&*node);
        wanted = node->parent;
    }
    std::ranges::reverse(path);
    return path;
}

} // namespace kaikou
