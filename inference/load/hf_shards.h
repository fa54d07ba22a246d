#pragma once

#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/load/raw_tensor.h"
#include "inference/model/checkpoint.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kaikou {

struct FolderWeights
{
    TensorSet tensors;
    std::string container; // "safetensors" or "torch"
    std::string where; // file or index, for messages
};

// All tensors of a Hugging Face folder, whether in one file or in shards named by an index. Shard names are
// base names inside the folder. Errors: FileNotFound (no weights, or the absent shards by name), FormatRange
// (a name that leads outside), TensorMissing, FormatDuplicate, and those of the containers.
[[nodiscard]] Result<FolderWeights> readFolderWeights(
    const std::filesystem::path& folder, const Progress& progress, std::vector<Warning>& warnings);

} // namespace kaikou
