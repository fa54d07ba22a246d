// Names and shapes: helloworldtang/GPT_teacher-3.37M-cn, src/model.py, current (grouped queries, SwiGLU) and
// first (fused qkv, biases, two-layer mlp) generation.
#include "inference/load/teacher.h"

#include "inference/base/json.h"
#include "inference/load/hf_files.h"
#include "inference/load/teacher_config.h"
#include "inference/load/weight_binder.h"

#include <utility>

namespace kaikou {

namespace {

constexpr std::uint64_t kMaxConfig = std::uint64_t {4} << 20;

// Ids of the byte tokenizer: 0..255 are the bytes.
constexpr TokenId kByteBos = 256, kByteEos = 257, kBytePad = 258;

void bindMlp(WeightBinder& binder, const ModelConfig& model, const std::string& prefix, LayerWeights& layer)
{
    if (model.mlp == MlpKind::SwiGlu) {
        layer.gate = binder.matrix(prefix + "mlp.w_gate.weight", model.feedForward, model.width);
        layer.up = binder.matrix(prefix + "mlp.w_up.weight", model.feedForward, model.width);
        layer.down = binder.matrix(prefix + "mlp.w_down.weight", model.width, model.feedForward);
        return;
    }
    layer.up = binder.matrix(prefix + "mlp.fc1.weight", model.feedForward, model.width);
    layer.upBias = binder.vector(prefix + "mlp.fc1.bias", model.feedForward);
    layer.down = binder.matrix(prefix + "mlp.fc2.weight", model.width, model.feedForward);
    layer.downBias = binder.vector(prefix + "mlp.fc2.bias", model.width);
}

void bindAttention(
    WeightBinder& binder, const ModelConfig& model, const std::string& prefix, LayerWeights& layer)
{
    const std::uint32_t width = model.width;
    const std::uint32_t keyWidth = model.kvHeads * model.headSize;
    layer.output = binder.matrix(prefix + "attn.proj.weight", width, width);
    if (model.family == Family::GptTeacher) {
        layer.q = binder.matrix(prefix + "attn.wq.weight", width, width);
        layer.k = binder.matrix(prefix + "attn.wk.weight", keyWidth, width);
        layer.v = binder.matrix(prefix + "attn.wv.weight", keyWidth, width);
        return;
    }
    layer.outputBias = binder.vector(prefix + "attn.proj.bias", width);
    const Tensor fused = binder.matrix(prefix + "attn.qkv.weight", 3 * width, width); // rows Q, K, V
    const Tensor bias = binder.vector(prefix + "attn.qkv.bias", 3 * width);
    layer.q = rowsOf(fused, 0, width);
    layer.k = rowsOf(fused, width, width);
    layer.v = rowsOf(fused, 2 * width, width);
    layer.qBias = colsOf(bias, 0, width);
    layer.kBias = colsOf(bias, width, width);
    layer.vBias = colsOf(bias, 2 * width, width);
}

Result<Weights> bindWeights(const ModelConfig& model, const TensorSet& tensors, const std::string& where)
{
    WeightBinder binder(tensors, where);
    Weights weights;
    weights.embedding = binder.matrix("tok_emb.weight", model.vocabRows, model.width);
    for (std::uint32_t i = 0; i < model.layers; ++i) {
        const std::string prefix = "blocks." + std::to_string(i) + '.';
        LayerWeights layer;
        layer.attentionNorm = binder.vector(prefix + "norm1.weight", model.width);
        bindAttention(binder, model, prefix, layer);
        layer.mlpNorm = binder.vector(prefix + "norm2.weight", model.width);
        bindMlp(binder, model, prefix, layer);
        weights.layers.push_back(std::move(layer));
    }
    weights.finalNorm = binder.vector("norm.weight", model.width);
    if (binder.has("head.weight"))
        weights.head = binder.matrix("head.weight", model.vocabRows, model.width);
    KAIKOU_CHECK(binder.finish([](std::string_view) { return false; }));
    if (!weights.head.empty() && sameContent(weights.head, weights.embedding))
        weights.head = {}; // tied: written twice, or the same storage
    return weights;
}

// The tokenizer lies beside the checkpoint, or one folder up as in that project's train/checkpoints.
std::filesystem::path findTokenizer(const std::filesystem::path& checkpoint, const TeacherConfig& config)
{
    const std::filesystem::path folder = checkpoint.parent_path();
    const std::filesystem::path named = std::filesystem::path(config.tokenizerPath).filename();
    for (const auto& candidate :
        {folder / "tokenizer.json", folder / named, folder / ".." / "tokenizer.json"}) {
        std::error_code error;
        if (std::filesystem::is_regular_file(candidate, error))
            return candidate;
    }
    return folder / "tokenizer.json";
}

Result<TokenizerSource> readTeacherTokenizer(const std::filesystem::path& checkpoint,
    const TeacherConfig& config, const OpenOptions& options, std::vector<Warning>& warnings)
{
    if (config.tokenizerType == "byte" && !options.tokenizer) {
        TokenizerSource bytes;
        bytes.kind = TokenizerKind::Bytes;
        bytes.where = checkpoint.string();
        bytes.special = {kByteBos, kBytePad, std::nullopt, {kByteEos}};
        return bytes;
    }
    auto read = readTokenizerFile(options.tokenizer.value_or(findTokenizer(checkpoint, config)));
    if (!read && !options.tokenizer && read.error().code == ErrorCode::TokenizerMissing) {
        warnings.push_back({ErrorCode::TokenizerMissing,
            "no tokenizer.json lies beside the checkpoint; without the one it was trained with it cannot "
            "speak",
            read.error().where});
        TokenizerSource none;
        none.expectedMd5 = config.tokenizerMd5;
        return none;
    }
    KAIKOU_TRY(TokenizerSource source, std::move(read));
    source.expectedMd5 = config.tokenizerMd5;
    if (!source.expectedMd5.empty() && source.expectedMd5 != source.md5)
        warnings.push_back({ErrorCode::TokenizerMismatch,
            "the tokenizer has MD5 " + source.md5 + ", the checkpoint was trained with " + source.expectedMd5
                + ": replies will be garbage",
            source.where});
    return source;
}

Result<Checkpoint> makeCheckpoint(
    const std::filesystem::path& path, const TensorSet& tensors, JsonValue beside, const OpenOptions& options)
{
    KAIKOU_TRY(const TeacherConfig config, readTeacherConfig(beside, tensors));
    Checkpoint checkpoint;
    checkpoint.name = path.filename().string();
    checkpoint.path = path.string();
    checkpoint.architecture
        = config.model.family == Family::GptTeacher ? "gpt_teacher" : "gpt_teacher (first)";
    checkpoint.config = config.model;
    KAIKOU_TRY(checkpoint.weights, bindWeights(config.model, tensors, path.string()));
    KAIKOU_TRY(checkpoint.tokenizer, readTeacherTokenizer(path, config, options, checkpoint.warnings));
    checkpoint.instructionTuned = true;
    return checkpoint;
}

} // namespace

Result<Checkpoint> openTeacherTorch(
    const std::filesystem::path& path, const TorchFile& torch, const OpenOptions& options)
{
    Json beside = Json::object();
    for (const char* key : {"cfg", "fingerprint"})
        if (const PickleNode* value = torch.pickle.find(torch.pickle.top(), key))
            beside.set(key, pickleToJson(torch.pickle, *value));
    KAIKOU_TRY(const JsonDocument document, JsonDocument::parse(beside.dump(), path.string()));
    KAIKOU_TRY(Checkpoint checkpoint, makeCheckpoint(path, torch.tensors, document.root(), options));
    checkpoint.format = "GPT_teacher torch";
    return checkpoint;
}

Result<Checkpoint> openTeacherSafetensors(
    const std::filesystem::path& path, const TensorSet& tensors, const OpenOptions& options)
{
    std::filesystem::path side = path;
    side.replace_extension(".json");
    auto file = readFile(side, kMaxConfig);
    if (!file && file.error().code == ErrorCode::FileNotFound)
        return Error {ErrorCode::ConfigMissing,
            "the configuration file " + side.filename().string()
                + " is missing beside the weights (n_layer, n_head, n_kv_head, n_embd, seq_len)",
            path.string()};
    KAIKOU_TRY(const ByteSource text, std::move(file));
    KAIKOU_TRY(const JsonDocument document, JsonDocument::parse(text.text(), text.where));
    KAIKOU_TRY(Checkpoint checkpoint, makeCheckpoint(path, tensors, document.root(), options));
    checkpoint.format = "GPT_teacher safetensors";
    return checkpoint;
}

} // namespace kaikou
