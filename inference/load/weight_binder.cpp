#include "inference/load/weight_binder.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaikou {

namespace {

constexpr std::size_t kMaxListed = 10;

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMaxListed); ++i)
        text += (i == 0 ? "" : "; ") + names[i];
    if (names.size() > kMaxListed)
        text += "; and " + std::to_string(names.size() - kMaxListed) + " more";
    return text;
}

bool isFloat(Dtype dtype)
{
    return dtype == Dtype::F32 || dtype == Dtype::F16 || dtype == Dtype::BF16 || dtype == Dtype::F64;
}

// No backend computes in f64: such weights are rounded to f32 once, here.
void narrow(Tensor& tensor)
{
    const std::size_t count = tensor.bytes.size() / sizeof(double);
    auto floats = std::make_shared<std::vector<float>>(count);
    for (std::size_t i = 0; i < count; ++i) {
        double value = 0;
        std::memcpy(&value, tensor.bytes.data() + i * sizeof(double), sizeof(double));
        (*floats)[i] = static_cast<float>(value);
    }
    tensor.dtype = Dtype::F32;
    tensor.bytes = std::as_bytes(std::span(*floats));
    tensor.owner = floats;
}

} // namespace

WeightBinder::WeightBinder(const TensorSet& tensors, std::string where)
    : m_tensors(tensors)
    , m_where(std::move(where))
{
}

bool WeightBinder::has(std::string_view name) const
{
    return m_tensors.find(name) != m_tensors.end();
}

Tensor WeightBinder::matrix(const std::string& name, std::uint32_t rows, std::uint32_t cols)
{
    Tensor tensor = bind(name, {rows, cols});
    tensor.rows = rows;
    tensor.cols = cols;
    return tensor;
}

Tensor WeightBinder::vector(const std::string& name, std::uint32_t cols)
{
    Tensor tensor = bind(name, {cols});
    tensor.rows = 1;
    tensor.cols = cols;
    return tensor;
}

Tensor WeightBinder::bind(const std::string& name, const std::vector<std::uint64_t>& shape)
{
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end()) {
        m_missing.push_back(name);
        return {};
    }
    m_used.insert(name);
    const RawTensor& raw = found->second;
    if (raw.shape != shape) {
        m_misshaped.push_back(name + " has shape " + shapeText(raw.shape) + ", expected " + shapeText(shape));
        return {};
    }
    if (!isFloat(raw.dtype)) {
        m_wrongType.push_back(name + " is " + std::string(dtypeName(raw.dtype)));
        return {};
    }
    Tensor tensor {name, raw.dtype, 0, 0, raw.bytes, raw.owner};
    if (raw.dtype == Dtype::F64)
        narrow(tensor);
    return tensor;
}

Result<void> WeightBinder::finish(const std::function<bool(std::string_view)>& ignorable) const
{
    if (!m_misshaped.empty())
        return Error {ErrorCode::TensorShape,
            "the weights do not fit the configuration: " + listed(m_misshaped), m_where};
    if (!m_missing.empty())
        return Error {ErrorCode::TensorMissing, "missing tensors: " + listed(m_missing), m_where};
    if (!m_wrongType.empty())
        return Error {
            ErrorCode::FormatDtype, "weights must be floating point: " + listed(m_wrongType), m_where};
    std::vector<std::string> extra;
    for (const auto& [name, raw] : m_tensors)
        if (m_used.find(name) == m_used.end() && !ignorable(name))
            extra.push_back(name);
    if (!extra.empty())
        return Error {ErrorCode::TensorUnexpected,
            "tensors that this architecture does not have: " + listed(extra), m_where};
    return {};
}

Tensor rowsOf(const Tensor& tensor, std::uint32_t begin, std::uint32_t count)
{
    Tensor part = tensor;
    const std::size_t row = std::size_t {tensor.cols} * bytesPerElement(tensor.dtype);
    part.name += " rows " + std::to_string(begin);
    part.rows = count;
    part.bytes = tensor.empty() ? tensor.bytes : tensor.bytes.subspan(begin * row, count * row);
    return part;
}

Tensor colsOf(const Tensor& vector, std::uint32_t begin, std::uint32_t count)
{
    Tensor part = vector;
    const std::size_t size = bytesPerElement(vector.dtype);
    part.name += " from " + std::to_string(begin);
    part.cols = count;
    part.bytes = vector.empty() ? vector.bytes : vector.bytes.subspan(begin * size, count * size);
    return part;
}

bool sameContent(const Tensor& a, const Tensor& b)
{
    if (a.dtype != b.dtype || a.bytes.size() != b.bytes.size())
        return false;
    return a.bytes.data() == b.bytes.data()
        || std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
}

} // namespace kaikou
