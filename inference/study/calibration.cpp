#include "inference/study/calibration.h"

#include <cmath>

namespace kaikou {

namespace {

// Compared with the edges themselves: multiplying and truncating would move values that lie on a tenth.
std::size_t binOf(double confidence, std::uint32_t bins)
{
    std::size_t bin = 0;
    while (bin + 1 < bins && confidence > static_cast<double>(bin + 1) / bins)
        ++bin;
    return bin;
}

} // namespace

Calibration calibrate(std::span<const Judged> rows, std::uint32_t bins)
{
    Calibration result;
    result.bins.resize(bins);
    for (const Judged& row : rows) {
        CalibrationBin& bin = result.bins[binOf(row.confidence, bins)];
        const double correct = row.correct ? 1.0 : 0.0;
        ++bin.count;
        bin.confidence += row.confidence;
        bin.accuracy += correct;
        result.brier += (row.confidence - correct) * (row.confidence - correct);
    }
    if (rows.empty())
        return result;
    const auto total = static_cast<double>(rows.size());
    result.brier /= total;
    for (CalibrationBin& bin : result.bins) {
        if (bin.count == 0)
            continue;
        bin.confidence /= bin.count;
        bin.accuracy /= bin.count;
        result.ece += bin.count / total * std::abs(bin.accuracy - bin.confidence);
    }
    return result;
}

} // namespace kaikou
