#pragma once

#include "inference/base/byte_source.h"
#include "inference/base/result.h"

#include <cstdint>
#include <string_view>

namespace kaikou {

// What a file is by its first bytes, whatever its name says.
enum class FileKind : std::uint8_t
{
    Unknown,
    Gguf,
    Zip, // torch >= 1.6
    Pickle, // 0x80 and a protocol
    LegacyTorch, // torch < 1.6
    Tar,
    Safetensors,
    LfsPointer,
    WebPage, // HTML or XML
    Json
};

[[nodiscard]] FileKind detectKind(std::span<const std::byte> bytes);

// "safetensors", "PyTorch zip" ...
[[nodiscard]] std::string_view kindName(FileKind kind);

// Why a file of a kind that no reader takes is refused, and what to do. `kind` is none of Zip, Safetensors.
[[nodiscard]] Error refusal(FileKind kind, const ByteSource& file);

} // namespace kaikou
