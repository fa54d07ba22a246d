#include "inference/load/hf_files.h"

#include "inference/base/json.h"
#include "inference/base/md5.h"
#include "inference/load/hf_config.h"

#include <algorithm>
#include <string>
#include <utility>

namespace kaikou {

namespace {

constexpr std::uint64_t kMaxTokenizer = std::uint64_t {256} << 20;
constexpr std::uint64_t kMaxSideFile = std::uint64_t {16} << 20;
constexpr std::size_t kMd5Digits = 12; // as GPT_teacher prints its fingerprints

// "eos_token": "</s>" or {"content": "</s>"}
std::string_view tokenText(JsonValue token)
{
    const auto text = token.isObject() ? token["content"].string() : token.string();
    return text ? *text : std::string_view();
}

// Id of a special token by its text, from a list or an object of added tokens.
std::optional<TokenId> findAdded(JsonValue added, std::string_view text)
{
    for (const JsonValue token : added.children()) {
        if (tokenText(token) != text || text.empty())
            continue;
        if (const auto id = token["id"].count(); id && *id < (1U << 20))
            return static_cast<TokenId>(*id);
        const std::string_view key = token.key(); // added_tokens_decoder: {"2": {"content": ...}}
        if (!key.empty() && key.size() < 7 && key.find_first_not_of("0123456789") == std::string_view::npos)
            return static_cast<TokenId>(std::stoul(std::string(key)));
    }
    return std::nullopt;
}

// Where neither config names an id, the text of the special token is looked up among the added tokens.
void addByText(JsonValue config, const ByteSource& tokenizer, SpecialIds& special)
{
    const std::string_view bos = tokenText(config["bos_token"]);
    const std::string_view eos = tokenText(config["eos_token"]);
    const auto apply = [&](JsonValue added) {
        if (!special.bos)
            special.bos = findAdded(added, bos);
        if (const auto id = findAdded(added, eos);
            id && std::find(special.eos.begin(), special.eos.end(), *id) == special.eos.end())
            special.eos.push_back(*id);
    };
    apply(config["added_tokens_decoder"]);
    if ((special.bos || bos.empty()) && (!special.eos.empty() || eos.empty()))
        return;
    if (const auto document
        = JsonDocument::parse(tokenizer.text(), tokenizer.where, {kMaxTokenizer, 64, false}))
        apply(document->root()["added_tokens"]);
}

// "chat_template": text, or [{"name": "default", "template": text}, ...]
std::string chatTemplate(JsonValue value)
{
    if (const auto text = value.string())
        return std::string(*text);
    std::string chosen;
    for (const JsonValue named : value.children())
        if (const auto text = named["template"].string();
            text && (chosen.empty() || tokenText(named["name"]) == "default"))
            chosen = *text;
    return chosen;
}

bool isFile(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::exists(path, error);
}

Result<void> readTokenizerConfig(
    const std::filesystem::path& folder, TokenizerSource& source, std::vector<Warning>& warnings)
{
    const std::filesystem::path path = folder / "tokenizer_config.json";
    if (isFile(path)) {
        KAIKOU_TRY(const ByteSource file, readFile(path, kMaxSideFile));
        const auto document = JsonDocument::parse(file.text(), file.where);
        if (document) {
            const ByteSource tokenizer {std::as_bytes(std::span(source.content)), nullptr, source.where};
            addByText(document->root(), tokenizer, source.special);
            source.chatTemplate = chatTemplate(document->root()["chat_template"]);
        } else {
            warnings.push_back({document.error().code, document.error().message, document.error().where});
        }
    }
    const std::filesystem::path jinja = folder / "chat_template.jinja";
    if (isFile(jinja)) {
        KAIKOU_TRY(const ByteSource file, readFile(jinja, kMaxSideFile));
        source.chatTemplate = file.text();
    }
    return {};
}

} // namespace

Result<TokenizerSource> readTokenizerFile(const std::filesystem::path& path)
{
    auto file = readFile(path, kMaxTokenizer);
    if (!file) {
        Error error = std::move(file).error();
        if (error.code == ErrorCode::FileNotFound)
            error.code = ErrorCode::TokenizerMissing;
        error.message = "tokenizer: " + error.message;
        return error;
    }
    TokenizerSource source;
    source.kind = TokenizerKind::HfJson;
    source.content = file->text();
    source.where = file->where;
    source.md5 = md5Hex(file->bytes).substr(0, kMd5Digits);
    return source;
}

Result<TokenizerSource> readHfTokenizer(const std::filesystem::path& folder, SpecialIds special,
    const std::optional<std::filesystem::path>& replacement, std::vector<Warning>& warnings)
{
    const std::filesystem::path path = replacement.value_or(folder / "tokenizer.json");
    auto read = readTokenizerFile(path);
    if (!read && (replacement || read.error().code != ErrorCode::TokenizerMissing))
        return std::move(read).error();
    TokenizerSource source;
    if (read)
        source = std::move(*read);
    else
        warnings.push_back(
            {ErrorCode::TokenizerMissing, "the folder has no tokenizer.json", folder.string()});
    source.special = std::move(special);
    KAIKOU_CHECK(readTokenizerConfig(folder, source, warnings));
    return source;
}

GenerationHints readGenerationConfig(
    const ByteSource& file, SpecialIds& special, std::vector<Warning>& warnings)
{
    GenerationHints hints;
    const auto document = JsonDocument::parse(file.text(), file.where);
    if (!document) {
        warnings.push_back({document.error().code, document.error().message, document.error().where});
        return hints;
    }
    const JsonValue root = document->root();
    const auto number = [&](std::string_view key, std::optional<float>& hint) {
        if (const auto value = root[key].number())
            hint = static_cast<float>(*value);
    };
    number("temperature", hints.temperature);
    number("top_p", hints.topP);
    number("min_p", hints.minP);
    number("repetition_penalty", hints.repetitionPenalty);
    if (const auto value = root["top_k"].integer(); value && *value >= 0 && *value <= (1 << 20))
        hints.topK = static_cast<std::int32_t>(*value);
    SpecialIds own;
    if (const auto read = readSpecialIds(root, own); !read)
        warnings.push_back({read.error().code, read.error().message, read.error().where});
    if (own.bos)
        special.bos = own.bos;
    if (own.pad)
        special.pad = own.pad;
    if (!own.eos.empty())
        special.eos = own.eos;
    return hints;
}

} // namespace kaikou
