// The reference kernels, included by two files: one for any processor, one compiled with FMA instructions.
// Everything is local to the including file, and `flatten` pulls in what is called, so that no copy made with
// FMA can serve the rest of the program.
#include "inference/backend/cpu/kernel_table.h"
#include "inference/base/exp.h"
#include "inference/base/half.h"

#include <cmath>
#include <cstring>

namespace kaikou {

namespace {

// NOLINTBEGIN(misc-definitions-in-headers): see the first lines
float weightAt(const std::byte* unit, WeightLayout layout, std::uint32_t lane, std::uint32_t odd)
{
    if (layout == WeightLayout::F32R8) {
        float value;
        std::memcpy(&value, unit + (odd * kRowsPerGroup + lane) * sizeof value, sizeof value);
        return value;
    }
    std::uint16_t bits;
    if (layout == WeightLayout::BF16R8) {
        std::memcpy(&bits, unit + (lane * 2 + odd) * sizeof bits, sizeof bits);
        return bfloatToFloat(bits);
    }
    std::memcpy(&bits, unit + (odd * kRowsPerGroup + lane) * sizeof bits, sizeof bits);
    return halfToFloat(bits);
}

[[gnu::flatten]] void matmul(const MatmulArgs& a)
{
    const PackedMatrix& w = *a.weights;
    for (std::uint32_t group = a.firstGroup; group < a.lastGroup; ++group) {
        const std::uint32_t row = group * kRowsPerGroup;
        const std::uint32_t lanes = w.rows - row < kRowsPerGroup ? w.rows - row : kRowsPerGroup;
        for (std::uint32_t c = 0; c < a.columns; ++c) {
            const float* x = a.x + c * a.xStride;
            float sums[kRowsPerGroup] = {};
            for (std::uint32_t k = 0; k < w.cols; ++k) {
                const std::byte* unit = w.unit(group, k / 2);
                for (std::uint32_t lane = 0; lane < kRowsPerGroup; ++lane)
                    sums[lane] = std::fma(weightAt(unit, w.layout, lane, k % 2), x[k], sums[lane]);
            }
            std::memcpy(a.y + c * a.yStride + row, sums, lanes * sizeof(float));
        }
    }
}

[[gnu::flatten]] float sumSquares(const float* x, std::uint32_t n)
{
    float partials[8] = {};
    for (std::uint32_t i = 0; i < n; ++i)
        partials[i % 8] = std::fma(x[i], x[i], partials[i % 8]);
    return reducePartials(partials);
}

void scaleBy(float* y, const float* x, float scale, const float* w, std::uint32_t n)
{
    for (std::uint32_t i = 0; i < n; ++i)
        y[i] = (x[i] * scale) * w[i];
}

float siluOf(float x)
{
    const float e = expNonPositive(x < 0.0F ? x : -x);
    return x * ((x < 0.0F ? e : 1.0F) / (1.0F + e));
}

[[gnu::flatten]] void siluMul(float* y, const float* gate, const float* up, std::uint32_t n)
{
    for (std::uint32_t i = 0; i < n; ++i)
        y[i] = siluOf(gate[i]) * up[i];
}

[[gnu::flatten]] void silu(float* y, const float* x, std::uint32_t n)
{
    for (std::uint32_t i = 0; i < n; ++i)
        y[i] = siluOf(x[i]);
}

[[gnu::flatten]] void toHalf(std::uint16_t* y, const float* x, std::uint32_t n)
{
    for (std::uint32_t i = 0; i < n; ++i)
        y[i] = floatToHalf(x[i]);
}

[[gnu::flatten]] void expShifted(float* s, std::uint32_t n, float max, float* partials)
{
    for (std::uint32_t j = 0; j < n; ++j) {
        s[j] = expNonPositive(s[j] - max);
        partials[j % 8] += s[j];
    }
}

float kvAt(const void* rows, std::size_t index, KvFormat format)
{
    if (format == KvFormat::F32)
        return static_cast<const float*>(rows)[index];
    return halfToFloat(static_cast<const std::uint16_t*>(rows)[index]);
}

template <KvFormat format>
[[gnu::flatten]] void scores(const ScoreArgs& a)
{
    for (std::uint32_t h = 0; h < a.heads; ++h) {
        for (std::uint32_t j = 0; j < a.positions; ++j) {
            float partials[8] = {};
            for (std::uint32_t e = 0; e < a.headSize; ++e) {
                const float k = kvAt(a.k, std::size_t {j} * a.headSize + e, format);
                partials[e % 8] = std::fma(a.q[h * a.headSize + e], k, partials[e % 8]);
            }
            a.scores[h * kAttentionBlock + j] = reducePartials(partials) * a.scale;
        }
    }
}

template <KvFormat format>
[[gnu::flatten]] void mix(const MixArgs& a)
{
    for (std::uint32_t e = 0; e < a.headSize; ++e) {
        float sum = a.out[e] * a.rescale;
        for (std::uint32_t j = 0; j < a.positions; ++j)
            sum = std::fma(a.p[j], kvAt(a.v, std::size_t {j} * a.headSize + e, format), sum);
        a.out[e] = sum;
    }
}

constexpr KernelTable makeTable(Isa isa)
{
    return {isa, matmul, sumSquares, scaleBy, siluMul, silu, toHalf, expShifted,
        {scores<KvFormat::F32>, scores<KvFormat::F16>}, {mix<KvFormat::F32>, mix<KvFormat::F16>}};
}

// NOLINTEND(misc-definitions-in-headers)

} // namespace

} // namespace kaikou
