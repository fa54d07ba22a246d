#pragma once

#include "inference/base/byte_source.h"
#include "inference/base/progress.h"
#include "inference/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kaikou {

struct ZipEntry
{
    std::span<const std::byte> bytes; // inside the archive's memory
    std::uint32_t crc = 0; // CRC-32 that the central directory promises
    bool compressed = false; // then bytes is not the content
};

// The entries of a zip by name. Names are keys only: nothing is ever written.
using ZipEntries = std::map<std::string, ZipEntry, std::less<>>;

// Reads the directory of an archive (layout at the head of the .cpp). The central directory is the
// authority; local headers must agree in name and method, in CRC and sizes only when flag bit 3 is clear.
// Errors: FormatZip, FormatTruncated, FormatDuplicate, FormatLimit, FormatUnsupported; the message names the
// entry.
[[nodiscard]] Result<ZipEntries> readZip(const ByteSource& file);

// Every entry is stored plainly, and below 256 MB its CRC-32 is right. Errors: FormatUnsupported and
// FormatZip naming the entry, Cancelled.
[[nodiscard]] Result<void> checkEntries(
    const ZipEntries& entries, const std::string& where, const Progress& progress);

} // namespace kaikou
