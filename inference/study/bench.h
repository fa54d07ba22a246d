#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kaikou {

// Of repeated measurements: quote the median, show how far they lie apart.
struct Spread
{
    double min = 0.0, median = 0.0, max = 0.0;
};

// The median of an even number is the mean of the two in the middle. Empty gives zeros.
[[nodiscard]] inline Spread spreadOf(std::vector<double> values)
{
    if (values.empty())
        return {};
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
    return {values.front(), median, values.back()};
}

struct BenchPlan
{
    std::uint32_t promptTokens = 128, newTokens = 64;
};

// The usual sizes, shrunk to a short context: prompt at most three quarters of it, then what is left.
[[nodiscard]] inline BenchPlan benchPlan(std::uint32_t context)
{
    const std::uint32_t prompt = std::min(128U, context * 3 / 4);
    return {prompt, std::min(64U, context - prompt)};
}

} // namespace kaikou
