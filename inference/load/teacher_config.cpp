#include "inference/load/teacher_config.h"

#include "inference/load/config_number.h"

#include <utility>

namespace kaikou {

namespace {

constexpr std::uint64_t kOriginalContext = 128; // that project's default seq_len
constexpr float kNormEps = 1e-6F;

std::string textAt(JsonValue object, std::string_view key)
{
    const auto text = object[key].string();
    return text ? std::string(*text) : std::string();
}

// Rows of a matrix, or 0 where there is none: the binder then says what is wrong.
std::uint32_t rowsOfMatrix(const TensorSet& tensors, std::string_view name)
{
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second.shape.size() != 2 || found->second.shape[0] > kMaxFeedForward)
        return 0;
    return static_cast<std::uint32_t>(found->second.shape[0]);
}

Result<void> readSizes(JsonValue cfg, ModelConfig& model)
{
    KAIKOU_TRY(model.layers, configSize(cfg, "n_layer", kMaxLayers));
    KAIKOU_TRY(model.width, configSize(cfg, "n_embd", kMaxWidth));
    KAIKOU_TRY(model.heads, configSize(cfg, "n_head", kMaxWidth));
    model.kvHeads = model.heads;
    if (model.family == Family::GptTeacher) {
        KAIKOU_TRY(model.kvHeads, configSize(cfg, "n_kv_head", kMaxWidth, model.heads));
    }
    KAIKOU_TRY(model.context, configSize(cfg, "seq_len", kMaxContext, kOriginalContext));
    if (model.width % model.heads != 0)
        return cfg.error(ErrorCode::ConfigInvalid, "\"n_head\" does not divide \"n_embd\"");
    model.headSize = model.width / model.heads;
    return checkHeads(model, "n_head", cfg.error({}, {}).where);
}

} // namespace

bool isTeacher(const TensorSet& tensors)
{
    return tensors.find("tok_emb.weight") != tensors.end()
        && tensors.find("blocks.0.norm1.weight") != tensors.end();
}

Result<TeacherConfig> readTeacherConfig(JsonValue beside, const TensorSet& tensors)
{
    const JsonValue cfg = beside.has("cfg") ? beside["cfg"] : beside;
    const JsonValue sizes = cfg["model"];
    if (!sizes.isObject())
        return beside.error(ErrorCode::ConfigMissing,
            "no configuration (cfg.model with n_layer, n_head, n_kv_head, n_embd, seq_len): the weights "
            "alone do not "
            "show the heads");
    TeacherConfig config;
    ModelConfig& model = config.model;
    const bool first = tensors.find("blocks.0.attn.qkv.weight") != tensors.end();
    model.family = first ? Family::GptTeacherFirst : Family::GptTeacher;
    model.norm = NormKind::TeacherL2;
    model.normEps = kNormEps;
    model.mlp = first ? MlpKind::Silu : MlpKind::SwiGlu;
    KAIKOU_CHECK(readSizes(sizes, model));
    model.vocabRows = rowsOfMatrix(tensors, "tok_emb.weight");
    model.feedForward
        = rowsOfMatrix(tensors, first ? "blocks.0.mlp.fc1.weight" : "blocks.0.mlp.w_gate.weight");
    config.tokenizerType = textAt(cfg["tokenizer"], "type");
    config.tokenizerPath = textAt(cfg["tokenizer"], "path");
    config.tokenizerMd5 = textAt(beside["fingerprint"], "tokenizer_md5");
    return config;
}

} // namespace kaikou
