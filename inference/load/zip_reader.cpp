// End record (22 bytes, last in the file): PK\5\6, disk numbers, entry counts (u16), size and offset of the
// central directory (u32). With zip64 a locator PK\6\7 stands 20 bytes before it and names the offset of a
// PK\6\6 record that holds the same numbers in 64 bits. A central entry is 46 bytes + name + extra + comment;
// sizes of 0xFFFFFFFF stand in extra field 1. The data begin after the *local* header (30 bytes + name +
// extra), whose extra field may differ. Source: APPNOTE.TXT 6.3.10, 4.3 and 4.5.3.
#include "inference/load/zip_reader.h"

#include "inference/base/byte_reader.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

namespace kaikou {

namespace {

constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocatorSignature = 0x07064b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocatorSize = 20;
constexpr std::uint64_t kMaxEntries = 65536;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF; // "see the zip64 extra field"
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint16_t kSizesFollow = 8; // flag bit 3: the local header holds zeros
constexpr std::size_t kMaxChecked = std::size_t {256} << 20;
constexpr std::size_t kCrcStep = std::size_t {8} << 20;

struct Directory
{
    std::uint64_t entries = 0, size = 0, offset = 0;
};

struct CentralEntry
{
    std::string name;
    std::uint16_t flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t stored = 0, size = 0, local = 0; // bytes in the file, bytes unpacked, offset of its header
};

class ZipParser
{
public:
    explicit ZipParser(const ByteSource& file)
        : m_file(file)
    {
    }

    Result<ZipEntries> read();

private:
    [[nodiscard]] ByteReader at(std::uint64_t offset) const
    {
        ByteReader reader(m_file.bytes, m_file.where);
        static_cast<void>(reader.seek(std::min<std::uint64_t>(offset, m_file.bytes.size())));
        return reader;
    }

    [[nodiscard]] Error error(const std::string& what) const
    {
        return {ErrorCode::FormatZip, "damaged zip: " + what, m_file.where};
    }

    [[nodiscard]] Error entryError(const std::string& name, const std::string& what) const
    {
        return error("entry \"" + name + "\": " + what);
    }

    Result<std::size_t> findEnd() const;
    Result<Directory> readDirectory() const;
    Result<Directory> readDirectory64(std::size_t end) const;
    Result<CentralEntry> readCentral(ByteReader& reader) const;
    Result<void> readExtra(std::span<const std::byte> extra, CentralEntry& entry) const;
    Result<std::span<const std::byte>> locate(const CentralEntry& entry, std::uint64_t limit) const;
    Result<void> checkLocal(ByteReader& local, const CentralEntry& entry) const;
    Result<void> checkOverlap(const ZipEntries& entries) const;

    const ByteSource& m_file;
};

Result<std::size_t> ZipParser::findEnd() const
{
    const std::size_t size = m_file.bytes.size();
    const std::size_t lowest = size > kEndSize + 0xFFFF ? size - kEndSize - 0xFFFF : 0; // comment <= 65535
    for (std::size_t end = size < kEndSize ? 0 : size - kEndSize + 1; end > lowest; --end) {
        ByteReader reader = at(end - 1);
        if (*reader.u32() == kEndSignature)
            return end - 1;
    }
    return Error {ErrorCode::FormatTruncated,
        "truncated zip: the central directory at its end is missing; download it again", m_file.where};
}

Result<Directory> ZipParser::readDirectory() const
{
    KAIKOU_TRY(const std::size_t end, findEnd());
    if (end >= kLocatorSize && *at(end - kLocatorSize).u32() == kLocatorSignature)
        return readDirectory64(end);
    ByteReader reader = at(end + 8);
    Directory directory;
    KAIKOU_TRY(directory.entries, reader.u16());
    KAIKOU_TRY(const std::uint16_t total, reader.u16());
    KAIKOU_TRY(directory.size, reader.u32());
    KAIKOU_TRY(directory.offset, reader.u32());
    if (total != directory.entries)
        return error("the counts of entries in the central directory differ (split archive?)");
    return directory;
}

Result<Directory> ZipParser::readDirectory64(std::size_t end) const
{
    ByteReader locator = at(end - kLocatorSize + 8);
    KAIKOU_TRY(const std::uint64_t offset, locator.u64());
    ByteReader reader = at(offset);
    const auto signature = reader.u32();
    if (!signature || *signature != kEnd64Signature)
        return error("no zip64 end record at byte " + std::to_string(offset));
    KAIKOU_CHECK(reader.seek(reader.position() + 20)); // record size, versions, disk numbers
    Directory directory;
    KAIKOU_TRY(directory.entries, reader.u64());
    KAIKOU_TRY(const std::uint64_t total, reader.u64());
    KAIKOU_TRY(directory.size, reader.u64());
    KAIKOU_TRY(directory.offset, reader.u64());
    if (total != directory.entries)
        return error("the counts of entries in the central directory differ (split archive?)");
    return directory;
}

Result<void> ZipParser::readExtra(std::span<const std::byte> extra, CentralEntry& entry) const
{
    ByteReader reader(extra, m_file.where);
    while (reader.remaining() >= 4) {
        const std::uint16_t id = *reader.u16();
        const std::uint16_t size = *reader.u16();
        KAIKOU_TRY(const auto field, reader.bytes(size));
        if (id != 1)
            continue;
        ByteReader values(field, m_file.where + " zip64 field of \"" + entry.name + '"');
        for (std::uint64_t* value : {&entry.size, &entry.stored, &entry.local})
            if (*value == kIn64) {
                KAIKOU_TRY(*value, values.u64());
            }
    }
    return {};
}

Result<CentralEntry> ZipParser::readCentral(ByteReader& reader) const
{
    const auto signature = reader.u32();
    if (!signature || *signature != kCentralSignature)
        return error("the central directory holds fewer entries than its count says");
    CentralEntry entry;
    KAIKOU_CHECK(reader.seek(reader.position() + 4)); // versions
    KAIKOU_TRY(entry.flags, reader.u16());
    KAIKOU_TRY(entry.method, reader.u16());
    KAIKOU_CHECK(reader.seek(reader.position() + 4)); // time and date
    KAIKOU_TRY(entry.crc, reader.u32());
    KAIKOU_TRY(entry.stored, reader.u32());
    KAIKOU_TRY(entry.size, reader.u32());
    KAIKOU_TRY(const std::uint16_t nameSize, reader.u16());
    KAIKOU_TRY(const std::uint16_t extraSize, reader.u16());
    KAIKOU_TRY(const std::uint16_t commentSize, reader.u16());
    KAIKOU_CHECK(reader.seek(reader.position() + 8)); // disk and attributes
    KAIKOU_TRY(entry.local, reader.u32());
    KAIKOU_TRY(const std::string_view name, reader.text(nameSize));
    entry.name = name;
    KAIKOU_TRY(const auto extra, reader.bytes(extraSize));
    KAIKOU_CHECK(readExtra(extra, entry));
    KAIKOU_CHECK(
        reader.bytes(commentSize).ok() ? Result<void>() : Result<void>(error("comment past the end")));
    if ((entry.flags & kEncrypted) != 0)
        return Error {
            ErrorCode::FormatUnsupported, "zip entry \"" + entry.name + "\" is encrypted", m_file.where};
    if (entry.method == 0 && entry.stored != entry.size)
        return entryError(entry.name, "its two sizes differ");
    return entry;
}

Result<void> ZipParser::checkLocal(ByteReader& local, const CentralEntry& entry) const
{
    const auto signature = local.u32();
    if (!signature || *signature != kLocalSignature)
        return entryError(entry.name, "no header at its offset " + std::to_string(entry.local));
    KAIKOU_CHECK(local.seek(local.position() + 2));
    KAIKOU_TRY(const std::uint16_t flags, local.u16());
    KAIKOU_TRY(const std::uint16_t method, local.u16());
    KAIKOU_CHECK(local.seek(local.position() + 4));
    KAIKOU_TRY(const std::uint32_t crc, local.u32());
    KAIKOU_TRY(const std::uint32_t stored, local.u32());
    KAIKOU_TRY(const std::uint32_t size, local.u32());
    KAIKOU_TRY(const std::uint16_t nameSize, local.u16());
    KAIKOU_TRY(const std::uint16_t extraSize, local.u16());
    KAIKOU_TRY(const std::string_view name, local.text(nameSize));
    if (name != entry.name || method != entry.method)
        return entryError(entry.name, "its local header has another name or method");
    if ((flags & kSizesFollow) == 0 && stored != kIn64
        && (crc != entry.crc || stored != entry.stored || size != entry.size))
        return entryError(entry.name, "its local header has another size or CRC");
    return local.seek(local.position() + extraSize);
}

Result<std::span<const std::byte>> ZipParser::locate(const CentralEntry& entry, std::uint64_t limit) const
{
    if (entry.local >= limit)
        return entryError(entry.name, "its offset " + std::to_string(entry.local) + " is past the data");
    ByteReader local = at(entry.local);
    KAIKOU_CHECK(checkLocal(local, entry));
    std::uint64_t end = 0;
    if (!checkedAdd(local.position(), entry.stored, end) || end > limit)
        return entryError(entry.name,
            "its size of " + std::to_string(entry.stored) + " bytes reaches past the data (truncated?)");
    return local.bytes(entry.stored);
}

Result<void> ZipParser::checkOverlap(const ZipEntries& entries) const
{
    std::vector<std::pair<std::span<const std::byte>, std::string_view>> parts;
    for (const auto& [name, entry] : entries)
        if (!entry.bytes.empty())
            parts.emplace_back(entry.bytes, name);
    std::sort(parts.begin(), parts.end(),
        [](const auto& a, const auto& b) { return a.first.data() < b.first.data(); });
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (parts[i - 1].first.data() + parts[i - 1].first.size() > parts[i].first.data())
            return entryError(std::string(parts[i].second), "it overlaps another entry");
    return {};
}

Result<ZipEntries> ZipParser::read()
{
    KAIKOU_TRY(const Directory directory, readDirectory());
    if (directory.entries > kMaxEntries)
        return Error {ErrorCode::FormatLimit,
            "zip with " + std::to_string(directory.entries) + " entries, at most "
                + std::to_string(kMaxEntries) + " are read",
            m_file.where};
    if (directory.offset > m_file.bytes.size() || directory.size > m_file.bytes.size() - directory.offset)
        return error("the central directory lies past the end of the file");
    ByteReader reader(m_file.bytes.first(static_cast<std::size_t>(directory.offset + directory.size)),
        m_file.where + " zip central directory");
    KAIKOU_CHECK(reader.seek(directory.offset));
    ZipEntries entries;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        KAIKOU_TRY(const CentralEntry central, readCentral(reader));
        KAIKOU_TRY(const auto bytes, locate(central, directory.offset));
        if (!entries.emplace(central.name, ZipEntry {bytes, central.crc, central.method != 0}).second)
            return Error {
                ErrorCode::FormatDuplicate, "zip entry \"" + central.name + "\" occurs twice", m_file.where};
    }
    if (reader.remaining() != 0)
        return error("the central directory holds more than its count of entries");
    KAIKOU_CHECK(checkOverlap(entries));
    return entries;
}

} // namespace

Result<ZipEntries> readZip(const ByteSource& file)
{
    return ZipParser(file).read();
}

Result<void> checkEntries(const ZipEntries& entries, const std::string& where, const Progress& progress)
{
    std::size_t total = 1;
    for (const auto& [name, entry] : entries)
        total += entry.bytes.size() < kMaxChecked ? entry.bytes.size() : 0;
    std::size_t done = 0;
    for (const auto& [name, entry] : entries) {
        if (entry.compressed)
            return Error {ErrorCode::FormatUnsupported,
                "zip entry \"" + name + "\" is compressed; PyTorch stores its entries plainly", where};
        if (entry.bytes.size() >= kMaxChecked)
            continue;
        uLong crc = ::crc32(0, nullptr, 0);
        for (std::size_t at = 0; at < entry.bytes.size(); at += kCrcStep) {
            if (progress.stop.stop_requested())
                return Error {ErrorCode::Cancelled, "loading was cancelled", where};
            const auto part = entry.bytes.subspan(at, std::min(kCrcStep, entry.bytes.size() - at));
            crc = ::crc32(crc, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
            const std::size_t percent = done * 100 / total;
            done += part.size();
            if (done * 100 / total != percent)
                progress(static_cast<double>(done) / static_cast<double>(total));
        }
        if (crc != entry.crc)
            return Error {
                ErrorCode::FormatZip, "damaged zip: the CRC of entry \"" + name + "\" does not match", where};
    }
    return {};
}

} // namespace kaikou
