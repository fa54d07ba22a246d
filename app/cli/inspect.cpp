#include "app/cli/model_argument.h"
#include "app/cli/print.h"
#include "inference/backend/registry.h"
#include "inference/chat/form_choice.h"

#include <CLI/CLI.hpp>

#include <map>
#include <memory>

namespace kaikou::cli {

namespace {

struct Card
{
    Checkpoint checkpoint;
    std::shared_ptr<const Tokenizer> tokenizer;
    FormChoice form;
    MemoryNeed memory;
    std::map<std::string, int> dtypes; // name -> tensors
};

std::map<std::string, int> countDtypes(const Weights& weights)
{
    std::map<std::string, int> dtypes;
    for (const Tensor* tensor : allTensors(weights))
        ++dtypes[std::string(dtypeName(tensor->dtype))];
    return dtypes;
}

Result<Card> readCard(const ModelOptions& options, const Console& console)
{
    Card card;
    KAIKOU_TRY(card.checkpoint, openModel(options, console));
    KAIKOU_TRY(card.tokenizer, makeTokenizer(card.checkpoint.tokenizer));
    card.form = chooseForm(card.checkpoint, *card.tokenizer);
    card.dtypes = countDtypes(card.checkpoint.weights);
    LoadOptions load;
    load.context = options.context;
    KAIKOU_TRY(const auto cpu, cpuOnlyRegistry().make("cpu"));
    KAIKOU_TRY(card.memory, cpu->estimate(card.checkpoint, load));
    return card;
}

Json idJson(const std::optional<TokenId>& id)
{
    return id ? Json(*id) : Json();
}

const char* formName(ChatForm form)
{
    return form == ChatForm::UserAssistant ? "user-assistant" : "continuation";
}

Json toJson(const Card& card)
{
    const ModelConfig& c = card.checkpoint.config;
    Json dtypes = Json::object();
    for (const auto& [name, tensors] : card.dtypes)
        dtypes.set(name, tensors);
    Json eos = Json::array();
    for (const TokenId id : card.tokenizer->special().eos)
        eos.push(id);
    Json warnings = Json::array();
    for (const Warning& warning : card.checkpoint.warnings)
        warnings.push(Json::object()
                          .set("code", static_cast<std::uint16_t>(warning.code))
                          .set("message", warning.message)
                          .set("where", warning.where));
    const TokenizerInfo& info = card.tokenizer->info();
    return Json::object()
        .set("format", card.checkpoint.format)
        .set("architecture", card.checkpoint.architecture)
        .set("parameters", card.checkpoint.parameters)
        .set("layers", c.layers)
        .set("width", c.width)
        .set("heads", c.heads)
        .set("kv_heads", c.kvHeads)
        .set("head_dim", c.headSize)
        .set("ffn", c.feedForward)
        .set("context", c.context)
        .set("vocab", c.vocabRows)
        .set("dtype", dtypes)
        .set("tokenizer",
            Json::object()
                .set("kind", info.kind)
                .set("pre", info.pre)
                .set("vocab", info.vocab)
                .set("bos", idJson(card.tokenizer->special().bos))
                .set("eos", eos))
        .set("chat", Json::object().set("form", formName(card.form.form)).set("reason", card.form.reason))
        .set("memory",
            Json::object()
                .set("weights", card.memory.weights)
                .set("kv", card.memory.kv)
                .set("scratch", card.memory.scratch))
        .set("fingerprint", card.checkpoint.fingerprint)
        .set("warnings", warnings);
}

std::string mebibytes(std::uint64_t bytes)
{
    return std::to_string((bytes + (1U << 19)) >> 20) + " MiB";
}

void printCard(const Card& card)
{
    const ModelConfig& c = card.checkpoint.config;
    const auto row = [](const std::string& name, const std::string& value) {
        printText(name + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + value + "\n");
    };
    row("format", card.checkpoint.format);
    row("architecture", card.checkpoint.architecture);
    row("parameters", std::to_string(card.checkpoint.parameters));
    row("shape",
        std::to_string(c.layers) + " layers, width " + std::to_string(c.width) + ", "
            + std::to_string(c.heads) + " heads (" + std::to_string(c.kvHeads) + " for keys and values) of "
            + std::to_string(c.headSize) + ", mlp " + std::to_string(c.feedForward));
    row("context", std::to_string(c.context) + " tokens");
    row("vocabulary",
        std::to_string(c.vocabRows) + " rows, tokenizer " + std::to_string(card.tokenizer->info().vocab));
    row("tokenizer", card.tokenizer->info().kind + ", " + card.tokenizer->info().pre);
    std::string dtypes;
    for (const auto& [name, tensors] : card.dtypes)
        dtypes += (dtypes.empty() ? "" : ", ") + name + " × " + std::to_string(tensors);
    row("numbers", dtypes);
    row("chat form", std::string(formName(card.form.form)) + ": " + card.form.reason);
    row("memory",
        mebibytes(card.memory.total()) + " (weights " + mebibytes(card.memory.weights) + ", KV "
            + mebibytes(card.memory.kv) + ", work " + mebibytes(card.memory.scratch) + ")");
    row("fingerprint", card.checkpoint.fingerprint);
    for (const Warning& warning : card.checkpoint.warnings)
        row("warning", warning.message + " — " + warning.where);
}

Result<int> run(const ModelOptions& options, const Console& console)
{
    KAIKOU_TRY(const Card card, readCard(options, console));
    if (console.json)
        printJson(toJson(card));
    else
        printCard(card);
    return kDone;
}

} // namespace

Command addInspect(CLI::App& root, Console& console)
{
    auto options = std::make_shared<ModelOptions>();
    CLI::App* app
        = root.add_subcommand("inspect", "What a model file is.\nExample: kaikou-cli inspect out/best.pt");
    options->addTo(*app, console);
    return {app, [options, &console] { return run(*options, console); }};
}

} // namespace kaikou::cli
