#include "inference/load/torch_tensors.h"

#include "inference/base/byte_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace kaikou {

namespace {

// A view may repeat its storage (stride 0); copies up to this size are made nevertheless.
constexpr std::uint64_t kMaxExpanded = std::uint64_t {16} << 20;

constexpr std::array<std::pair<std::string_view, Dtype>, 10> kStorageClasses = {{{"FloatStorage", Dtype::F32},
    {"HalfStorage", Dtype::F16}, {"BFloat16Storage", Dtype::BF16}, {"DoubleStorage", Dtype::F64},
    {"LongStorage", Dtype::I64}, {"IntStorage", Dtype::I32}, {"ShortStorage", Dtype::I16},
    {"CharStorage", Dtype::I8}, {"ByteStorage", Dtype::U8}, {"BoolStorage", Dtype::Bool}}};

constexpr std::array<std::pair<std::string_view, Dtype>, 10> kDtypeNames
    = {{{"float32", Dtype::F32}, {"float16", Dtype::F16}, {"bfloat16", Dtype::BF16}, {"float64", Dtype::F64},
        {"int64", Dtype::I64}, {"int32", Dtype::I32}, {"int16", Dtype::I16}, {"int8", Dtype::I8},
        {"uint8", Dtype::U8}, {"bool", Dtype::Bool}}};

std::optional<Dtype> lookUp(const auto& table, std::string_view dotted)
{
    const std::string_view name = dotted.substr(dotted.rfind('.') + 1);
    for (const auto& [known, dtype] : table)
        if (known == name)
            return dtype;
    return std::nullopt;
}

struct View
{
    std::uint64_t offset = 0; // elements
    std::vector<std::uint64_t> shape, strides; // elements
};

class TensorReader
{
public:
    TensorReader(std::string_view name, const PickleDocument& document, const TorchStorages& storages)
        : m_name(name)
        , m_document(document)
        , m_storages(storages)
    {
    }

    Result<RawTensor> read(const PickleNode& node);

private:
    [[nodiscard]] Error error(const std::string& what, ErrorCode code = ErrorCode::FormatRange) const
    {
        return {code, "tensor \"" + m_name + "\": " + what, m_storages.where};
    }

    [[nodiscard]] const PickleNode& node(PickleId id) const { return m_document.nodes[id]; }

    [[nodiscard]] std::string keyOf(const PickleNode& storage) const
    {
        const PickleNode& key = node(storage.items[0]);
        return key.kind == PickleKind::Integer ? std::to_string(key.number) : std::string(key.text);
    }

    Result<Dtype> dtypeOf(const PickleNode& tensor, const PickleNode& storage) const;
    Result<std::span<const std::byte>> entryOf(const PickleNode& storage, std::uint32_t itemSize) const;
    Result<View> viewOf(const PickleNode& tensor) const;
    Result<void> checkBounds(const View& view, std::uint64_t elements) const;

    std::string m_name;
    const PickleDocument& m_document;
    const TorchStorages& m_storages;
};

Result<Dtype> TensorReader::dtypeOf(const PickleNode& tensor, const PickleNode& storage) const
{
    const std::optional<Dtype> dtype = tensor.items.size() > 4
        ? lookUp(kDtypeNames, node(tensor.items[4]).text)
        : lookUp(kStorageClasses, storage.text);
    if (!dtype)
        return error(std::string(storage.text) + " is not supported", ErrorCode::FormatDtype);
    return *dtype;
}

Result<std::span<const std::byte>> TensorReader::entryOf(
    const PickleNode& storage, std::uint32_t itemSize) const
{
    const std::string name = "data/" + keyOf(storage);
    const auto found = m_storages.entries.find(m_storages.folder + name);
    if (found == m_storages.entries.end())
        return error("the file has no storage " + name);
    const bool untyped = storage.text.ends_with("UntypedStorage"); // counts bytes, not elements
    std::uint64_t bytes = 0;
    if (!checkedMultiply(static_cast<std::uint64_t>(storage.number), untyped ? 1 : itemSize, bytes)
        || bytes != found->second.bytes.size())
        return error("the size of storage " + name + " is " + std::to_string(found->second.bytes.size())
            + " bytes, its numel of " + std::to_string(storage.number) + " needs another (truncated?)");
    return found->second.bytes;
}

Result<View> TensorReader::viewOf(const PickleNode& tensor) const
{
    View view;
    const auto numbers = [&](const PickleNode& list, std::vector<std::uint64_t>& out, const char* what) {
        for (const PickleId id : list.items) {
            if (node(id).number < 0)
                return Result<void>(error(std::string("a ") + what + " is negative"));
            out.push_back(static_cast<std::uint64_t>(node(id).number));
        }
        return Result<void>();
    };
    if (node(tensor.items[1]).number < 0)
        return error("its storage offset is negative");
    view.offset = static_cast<std::uint64_t>(node(tensor.items[1]).number);
    if (node(tensor.items[2]).items.size() > kMaxRank)
        return error("more than " + std::to_string(kMaxRank) + " dimensions", ErrorCode::FormatLimit);
    if (node(tensor.items[2]).items.size() != node(tensor.items[3]).items.size())
        return error("shape and stride have different ranks");
    KAIKOU_CHECK(numbers(node(tensor.items[2]), view.shape, "dimension of its shape"));
    KAIKOU_CHECK(numbers(node(tensor.items[3]), view.strides, "stride"));
    return view;
}

// The last element of the view lies inside the storage.
Result<void> TensorReader::checkBounds(const View& view, std::uint64_t elements) const
{
    std::uint64_t last = view.offset;
    bool fits = true;
    for (std::size_t i = 0; i < view.shape.size() && fits; ++i) {
        if (view.shape[i] == 0)
            return {};
        std::uint64_t step = 0;
        fits = checkedMultiply(view.shape[i] - 1, view.strides[i], step) && checkedAdd(last, step, last);
    }
    if (!fits || last >= elements)
        return error("offset and strides reach past the end of its storage of " + std::to_string(elements)
            + " elements");
    return {};
}

bool isContiguous(const View& view)
{
    std::uint64_t expected = 1;
    for (std::size_t i = view.shape.size(); i-- > 0;) {
        if (view.shape[i] != 1 && view.strides[i] != expected)
            return false;
        expected *= view.shape[i];
    }
    return true;
}

// Row-major copy; rank >= 1, no dimension 0, bounds checked.
std::shared_ptr<std::vector<std::byte>> gather(
    const View& view, std::span<const std::byte> storage, std::size_t itemSize, std::size_t bytes)
{
    auto copy = std::make_shared<std::vector<std::byte>>(bytes);
    std::vector<std::uint64_t> index(view.shape.size(), 0);
    std::uint64_t from = view.offset;
    for (std::size_t to = 0; to < bytes; to += itemSize) {
        std::memcpy(copy->data() + to, storage.data() + from * itemSize, itemSize);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            from += view.strides[axis];
            if (++index[axis] < view.shape[axis])
                break;
            from -= view.strides[axis] * view.shape[axis];
            index[axis] = 0;
        }
    }
    return copy;
}

Result<RawTensor> TensorReader::read(const PickleNode& tensor)
{
    const PickleNode& storage = node(tensor.items[0]);
    RawTensor raw;
    KAIKOU_TRY(raw.dtype, dtypeOf(tensor, storage));
    const std::uint32_t itemSize = bytesPerElement(raw.dtype);
    KAIKOU_TRY(const auto entry, entryOf(storage, itemSize));
    KAIKOU_TRY(View view, viewOf(tensor));
    KAIKOU_TRY(
        const std::uint64_t bytes, checkedTensorBytes(m_name, raw.dtype, view.shape, m_storages.where));
    KAIKOU_CHECK(checkBounds(view, entry.size() / itemSize));
    raw.owner = m_storages.owner;
    if (bytes != 0 && isContiguous(view)) {
        raw.bytes = entry.subspan(
            static_cast<std::size_t>(view.offset * itemSize), static_cast<std::size_t>(bytes));
    } else if (bytes != 0) {
        if (bytes > std::max<std::uint64_t>(kMaxExpanded, entry.size()))
            return error("its strides expand a small storage to " + std::to_string(bytes) + " bytes",
                ErrorCode::FormatLimit);
        const auto copy = gather(view, entry, itemSize, static_cast<std::size_t>(bytes));
        raw.bytes = *copy;
        raw.owner = copy;
    }
    raw.shape = std::move(view.shape);
    return raw;
}

} // namespace

Result<RawTensor> torchTensor(std::string_view name, const PickleDocument& document, const PickleNode& node,
    const TorchStorages& storages)
{
    return TensorReader(name, document, storages).read(node);
}

} // namespace kaikou
