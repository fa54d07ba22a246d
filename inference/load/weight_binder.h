#pragma once

#include "inference/base/result.h"
#include "inference/load/raw_tensor.h"
#include "inference/model/weights.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

// Gives stored tensors their roles. Collects what is missing, mis-shaped or left over, so that one message
// lists it all (at most 10 of a kind); a tensor that does not fit comes back empty.
class WeightBinder
{
public:
    WeightBinder(const TensorSet& tensors, std::string where);

    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] Tensor matrix(const std::string& name, std::uint32_t rows, std::uint32_t cols);
    [[nodiscard]] Tensor vector(const std::string& name, std::uint32_t cols);

    // Errors: TensorShape, TensorMissing, TensorUnexpected, FormatDtype. Names for which `ignorable` holds
    // may be left over.
    [[nodiscard]] Result<void> finish(const std::function<bool(std::string_view name)>& ignorable) const;

private:
    [[nodiscard]] Tensor bind(const std::string& name, const std::vector<std::uint64_t>& shape);

    const TensorSet& m_tensors;
    std::string m_where;
    std::set<std::string, std::less<>> m_used;
    std::vector<std::string> m_missing, m_misshaped, m_wrongType;
};

// Rows [begin, begin + count) of a matrix, or that part of a vector, as a tensor of its own on the same
// bytes.
[[nodiscard]] Tensor rowsOf(const Tensor& tensor, std::uint32_t begin, std::uint32_t count);
[[nodiscard]] Tensor colsOf(const Tensor& vector, std::uint32_t begin, std::uint32_t count);

// The same numbers, whatever the owner.
[[nodiscard]] bool sameContent(const Tensor& a, const Tensor& b);

} // namespace kaikou
