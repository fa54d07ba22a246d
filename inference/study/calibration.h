#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kaikou {

// One answered question: how sure, and whether it was right.
struct Judged
{
    double confidence = 0.0; // 0..1
    bool correct = false;
};

struct CalibrationBin
{
    std::uint32_t count = 0;
    double confidence = 0.0, accuracy = 0.0; // means over the bin
};

struct Calibration
{
    double ece = 0.0; // sum over bins of share * |accuracy - confidence|
    double brier = 0.0; // mean (confidence - correct)^2
    std::vector<CalibrationBin> bins;
};

// Bins of equal width (i/n, (i+1)/n]; the first is closed on both sides (sampling.md §11). bins >= 1.
[[nodiscard]] Calibration calibrate(std::span<const Judged> rows, std::uint32_t bins);

} // namespace kaikou
