// u64 length N, N bytes of UTF-8 JSON, then data. An entry of the JSON object is
// "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, offsets from the begin of the
// data;
// "__metadata__" is an object of strings. Sorted by offset the tensors leave no gap and do not overlap.
// Source: the format's README and reference reader (safetensors 0.4, tensor.rs).
#include "inference/load/safetensors.h"

#include "inference/base/byte_reader.h"
#include "inference/base/json.h"
#include "inference/base/utf8.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace kaikou {

namespace {

constexpr std::uint64_t kMaxHeader = std::uint64_t {32} << 20; // the format itself allows 100,000,000
constexpr std::size_t kMaxHeaderDepth = 4;

struct Entry
{
    std::string name;
    RawTensor tensor;
    std::uint64_t begin = 0, end = 0; // from the begin of the data
    JsonValue json;
};

std::optional<Dtype> dtypeOf(std::string_view name)
{
    constexpr std::array kKnown = {Dtype::F32, Dtype::F16, Dtype::BF16, Dtype::F64, Dtype::I64, Dtype::I32,
        Dtype::I16, Dtype::I8, Dtype::U8, Dtype::Bool};
    for (const Dtype dtype : kKnown)
        if (dtypeName(dtype) == name)
            return dtype;
    return std::nullopt;
}

Result<std::string_view> readHeader(ByteReader& reader, const ByteSource& file)
{
    const auto length = reader.u64();
    if (!length)
        return Error {ErrorCode::FormatTruncated,
            "too small for safetensors (" + std::to_string(file.bytes.size())
                + " bytes): truncated download?",
            file.where};
    if (*length > kMaxHeader)
        return Error {ErrorCode::FormatLimit,
            "truncated or not safetensors: a header of " + std::to_string(*length)
                + " bytes is too large (at most " + std::to_string(kMaxHeader) + ')',
            file.where};
    if (*length > reader.remaining())
        return Error {ErrorCode::FormatTruncated,
            "truncated or not safetensors: the header of " + std::to_string(*length)
                + " bytes is longer than the file",
            file.where};
    return reader.text(*length);
}

Result<Entry> readEntry(JsonValue json)
{
    const auto invalid = [&](ErrorCode code, const std::string& what) {
        return json.error(code, "tensor \"" + std::string(json.key()) + "\": " + what);
    };
    Entry entry {std::string(json.key()), {}, 0, 0, json};
    KAIKOU_TRY(const JsonValue dtypeJson, json.member("dtype"));
    KAIKOU_TRY(const std::string_view dtype, dtypeJson.string());
    const std::optional<Dtype> known = dtypeOf(dtype);
    if (!known)
        return invalid(ErrorCode::FormatDtype, "dtype " + std::string(dtype) + " is not supported");
    entry.tensor.dtype = *known;
    KAIKOU_TRY(const JsonValue shape, json.member("shape"));
    KAIKOU_TRY(const JsonValue offsets, json.member("data_offsets"));
    if (!shape.isArray() || !offsets.isArray() || offsets.size() != 2 || shape.size() > kMaxRank)
        return invalid(ErrorCode::FormatJson, "shape must be a short array, data_offsets two integers");
    for (const JsonValue dimension : shape.children()) {
        KAIKOU_TRY(const std::uint64_t size, dimension.count());
        entry.tensor.shape.push_back(size);
    }
    std::array<std::uint64_t, 2> range {};
    std::size_t index = 0;
    for (const JsonValue offset : offsets.children()) {
        const auto value = offset.count(ErrorCode::FormatRange);
        if (!value)
            return invalid(ErrorCode::FormatRange, "offset: " + value.error().message);
        range[index++] = *value;
    }
    entry.begin = range[0];
    entry.end = range[1];
    return entry;
}

Result<std::vector<Entry>> readEntries(JsonValue header)
{
    if (!header.isObject())
        return header.error(ErrorCode::FormatJson, "the header must be a JSON object");
    if (header.size() > kMaxTensors)
        return header.error(ErrorCode::FormatLimit, "more than " + std::to_string(kMaxTensors) + " tensors");
    std::vector<Entry> entries;
    for (const JsonValue json : header.children()) {
        if (json.key() == "__metadata__") {
            for (const JsonValue value : json.children())
                if (!value.isString())
                    return value.error(ErrorCode::FormatJson, "metadata must be strings");
            continue;
        }
        KAIKOU_TRY(Entry entry, readEntry(json));
        entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(),
        [](const Entry& a, const Entry& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    return entries;
}

// Range, order and size of one tensor; previousEnd is where the tensor before it ends.
Result<void> checkRange(const Entry& entry, std::uint64_t previousEnd, std::uint64_t dataSize)
{
    const auto fail = [&](ErrorCode code, const std::string& what) {
        return entry.json.error(code, "tensor \"" + entry.name + "\": " + what);
    };
    const std::string range = '[' + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + ')';
    if (entry.end < entry.begin)
        return fail(ErrorCode::FormatRange, "offsets " + range + " end before they begin");
    if (entry.begin > previousEnd)
        return fail(ErrorCode::FormatRange,
            "offset gap (hole) of " + std::to_string(entry.begin - previousEnd) + " bytes before " + range);
    if (entry.begin < previousEnd)
        return fail(ErrorCode::FormatRange, "offsets " + range + " overlap the tensor before");
    KAIKOU_TRY(const std::uint64_t needed,
        checkedTensorBytes(
            entry.name, entry.tensor.dtype, entry.tensor.shape, entry.json.error({}, {}).where));
    if (needed != entry.end - entry.begin)
        return fail(ErrorCode::FormatRange,
            "shape " + shapeText(entry.tensor.shape) + " of " + std::string(dtypeName(entry.tensor.dtype))
                + " needs a size of " + std::to_string(needed) + " bytes, the offsets hold "
                + std::to_string(entry.end - entry.begin));
    if (entry.end > dataSize)
        return fail(ErrorCode::FormatTruncated,
            "truncated: offsets " + range + " lie past the end of the file, "
                + std::to_string(entry.end - dataSize) + " bytes are missing; download it again");
    return {};
}

Result<void> checkTail(
    std::span<const std::byte> tail, const ByteSource& file, std::vector<Warning>& warnings)
{
    if (tail.empty())
        return {};
    const std::string count = std::to_string(tail.size());
    if (std::any_of(tail.begin(), tail.end(), [](std::byte b) { return b != std::byte {0}; }))
        return Error {
            ErrorCode::FormatRange, count + " extra trailing bytes after the last tensor", file.where};
    warnings.push_back(
        {ErrorCode::FormatRange, count + " extra trailing zero bytes after the last tensor", file.where});
    return {};
}

} // namespace

Result<TensorSet> readSafetensors(const ByteSource& file, std::vector<Warning>& warnings)
{
    ByteReader reader(file.bytes, file.where);
    KAIKOU_TRY(const std::string_view text, readHeader(reader, file));
    if (const std::size_t valid = validPrefixLength(text); valid != text.size())
        return Error {ErrorCode::FormatJson, "the header is not UTF-8",
            file.where + " at byte " + std::to_string(8 + valid)};
    KAIKOU_TRY(const JsonDocument document,
        JsonDocument::parse(
            text, file.where + " header ", {static_cast<std::size_t>(kMaxHeader), kMaxHeaderDepth, true}));
    KAIKOU_TRY(std::vector<Entry> entries, readEntries(document.root()));
    const std::span<const std::byte> data = file.bytes.subspan(reader.position());
    TensorSet tensors;
    std::uint64_t end = 0;
    for (Entry& entry : entries) {
        KAIKOU_CHECK(checkRange(entry, end, data.size()));
        end = entry.end;
        entry.tensor.bytes = data.subspan(
            static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(entry.end - entry.begin));
        entry.tensor.owner = file.owner;
        tensors.emplace(std::move(entry.name), std::move(entry.tensor));
    }
    KAIKOU_CHECK(checkTail(data.subspan(static_cast<std::size_t>(end)), file, warnings));
    return tensors;
}

} // namespace kaikou
