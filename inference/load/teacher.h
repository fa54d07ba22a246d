#pragma once

#include "inference/base/result.h"
#include "inference/load/open_checkpoint.h"
#include "inference/load/safetensors.h"
#include "inference/load/torch_file.h"
#include "inference/model/checkpoint.h"

#include <filesystem>
#include <vector>

namespace kaikou {

// A GPT_teacher checkpoint of either generation from its .pt file, or from a .safetensors file with its
// configuration in the .json of the same stem. The tokenizer is looked for beside it. Everything but
// fingerprint, parameters and the scan is filled in. Errors as openCheckpoint.
[[nodiscard]] Result<Checkpoint> openTeacherTorch(
    const std::filesystem::path& path, const TorchFile& torch, const OpenOptions& options);
[[nodiscard]] Result<Checkpoint> openTeacherSafetensors(
    const std::filesystem::path& path, const TensorSet& tensors, const OpenOptions& options);

} // namespace kaikou
