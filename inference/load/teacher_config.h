#pragma once

#include "inference/base/json.h"
#include "inference/base/result.h"
#include "inference/load/raw_tensor.h"
#include "inference/model/config.h"

#include <string>

namespace kaikou {

// What GPT_teacher stores beside its weights: `cfg` and `fingerprint`.
struct TeacherConfig
{
    ModelConfig model;
    std::string tokenizerType; // "hf_tokenizers", "byte", or empty: not said
    std::string tokenizerPath; // relative to that project's folder
    std::string tokenizerMd5; // 12 hex digits, or empty
};

// Whether the tensors carry GPT_teacher's names, of either generation.
[[nodiscard]] bool isTeacher(const TensorSet& tensors);

// `beside` is {"cfg": ..., "fingerprint": ...} or cfg itself; vocabulary, inner width and generation come
// from the tensors. Errors: ConfigMissing naming the value, ConfigInvalid.
[[nodiscard]] Result<TeacherConfig> readTeacherConfig(JsonValue beside, const TensorSet& tensors);

} // namespace kaikou
