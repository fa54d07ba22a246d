#include "inference/tokenize/post_processor.h"

#include "inference/tokenize/json_pattern.h"

namespace kaikou {

namespace {

using Known = std::function<bool(TokenId)>;

Result<TokenId> readId(const JsonValue& value, const Known& known)
{
    KAIKOU_TRY(const std::uint64_t id, value.count(ErrorCode::TokenizerInvalid));
    if (id > kMaxTokenId || !known(static_cast<TokenId>(id)))
        return value.error(ErrorCode::TokenizerInvalid, "id " + std::to_string(id) + " is no token");
    return static_cast<TokenId>(id);
}

Result<std::vector<TokenId>> specialIds(const JsonValue& processor, const JsonValue& item, const Known& known)
{
    KAIKOU_TRY(const JsonValue nameValue, item.member("id", ErrorCode::TokenizerInvalid));
    KAIKOU_TRY(const std::string_view name, nameValue.string(ErrorCode::TokenizerInvalid));
    const JsonValue entry = processor["special_tokens"][name];
    if (!entry.isObject())
        return item.error(ErrorCode::TokenizerInvalid,
            "the template uses `" + std::string(name) + "`, which its special_tokens lack");
    KAIKOU_TRY(const JsonValue list, entry.member("ids", ErrorCode::TokenizerInvalid));
    std::vector<TokenId> ids;
    for (const JsonValue value : list.children()) {
        KAIKOU_TRY(const TokenId id, readId(value, known));
        ids.push_back(id);
    }
    return ids;
}

Result<PostProcessor> readTemplate(const JsonValue& value, const Known& known)
{
    KAIKOU_TRY(const JsonValue single, value.member("single", ErrorCode::TokenizerInvalid));
    PostProcessor result;
    bool textSeen = false;
    for (const JsonValue item : single.children()) {
        if (item.has("SpecialToken")) {
            KAIKOU_TRY(const auto ids, specialIds(value, item["SpecialToken"], known));
            std::vector<TokenId>& side = textSeen ? result.after : result.before;
            side.insert(side.end(), ids.begin(), ids.end());
        } else if (item.has("Sequence") && !textSeen) {
            textSeen = true;
        } else {
            return item.error(ErrorCode::TokenizerUnsupported,
                "a template for a single text must name that text once and special tokens else");
        }
    }
    if (!textSeen)
        return single.error(ErrorCode::TokenizerUnsupported, "the template leaves the text out");
    return result;
}

// "cls": ["<s>", 0]
Result<TokenId> readPair(const JsonValue& processor, std::string_view key, const Known& known)
{
    KAIKOU_TRY(const JsonValue pair, processor.member(key, ErrorCode::TokenizerInvalid));
    std::size_t index = 0;
    for (const JsonValue item : pair.children()) {
        if (index++ == 1)
            return readId(item, known);
    }
    return pair.error(ErrorCode::TokenizerInvalid, "expected a token and its id");
}

} // namespace

Result<PostProcessor> PostProcessor::read(const JsonValue& value, const Known& known)
{
    if (value.isNull())
        return PostProcessor {};
    KAIKOU_TRY(const std::string_view type, readType(value));
    if (type == "ByteLevel") // only moves offsets
        return PostProcessor {};
    if (type == "TemplateProcessing")
        return readTemplate(value, known);
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        KAIKOU_TRY(const TokenId first, readPair(value, "cls", known));
        KAIKOU_TRY(const TokenId last, readPair(value, "sep", known));
        return PostProcessor {{first}, {last}};
    }
    if (type != "Sequence")
        return unsupportedComponent(value, "post-processor", type);
    KAIKOU_TRY(const JsonValue list, value.member("processors", ErrorCode::TokenizerInvalid));
    PostProcessor result;
    for (const JsonValue item : list.children()) {
        KAIKOU_TRY(const PostProcessor outer, read(item, known));
        result.before.insert(result.before.begin(), outer.before.begin(), outer.before.end());
        result.after.insert(result.after.end(), outer.after.begin(), outer.after.end());
    }
    return result;
}

} // namespace kaikou
