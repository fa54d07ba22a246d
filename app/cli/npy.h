#pragma once

#include "inference/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace kaikou::cli {

// Writes values [rows, cols] as a little-endian f32 NumPy file, format 1.0 (numpy.lib.format). Errors:
// FileWrite.
[[nodiscard]] Result<void> writeNpy(
    const std::filesystem::path& file, std::span<const float> values, std::uint64_t rows, std::uint64_t cols);

} // namespace kaikou::cli
