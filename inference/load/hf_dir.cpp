#include "inference/load/hf_dir.h"

#include "inference/base/json.h"
#include "inference/base/md5.h"
#include "inference/load/hf_config.h"
#include "inference/load/hf_files.h"
#include "inference/load/hf_shards.h"
#include "inference/load/safetensors.h"
#include "inference/load/weight_binder.h"

#include <utility>

namespace kaikou {

namespace {

constexpr std::uint64_t kMaxConfig = std::uint64_t {4} << 20;

LayerWeights bindLayer(WeightBinder& binder, const HfConfig& config, std::uint32_t layer)
{
    const ModelConfig& model = config.model;
    const std::string prefix = "model.layers." + std::to_string(layer) + '.';
    const std::uint32_t queryWidth = model.heads * model.headSize;
    const std::uint32_t keyWidth = model.kvHeads * model.headSize;
    LayerWeights weights;
    weights.attentionNorm = binder.vector(prefix + "input_layernorm.weight", model.width);
    weights.q = binder.matrix(prefix + "self_attn.q_proj.weight", queryWidth, model.width);
    weights.k = binder.matrix(prefix + "self_attn.k_proj.weight", keyWidth, model.width);
    weights.v = binder.matrix(prefix + "self_attn.v_proj.weight", keyWidth, model.width);
    weights.output = binder.matrix(prefix + "self_attn.o_proj.weight", model.width, queryWidth);
    if (config.attentionBias) {
        weights.qBias = binder.vector(prefix + "self_attn.q_proj.bias", queryWidth);
        weights.kBias = binder.vector(prefix + "self_attn.k_proj.bias", keyWidth);
        weights.vBias = binder.vector(prefix + "self_attn.v_proj.bias", keyWidth);
        weights.outputBias = binder.vector(prefix + "self_attn.o_proj.bias", model.width);
    }
    weights.mlpNorm = binder.vector(prefix + "post_attention_layernorm.weight", model.width);
    weights.gate = binder.matrix(prefix + "mlp.gate_proj.weight", model.feedForward, model.width);
    weights.up = binder.matrix(prefix + "mlp.up_proj.weight", model.feedForward, model.width);
    weights.down = binder.matrix(prefix + "mlp.down_proj.weight", model.width, model.feedForward);
    return weights;
}

Result<Weights> bindWeights(const HfConfig& config, const TensorSet& tensors, const std::string& where,
    std::vector<Warning>& warnings)
{
    constexpr const char* kHead = "lm_head.weight";
    WeightBinder binder(tensors, where);
    const ModelConfig& model = config.model;
    Weights weights;
    weights.embedding = binder.matrix("model.embed_tokens.weight", model.vocabRows, model.width);
    for (std::uint32_t layer = 0; layer < model.layers; ++layer)
        weights.layers.push_back(bindLayer(binder, config, layer));
    weights.finalNorm = binder.vector("model.norm.weight", model.width);
    if (!config.tied || binder.has(kHead))
        weights.head = binder.matrix(kHead, model.vocabRows, model.width);
    KAIKOU_CHECK(binder.finish([](std::string_view name) { return name.ends_with("rotary_emb.inv_freq"); }));
    if (!config.tied || weights.head.empty())
        return weights;
    if (sameContent(weights.head, weights.embedding))
        weights.head = {};
    else
        warnings.push_back({ErrorCode::ConfigInvalid,
            "config.json ties the head to the embedding, but the file has another lm_head.weight, which is "
            "used",
            where});
    return weights;
}

Result<HfConfig> parseConfig(const ByteSource& file)
{
    KAIKOU_TRY(
        const JsonDocument document, JsonDocument::parse(file.text(), file.where, {kMaxConfig, 64, false}));
    return readHfConfig(document.root());
}

Result<HfConfig> readConfigFile(const std::filesystem::path& folder)
{
    auto file = readFile(folder / "config.json", kMaxConfig);
    if (file)
        return parseConfig(*file);
    Error error = std::move(file).error();
    if (error.code == ErrorCode::FileNotFound)
        error = {ErrorCode::ConfigMissing,
            "the folder (directory) has no config.json: it is no Hugging Face model", folder.string()};
    return error;
}

std::string folderName(const std::filesystem::path& folder)
{
    const std::filesystem::path name = folder.filename();
    return name.empty() ? folder.parent_path().filename().string() : name.string();
}

} // namespace

Result<Checkpoint> openHfFolder(
    const std::filesystem::path& folder, const OpenOptions& options, const Progress& progress)
{
    KAIKOU_TRY(HfConfig config, readConfigFile(folder));
    Checkpoint checkpoint;
    checkpoint.name = folderName(folder);
    checkpoint.path = folder.string();
    checkpoint.architecture = "llama";
    checkpoint.config = config.model;
    KAIKOU_TRY(const FolderWeights files, readFolderWeights(folder, progress, checkpoint.warnings));
    checkpoint.format = "Hugging Face folder (" + files.container + ')';
    KAIKOU_TRY(checkpoint.weights, bindWeights(config, files.tensors, files.where, checkpoint.warnings));
    if (const auto generation = readFile(folder / "generation_config.json", kMaxConfig))
        checkpoint.generation = readGenerationConfig(*generation, config.special, checkpoint.warnings);
    KAIKOU_TRY(checkpoint.tokenizer,
        readHfTokenizer(folder, std::move(config.special), options.tokenizer, checkpoint.warnings));
    checkpoint.instructionTuned = !checkpoint.tokenizer.chatTemplate.empty();
    return checkpoint;
}

Result<Checkpoint> openHfEmbedded(const EmbeddedFiles& files)
{
    const auto source = [](std::span<const std::byte> bytes, const char* name) {
        return ByteSource {bytes, nullptr, std::string("built-in model/") + name};
    };
    KAIKOU_TRY(HfConfig config, parseConfig(source(files.config, "config.json")));
    Checkpoint checkpoint;
    checkpoint.name = "built-in model";
    checkpoint.format = "Hugging Face folder (built in)";
    checkpoint.architecture = "llama";
    checkpoint.config = config.model;
    const ByteSource weights = source(files.weights, "model.safetensors");
    KAIKOU_TRY(const TensorSet tensors, readSafetensors(weights, checkpoint.warnings));
    KAIKOU_TRY(checkpoint.weights, bindWeights(config, tensors, weights.where, checkpoint.warnings));
    if (!files.generationConfig.empty())
        checkpoint.generation = readGenerationConfig(
            source(files.generationConfig, "generation_config.json"), config.special, checkpoint.warnings);
    const ByteSource tokenizer = source(files.tokenizer, "tokenizer.json");
    checkpoint.tokenizer.kind = TokenizerKind::HfJson;
    checkpoint.tokenizer.content = tokenizer.text();
    checkpoint.tokenizer.where = tokenizer.where;
    checkpoint.tokenizer.md5 = md5Hex(tokenizer.bytes).substr(0, 12);
    checkpoint.tokenizer.special = std::move(config.special);
    checkpoint.instructionTuned = true; // it is trained on turns
    return checkpoint;
}

} // namespace kaikou
