#include "app/cli/conversation_file.h"

#include "inference/base/byte_source.h"

namespace kaikou::cli {

namespace {

constexpr std::uint64_t kMaxTextBytes = 64ULL << 20; // of a prompt, a chat or an evaluation set

} // namespace

Result<std::string> readText(const std::string& path)
{
    KAIKOU_TRY(const ByteSource file, readFile(path, kMaxTextBytes));
    return std::string(file.text());
}

Result<Turns> turnsFromJson(JsonValue messages)
{
    if (!messages.isArray())
        return messages.error(ErrorCode::FormatJson, "a list of messages is expected");
    Turns turns;
    for (const JsonValue message : messages.children()) {
        KAIKOU_TRY(const JsonValue roleValue, message.member("role"));
        KAIKOU_TRY(const std::string_view role, roleValue.string());
        KAIKOU_TRY(const JsonValue contentValue, message.member("content"));
        KAIKOU_TRY(const std::string_view content, contentValue.string());
        if (role == "system")
            turns.system = content;
        else if (role == "user" || role == "assistant")
            turns.turns.push_back({role == "user" ? Role::User : Role::Assistant, std::string(content)});
        else
            return roleValue.error(ErrorCode::FormatJson, "unknown role (system, user, assistant)");
    }
    return turns;
}

Result<Turns> readMessages(const std::string& path)
{
    KAIKOU_TRY(const std::string text, readText(path));
    KAIKOU_TRY(const JsonDocument document, JsonDocument::parse(text, path));
    return turnsFromJson(document.root());
}

} // namespace kaikou::cli
