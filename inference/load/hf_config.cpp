#include "inference/load/hf_config.h"

#include "inference/load/config_number.h"

#include <algorithm>
#include <string>

namespace kaikou {

namespace {

constexpr std::string_view kSupported = "llama";

Result<void> checkArchitecture(JsonValue config)
{
    if (!config.isObject())
        return config.error(ErrorCode::ConfigInvalid, "config.json must hold a JSON object");
    if (!config.given("model_type"))
        return config.error(ErrorCode::ConfigMissing, "config.json has no \"model_type\"");
    KAIKOU_TRY(const std::string_view type, config["model_type"].string(ErrorCode::ConfigInvalid));
    if (type != kSupported)
        return config.error(ErrorCode::ArchitectureUnknown,
            "model_type \"" + std::string(type)
                + "\" is not supported; supported: " + std::string(kSupported));
    if (config.given("quantization_config"))
        return config.error(ErrorCode::FormatUnsupported,
            "quantised weights (quantization_config) are not supported; use the unquantised model");
    return {};
}

// Settings that would change the numbers and that no backend computes.
Result<void> checkVariants(JsonValue config)
{
    if (config.given("hidden_act")) {
        KAIKOU_TRY(const std::string_view act, config["hidden_act"].string(ErrorCode::ConfigInvalid));
        if (act != "silu" && act != "swish")
            return config.error(ErrorCode::FormatUnsupported,
                "hidden_act \"" + std::string(act) + "\" is not supported; supported: silu");
    }
    KAIKOU_TRY(const bool mlpBias, configFlag(config, "mlp_bias", false));
    if (mlpBias)
        return config.error(ErrorCode::FormatUnsupported, "\"mlp_bias\" is not supported");
    return {};
}

Result<void> readSizes(JsonValue config, ModelConfig& model)
{
    KAIKOU_TRY(model.layers, configSize(config, "num_hidden_layers", kMaxLayers));
    KAIKOU_TRY(model.width, configSize(config, "hidden_size", kMaxWidth));
    KAIKOU_TRY(model.heads, configSize(config, "num_attention_heads", kMaxWidth));
    KAIKOU_TRY(model.kvHeads, configSize(config, "num_key_value_heads", kMaxWidth, model.heads));
    if (!config.given("head_dim") && model.width % model.heads != 0)
        return config.error(ErrorCode::ConfigInvalid,
            "\"num_attention_heads\" " + std::to_string(model.heads) + " does not divide \"hidden_size\" "
                + std::to_string(model.width));
    KAIKOU_TRY(
        model.headSize, configSize(config, "head_dim", kMaxWidth, std::max(model.width / model.heads, 1U)));
    KAIKOU_TRY(model.feedForward, configSize(config, "intermediate_size", kMaxFeedForward));
    KAIKOU_TRY(model.vocabRows, configSize(config, "vocab_size", kMaxVocab));
    KAIKOU_TRY(model.context, configSize(config, "max_position_embeddings", kMaxContext, 2048));
    KAIKOU_TRY(model.normEps, configPositive(config, "rms_norm_eps", 1e-6));
    return checkHeads(model, "num_attention_heads", config.error({}, {}).where);
}

Result<void> readScaling(JsonValue scaling, RopeConfig& rope, std::uint32_t context)
{
    const char* key = scaling.given("rope_type") ? "rope_type" : "type"; // `type` in older files
    if (!scaling.given(key))
        return {};
    KAIKOU_TRY(const std::string_view type, scaling[key].string(ErrorCode::ConfigInvalid));
    if (type == "default")
        return {};
    if (type != "linear" && type != "llama3")
        return scaling.error(ErrorCode::FormatUnsupported,
            "RoPE scaling \"" + std::string(type)
                + "\" is not supported; supported: default, linear, llama3");
    KAIKOU_TRY(rope.factor, configPositive(scaling, "factor", std::nullopt));
    rope.scaling = RopeScaling::Linear;
    if (type == "linear")
        return {};
    rope.scaling = RopeScaling::Llama3;
    KAIKOU_TRY(rope.lowFrequencyFactor, configPositive(scaling, "low_freq_factor", std::nullopt));
    KAIKOU_TRY(rope.highFrequencyFactor, configPositive(scaling, "high_freq_factor", std::nullopt));
    KAIKOU_TRY(rope.originalContext, configPositive(scaling, "original_max_position_embeddings", context));
    if (!(rope.highFrequencyFactor > rope.lowFrequencyFactor))
        return scaling.error(
            ErrorCode::ConfigInvalid, "\"high_freq_factor\" must be above \"low_freq_factor\"");
    return {};
}

Result<void> readRope(JsonValue config, ModelConfig& model)
{
    const JsonValue newer = config["rope_parameters"];
    const JsonValue scaling = newer.isNull() ? config["rope_scaling"] : newer;
    if (!scaling.isNull() && !scaling.isObject())
        return scaling.error(ErrorCode::ConfigInvalid, "the RoPE settings must be an object");
    const JsonValue thetaAt = newer.given("rope_theta") ? newer : config;
    KAIKOU_TRY(model.rope.base, configPositive(thetaAt, "rope_theta", 10000.0));
    for (const JsonValue place : {config, scaling}) {
        KAIKOU_TRY(const float partial, configPositive(place, "partial_rotary_factor", 1.0));
        if (partial != 1.0F)
            return place.error(ErrorCode::FormatUnsupported, "\"partial_rotary_factor\" is not supported");
    }
    return scaling.isNull() ? Result<void>() : readScaling(scaling, model.rope, model.context);
}

Result<TokenId> readId(JsonValue value)
{
    KAIKOU_TRY(const std::uint64_t id, value.count(ErrorCode::ConfigInvalid));
    if (id >= kMaxVocab)
        return value.error(ErrorCode::ConfigInvalid, "token id " + std::to_string(id) + " is out of range");
    return static_cast<TokenId>(id);
}

} // namespace

Result<void> readSpecialIds(JsonValue config, SpecialIds& special)
{
    if (config.given("bos_token_id")) {
        KAIKOU_TRY(special.bos, readId(config["bos_token_id"]));
    }
    // -1 stands for "no padding" in some files
    const JsonValue pad = config["pad_token_id"];
    if (const auto value = pad.integer(); value && *value >= 0) {
        KAIKOU_TRY(special.pad, readId(pad));
    }
    const JsonValue eos = config["eos_token_id"];
    const auto add = [&](JsonValue value) -> Result<void> {
        KAIKOU_TRY(const TokenId id, readId(value));
        if (std::find(special.eos.begin(), special.eos.end(), id) == special.eos.end())
            special.eos.push_back(id);
        return {};
    };
    if (!eos.isNull() && !eos.isArray())
        return add(eos);
    for (const JsonValue value : eos.children())
        KAIKOU_CHECK(add(value));
    return {};
}

Result<HfConfig> readHfConfig(JsonValue config)
{
    KAIKOU_CHECK(checkArchitecture(config));
    KAIKOU_CHECK(checkVariants(config));
    HfConfig result;
    result.model.family = Family::Llama;
    KAIKOU_CHECK(readSizes(config, result.model));
    KAIKOU_CHECK(readRope(config, result.model));
    KAIKOU_TRY(result.tied, configFlag(config, "tie_word_embeddings", false));
    KAIKOU_TRY(result.attentionBias, configFlag(config, "attention_bias", false));
    KAIKOU_CHECK(readSpecialIds(config, result.special));
    return result;
}

} // namespace kaikou
