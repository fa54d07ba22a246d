#pragma once

#include "inference/base/dtype.h"
#include "inference/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

inline constexpr std::size_t kMaxRank = 8;
inline constexpr std::uint64_t kMaxDimension = std::uint64_t {1} << 31;
inline constexpr std::uint64_t kMaxElements = std::uint64_t {1} << 40;
inline constexpr std::size_t kMaxTensors = 65536;

// A tensor as a container holds it: any rank, contiguous and row-major.
struct RawTensor
{
    Dtype dtype = Dtype::F32;
    std::vector<std::uint64_t> shape; // empty = a scalar
    std::span<const std::byte> bytes; // product(shape) * bytesPerElement(dtype)
    std::shared_ptr<const void> owner;
};

// All tensors of a checkpoint by name.
using TensorSet = std::map<std::string, RawTensor, std::less<>>;

// "[64, 32]"
[[nodiscard]] std::string shapeText(std::span<const std::uint64_t> shape);

// Bytes of a tensor of this shape. FormatLimit (where = place, message names the tensor) where rank, a
// dimension or the product is beyond the limits above.
[[nodiscard]] Result<std::uint64_t> checkedTensorBytes(
    std::string_view name, Dtype dtype, std::span<const std::uint64_t> shape, const std::string& where);

} // namespace kaikou
