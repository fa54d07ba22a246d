#pragma once

#include "inference/base/json.h"
#include "inference/base/result.h"
#include "inference/model/config.h"
#include "inference/model/ids.h"

namespace kaikou {

// What config.json of a Hugging Face folder says.
struct HfConfig
{
    ModelConfig model;
    bool tied = false; // tie_word_embeddings
    bool attentionBias = false;
    SpecialIds special; // bos_token_id, eos_token_id (one or a list), pad_token_id
};

// Architecture `llama`; RoPE in the older form (rope_theta, rope_scaling) and the newer (rope_parameters).
// Errors: ConfigMissing, ConfigInvalid, ArchitectureUnknown, FormatUnsupported; where = file and pointer.
[[nodiscard]] Result<HfConfig> readHfConfig(JsonValue config);

// bos_token_id, eos_token_id and pad_token_id of config.json or generation_config.json; what is absent stays.
[[nodiscard]] Result<void> readSpecialIds(JsonValue config, SpecialIds& special);

} // namespace kaikou
