#pragma once

#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/model/checkpoint.h"

#include <filesystem>
#include <optional>
#include <span>

namespace kaikou {

struct OpenOptions
{
    std::optional<std::filesystem::path> tokenizer; // instead of the one found beside the weights
};

// Opens a file or folder, recognised by content. The tensors stay in the file's map until the Checkpoint
// goes. Errors: 1xx file, 2xx format, 3xx tokenizer, 4xx model; Cancelled. The whole program has no other way
// in.
[[nodiscard]] Result<Checkpoint> openCheckpoint(
    const std::filesystem::path& path, const OpenOptions& options = {}, const Progress& progress = {});

// The files of a Hugging Face folder that is built into the program; the spans outlive the Checkpoint.
struct EmbeddedFiles
{
    std::span<const std::byte> config, weights, tokenizer, generationConfig; // the last may be empty
};

[[nodiscard]] Result<Checkpoint> openEmbedded(const EmbeddedFiles& files);

} // namespace kaikou
