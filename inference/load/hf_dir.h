#pragma once

#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/load/open_checkpoint.h"
#include "inference/model/checkpoint.h"

#include <filesystem>

namespace kaikou {

// A folder with config.json and weights: model.safetensors, its shards, pytorch_model.bin or its shards, in
// this order. Everything but fingerprint, parameters and the scan is filled in. Errors as openCheckpoint.
[[nodiscard]] Result<Checkpoint> openHfFolder(
    const std::filesystem::path& folder, const OpenOptions& options, const Progress& progress);

// The same from memory.
[[nodiscard]] Result<Checkpoint> openHfEmbedded(const EmbeddedFiles& files);

} // namespace kaikou
