#include "inference/load/raw_tensor.h"

#include "inference/base/byte_reader.h"

namespace kaikou {

std::string shapeText(std::span<const std::uint64_t> shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + "]";
}

Result<std::uint64_t> checkedTensorBytes(
    std::string_view name, Dtype dtype, std::span<const std::uint64_t> shape, const std::string& where)
{
    const auto limit = [&](const std::string& what) {
        return Error {ErrorCode::FormatLimit, "tensor \"" + std::string(name) + "\": " + what, where};
    };
    if (shape.size() > kMaxRank)
        return limit(
            std::to_string(shape.size()) + " dimensions, at most " + std::to_string(kMaxRank) + " are read");
    std::uint64_t elements = 1;
    for (const std::uint64_t dimension : shape) {
        if (dimension > kMaxDimension)
            return limit("shape " + shapeText(shape) + " has a dimension beyond the limit (overflow)");
        if (!checkedMultiply(elements, dimension, elements) || elements > kMaxElements)
            return limit("the size of shape " + shapeText(shape) + " is beyond the limit (overflow)");
    }
    return elements * bytesPerElement(dtype);
}

} // namespace kaikou
