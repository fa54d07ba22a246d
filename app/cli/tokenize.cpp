#include "app/cli/conversation_file.h"
#include "app/cli/model_argument.h"
#include "app/cli/print.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace kaikou::cli {

namespace {

struct Options
{
    ModelOptions model;
    std::string text, file;
    std::vector<TokenId> ids;
    EncodeOptions encode;
    bool skipSpecial = false;
};

// MODEL may be a bare tokenizer.json here; otherwise the tokenizer that belongs to the checkpoint.
Result<std::shared_ptr<const Tokenizer>> openTokenizer(const ModelOptions& options, const Console& console)
{
    if (std::filesystem::path(options.model).extension() == ".json") {
        TokenizerSource source;
        source.kind = TokenizerKind::HfJson;
        source.where = options.model;
        KAIKOU_TRY(source.content, readText(options.model));
        return makeTokenizer(source);
    }
    KAIKOU_TRY(const Checkpoint checkpoint, openModel(options, console));
    return makeTokenizer(checkpoint.tokenizer);
}

Result<int> runTokenize(const Options& options, const Console& console)
{
    KAIKOU_TRY(const auto tokenizer, openTokenizer(options.model, console));
    std::string text = options.text;
    if (!options.file.empty()) {
        KAIKOU_TRY(text, readText(options.file));
    }
    Json ids = Json::array();
    Json pieces = Json::array();
    for (const TokenId id : tokenizer->encode(text, options.encode)) {
        const std::string_view bytes = tokenizer->piece(id);
        ids.push(id);
        pieces.push(Json::object()
                        .set("id", id)
                        .set("bytes", bytesJson(bytes))
                        .set("text", isValidUtf8(bytes) ? Json(bytes) : Json()));
        if (!console.json)
            printText(std::to_string(id) + "\t" + visible(bytes) + "\n");
    }
    if (console.json)
        printJson(Json::object().set("ids", ids).set("pieces", pieces));
    return kDone;
}

Result<int> runDetokenize(const Options& options, const Console& console)
{
    KAIKOU_TRY(const auto tokenizer, openTokenizer(options.model, console));
    std::string bytes;
    for (const TokenId id : options.ids) {
        if (!options.skipSpecial || !tokenizer->isSpecial(id))
            bytes += tokenizer->piece(id);
    }
    const std::string text = tokenizer->decode(options.ids, options.skipSpecial);
    if (console.json)
        printJson(Json::object().set("text", text).set("bytes", bytesJson(bytes)));
    else
        printText(text + "\n");
    return kDone;
}

} // namespace

Command addTokenize(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand(
        "tokenize", "Ids and pieces of a text.\nExample: kaikou-cli tokenize builtin --text 你好 --json");
    options->model.addTo(*app, console);
    CLI::Option* text = app->add_option("--text", options->text, "The text");
    app->add_option("--file", options->file, "A file with the text")->excludes(text);
    app->add_flag(
        "--add-special", options->encode.addSpecial, "Run the tokenizer's post-processor (bos, eos)");
    app->add_flag(
        "--parse-special", options->encode.parseSpecial, "Special strings in the text become their ids");
    return {app, [options, &console] { return runTokenize(*options, console); }};
}

Command addDetokenize(CLI::App& root, Console& console)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand(
        "detokenize", "The text of some ids.\nExample: kaikou-cli detokenize builtin --ids 5,6,7");
    options->model.addTo(*app, console);
    app->add_option("--ids", options->ids, "Ids, comma separated")->delimiter(',')->required();
    app->add_flag("--skip-special", options->skipSpecial, "Leave special tokens out");
    return {app, [options, &console] { return runDetokenize(*options, console); }};
}

} // namespace kaikou::cli
