#pragma once

#include "inference/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kaikou {

inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t {64} << 30; // no model of ours is larger

// Read-only bytes with the thing that keeps them in memory. Whoever keeps a part keeps the owner.
struct ByteSource
{
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner; // null = the bytes outlive everything
    std::string where; // path or name, for messages

    [[nodiscard]] std::string_view text() const
    {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

// Maps a file: opened once, fstat on the same descriptor, regular files only, not empty.
// Errors: FileNotFound, FileAccess, FileIsFolder, FileEmpty, FileRead, FileTooLarge (where = path).
[[nodiscard]] Result<ByteSource> mapFile(
    const std::filesystem::path& path, std::uint64_t limit = kMaxFileBytes);

// Reads a file into memory of our own, so that a later change of the file does no harm. Errors as mapFile.
[[nodiscard]] Result<ByteSource> readFile(const std::filesystem::path& path, std::uint64_t limit);

} // namespace kaikou
