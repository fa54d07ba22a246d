#pragma once

#include "inference/backend/cpu/packed_matrix.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// The operations that have one version per instruction set. All versions give the same bits: rows in lanes,
// k ascending, every multiply-add fused, sums over a vector in eight partials (element i in partial i mod 8)
// reduced as ((0+4)+(2+6)) + ((1+5)+(3+7)).
namespace kaikou {

// y[c][r] = sum_k w[r, k] * x[c][k], one fused chain in f32, k ascending from 0, for the rows of groups
// [firstGroup, lastGroup). Weights are read once for all columns.
struct MatmulArgs
{
    const PackedMatrix* weights = nullptr;
    const float* x = nullptr; // [columns, cols], row pitch xStride floats
    std::size_t xStride = 0;
    float* y = nullptr; // [columns, rows], row pitch yStride floats
    std::size_t yStride = 0;
    std::uint32_t columns = 0; // tokens, >= 1
    std::uint32_t firstGroup = 0;
    std::uint32_t lastGroup = 0;
};

inline constexpr std::uint32_t kAttentionBlock = 32; // positions per softmax block
inline constexpr std::uint32_t kMaxScoreHeads = 8; // query heads per call

// scores[h][j] = scale * (q[h] . k[j]), eight partials; j < positions <= kAttentionBlock.
struct ScoreArgs
{
    const float* q = nullptr; // [heads, headSize]
    const void* k = nullptr; // [positions, headSize] f32 or f16
    float* scores = nullptr; // [heads, kAttentionBlock]
    float scale = 1.0F;
    std::uint32_t heads = 0; // <= kMaxScoreHeads
    std::uint32_t positions = 0;
    std::uint32_t headSize = 0;
};

// out[e] = out[e] * rescale, then for ascending j: out[e] = fma(p[j], v[j][e], out[e]).
struct MixArgs
{
    const float* p = nullptr; // [positions]
    const void* v = nullptr; // [positions, headSize] f32 or f16
    float* out = nullptr; // [headSize]
    float rescale = 1.0F;
    std::uint32_t positions = 0;
    std::uint32_t headSize = 0;
};

enum class Isa : std::uint8_t
{
    Scalar, // std::fma in software: any processor
    ScalarFma, // the same source compiled with FMA
    Avx2, // AVX2 + FMA + F16C
};

enum class KvFormat : std::uint8_t
{
    F32,
    F16
};

struct KernelTable
{
    Isa isa = Isa::Scalar;
    void (*matmul)(const MatmulArgs& args) = nullptr;
    // Sum of squares in eight partials.
    float (*sumSquares)(const float* x, std::uint32_t n) = nullptr;
    // y[i] = (x[i] * scale) * w[i]
    void (*scaleBy)(float* y, const float* x, float scale, const float* w, std::uint32_t n) = nullptr;
    // y[i] = silu(gate[i]) * up[i]
    void (*siluMul)(float* y, const float* gate, const float* up, std::uint32_t n) = nullptr;
    // y[i] = silu(x[i]) = x[i] / (1 + exp(-x[i]))
    void (*silu)(float* y, const float* x, std::uint32_t n) = nullptr;
    // y[i] = f16 of x[i], nearest, ties to even
    void (*toHalf)(std::uint16_t* y, const float* x, std::uint32_t n) = nullptr;
    // s[j] = exp(s[j] - max); partials[j mod 8] += s[j], j ascending. n <= kAttentionBlock; s has room
    // for 32.
    void (*expShifted)(float* s, std::uint32_t n, float max, float* partials) = nullptr;
    void (*scores[2])(const ScoreArgs& args) = {}; // by KvFormat of k
    void (*mix[2])(const MixArgs& args) = {}; // by KvFormat of v
};

// The fastest table this processor can run, or exactly `forced` (which must be one it can run).
[[nodiscard]] const KernelTable& kernelTable(std::optional<Isa> forced = std::nullopt);

[[nodiscard]] bool canRun(Isa isa) noexcept;

[[nodiscard]] std::string_view isaName(Isa isa) noexcept;

// ((0+4)+(2+6)) + ((1+5)+(3+7))
KAIKOU_ISA_SAFE float reducePartials(const float* p) noexcept
{
    return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

} // namespace kaikou
