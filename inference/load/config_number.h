#pragma once

#include "inference/base/json.h"
#include "inference/base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace kaikou {

inline constexpr std::uint64_t kMaxLayers = 512;
inline constexpr std::uint64_t kMaxWidth = 65536;
inline constexpr std::uint64_t kMaxFeedForward = 1 << 20;
inline constexpr std::uint64_t kMaxContext = 1 << 20;
inline constexpr std::uint64_t kMaxVocab = 1 << 20;

// An integer member in 1..limit; absent or null gives `fallback`, or is an error where there is none.
// Errors: ConfigInvalid (where = file and pointer), ConfigMissing naming the key.
[[nodiscard]] Result<std::uint32_t> configSize(JsonValue object, std::string_view key, std::uint64_t limit,
    std::optional<std::uint64_t> fallback = std::nullopt);

// A finite number > 0, as f32.
[[nodiscard]] Result<float> configPositive(
    JsonValue object, std::string_view key, std::optional<double> fallback);

// true or false; absent or null gives `fallback`.
[[nodiscard]] Result<bool> configFlag(JsonValue object, std::string_view key, bool fallback);

// The heads fit the width and each other. ConfigInvalid naming `headsKey`.
struct ModelConfig;
[[nodiscard]] Result<void> checkHeads(
    const ModelConfig& config, std::string_view headsKey, const std::string& where);

} // namespace kaikou
