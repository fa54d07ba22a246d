#pragma once

#include <cstdint>
#include <span>

// The loops over a whole vocabulary. Compiled twice, plain and with AVX2 + FMA, and chosen at run time; both
// give the same bits, since every operation and its order is written out.
namespace kaikou {

// Sums of e = exp(x), x = (logit - max) / T <= 0, in eight lanes by index modulo 8.
struct ExpSums
{
    double sum = 0.0; // of e
    double weighted = 0.0; // of e * x
};

[[nodiscard]] ExpSums expSums(std::span<const float> logits, double max, double temperature);

// out[i] = exp((logits[i] - max) / T) / sum.
void softmaxInto(
    std::span<const float> logits, double max, double temperature, double sum, std::span<double> out);

// exp(x) for x <= 0 in double, relative error < 1e-15; 0 below -708.
[[nodiscard]] double expNonPositiveDouble(double x) noexcept;

// out[i] = mass of (logits[i] - max) / T (mass.h).
void massesInto(std::span<const float> logits, float max, float temperature, std::span<std::uint64_t> out);

} // namespace kaikou
