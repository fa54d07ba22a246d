#include "inference/base/utf8.h"
#include "inference/history/chat_json.h"

namespace kaikou {

namespace {

std::string hex(std::string_view bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        text += kDigits[static_cast<unsigned char>(byte) >> 4U];
        text += kDigits[static_cast<unsigned char>(byte) & 15U];
    }
    return text;
}

void setExtra(Json& json, const ExtraMembers& extra)
{
    for (const auto& [key, value] : extra)
        json.set(key, value);
}

Json toJson(const ChatToken& token)
{
    Json json = Json::object();
    json.set("id", token.id)
        .set("begin", token.begin)
        .set("length", token.length)
        .set("logprob", static_cast<float>(token.logModel))
        .set("logprob_shaped", static_cast<float>(token.logShaped))
        .set("logprob_sample", static_cast<float>(token.logSample))
        .set("rank", token.rank == 0 ? Json() : Json(token.rank))
        .set("entropy", static_cast<float>(token.entropy))
        .set("u", token.u);
    for (const auto& [key, on] : {std::pair("greedy", token.greedy), std::pair("forced", token.forced),
             std::pair("special", token.special)}) {
        if (on)
            json.set(key, true);
    }
    Json top = Json::array();
    for (const auto& [id, logprob] : token.top)
        top.push(Json::array().push(id).push(static_cast<float>(logprob)));
    return json.set("top", std::move(top));
}

Json toJson(const ChatRun& run)
{
    Json ids = Json::array();
    for (const TokenId id : run.promptIds)
        ids.push(id);
    Json json = Json::object();
    json.set("seed", std::to_string(run.seed))
        .set("params", run.params)
        .set("model_fingerprint", run.model)
        .set("tokenizer_fingerprint", run.tokenizer)
        .set("backend", run.backend)
        .set("build", run.build)
        .set("chat_form", run.form)
        .set("fallback", run.fallback)
        .set("prompt_ids", std::move(ids))
        .set("dropped_turns", run.droppedTurns)
        .set("prompt_tokens", run.promptTokens)
        .set("cached_tokens", run.cachedTokens)
        .set("new_tokens", run.newTokens)
        .set("said_tokens", run.said)
        .set("ttft_ms", run.ttftMs)
        .set("prefill_ms", run.prefillMs)
        .set("decode_ms", run.decodeMs);
    setExtra(json, run.extra);
    return json;
}

Json toJson(const ChatNode& node)
{
    Json json = Json::object();
    json.set("id", node.id)
        .set("parent", node.parent == 0 ? Json() : Json(node.parent))
        .set("role", node.assistant ? "assistant" : "user")
        .set("created_ms", node.createdMs);
    if (isValidUtf8(node.text))
        json.set("text", node.text);
    else
        json.set("text_hex", hex(node.text));
    if (node.assistant)
        json.set("state", node.state).set("stop", node.stop.empty() ? Json() : Json(node.stop));
    if (node.forkToken)
        json.set("fork_token", *node.forkToken);
    if (node.run)
        json.set("run", toJson(*node.run));
    if (!node.tokens.empty()) {
        Json tokens = Json::array();
        for (const ChatToken& token : node.tokens)
            tokens.push(toJson(token));
        json.set("tokens", std::move(tokens));
    }
    setExtra(json, node.extra);
    return json;
}

} // namespace

std::string writeChatJson(const ChatDocument& chat)
{
    Json messages = Json::array();
    for (const ChatNode& node : chat.nodes)
        messages.push(toJson(node));
    Json json = Json::object();
    json.set("format", "kaikou-chat")
        .set("version", kChatJsonVersion)
        .set("uuid", chat.uuid)
        .set("title", chat.title)
        .set("pinned", chat.pinned)
        .set("created_ms", chat.createdMs)
        .set("updated_ms", chat.updatedMs)
        .set("system_prompt", chat.systemPrompt)
        .set("params", chat.params)
        .set("active_leaf", chat.activeLeaf == 0 ? Json() : Json(chat.activeLeaf))
        .set("messages", std::move(messages));
    setExtra(json, chat.extra);
    return json.dump(1) + '\n';
}

} // namespace kaikou
