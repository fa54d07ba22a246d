// Matrix times columns on weights in R8 layouts: see MatmulArgs for the algebra.
#include "inference/backend/cpu/avx2/avx2_math.h"
#include "inference/backend/cpu/kernel_sets.h"

namespace kaikou {

namespace {

// Eight rows of columns k (even) and k + 1 (odd) out of one unit, widened exactly.
struct F32Unit
{
    static constexpr std::uint32_t kBytes = 64;

    [[gnu::always_inline]] static __m256 even(const std::byte* unit)
    {
        return _mm256_load_ps(reinterpret_cast<const float*>(unit));
    }

    [[gnu::always_inline]] static __m256 odd(const std::byte* unit)
    {
        return _mm256_load_ps(reinterpret_cast<const float*>(unit) + 8);
    }
};

struct Bf16Unit
{
    static constexpr std::uint32_t kBytes = 32;

    [[gnu::always_inline]] static __m256 even(const std::byte* unit)
    {
        const __m256i pairs = _mm256_load_si256(reinterpret_cast<const __m256i*>(unit));
        return _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
    }

    [[gnu::always_inline]] static __m256 odd(const std::byte* unit)
    {
        const __m256i pairs = _mm256_load_si256(reinterpret_cast<const __m256i*>(unit));
        return _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(static_cast<int>(0xFFFF0000U))));
    }
};

struct F16Unit
{
    static constexpr std::uint32_t kBytes = 32;

    [[gnu::always_inline]] static __m256 even(const std::byte* unit)
    {
        return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(unit)));
    }

    [[gnu::always_inline]] static __m256 odd(const std::byte* unit)
    {
        return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(unit) + 1));
    }
};

// Weights of some groups for columns [k, k + 2 * pairs) and what they multiply.
struct Tile
{
    const std::byte* units; // first group, first pair
    std::size_t pairPitch; // bytes from one pair of columns to the next
    const float* x; // [columns, xStride], already moved to k
    std::size_t xStride;
    float* y; // [columns, yStride], already moved to the first group's first row
    std::size_t yStride;
    std::uint32_t pairs; // whole pairs
    bool oddColumn; // one more column after them
    bool first; // chains start at 0, else from y
    std::uint32_t lastLanes; // rows of the last group, 1..8
};

constexpr std::size_t kPrefetchBytes = 2048;

// G groups of rows x C columns: G * C chains in registers.
template <class Unit, int G, int C>
void multiplyTile(const Tile& t)
{
    __m256 sum[C][G];
    const __m256i lastMask = laneMask(t.lastLanes);
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
#pragma GCC unroll 4
        for (int g = 0; g < G; ++g) {
            const float* y = t.y + static_cast<std::size_t>(c) * t.yStride + g * 8;
            if (t.first)
                sum[c][g] = _mm256_setzero_ps();
            else
                sum[c][g] = g == G - 1 ? _mm256_maskload_ps(y, lastMask) : _mm256_loadu_ps(y);
        }
    }
    const std::byte* units = t.units;
    const float* x = t.x;
    for (std::uint32_t pair = 0; pair < t.pairs; ++pair, units += t.pairPitch, x += 2) {
        if (C == 1) {
#pragma GCC unroll 4
            for (int g = 0; g < G; g += Unit::kBytes == 64 ? 1 : 2)
                _mm_prefetch(reinterpret_cast<const char*>(units) + kPrefetchBytes
                        + g * static_cast<int>(Unit::kBytes),
                    _MM_HINT_T0);
        }
        __m256 column[C];
#pragma GCC unroll 4
        for (int c = 0; c < C; ++c)
            column[c] = _mm256_broadcast_ss(x + static_cast<std::size_t>(c) * t.xStride);
#pragma GCC unroll 4
        for (int g = 0; g < G; ++g) {
            const __m256 w = Unit::even(units + g * static_cast<int>(Unit::kBytes));
#pragma GCC unroll 4
            for (int c = 0; c < C; ++c)
                sum[c][g] = _mm256_fmadd_ps(w, column[c], sum[c][g]);
        }
#pragma GCC unroll 4
        for (int c = 0; c < C; ++c)
            column[c] = _mm256_broadcast_ss(x + static_cast<std::size_t>(c) * t.xStride + 1);
#pragma GCC unroll 4
        for (int g = 0; g < G; ++g) {
            const __m256 w = Unit::odd(units + g * static_cast<int>(Unit::kBytes));
#pragma GCC unroll 4
            for (int c = 0; c < C; ++c)
                sum[c][g] = _mm256_fmadd_ps(w, column[c], sum[c][g]);
        }
    }
    if (t.oddColumn) {
#pragma GCC unroll 4
        for (int c = 0; c < C; ++c) {
            const __m256 column = _mm256_broadcast_ss(x + static_cast<std::size_t>(c) * t.xStride);
#pragma GCC unroll 4
            for (int g = 0; g < G; ++g)
                sum[c][g] = _mm256_fmadd_ps(
                    Unit::even(units + g * static_cast<int>(Unit::kBytes)), column, sum[c][g]);
        }
    }
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
#pragma GCC unroll 4
        for (int g = 0; g < G; ++g) {
            float* y = t.y + static_cast<std::size_t>(c) * t.yStride + g * 8;
            if (g == G - 1 && t.lastLanes != 8)
                _mm256_maskstore_ps(y, lastMask, sum[c][g]);
            else
                _mm256_storeu_ps(y, sum[c][g]);
        }
    }
}

// All columns of one tile of rows: three at a time, four as two and two.
template <class Unit, int G>
void multiplyColumns(Tile t, std::uint32_t columns)
{
    while (columns > 0) {
        std::uint32_t step = columns;
        if (columns == 4)
            step = 2;
        else if (columns > 3)
            step = 3;
        if (step == 3)
            multiplyTile<Unit, G, 3>(t);
        else if (step == 2)
            multiplyTile<Unit, G, 2>(t);
        else
            multiplyTile<Unit, G, 1>(t);
        t.x += step * t.xStride;
        t.y += step * t.yStride;
        columns -= step;
    }
}

template <class Unit>
void multiplyGroups(const Tile& t, std::uint32_t groups, std::uint32_t columns)
{
    switch (groups) {
    case 4:
        return multiplyColumns<Unit, 4>(t, columns);
    case 3:
        return multiplyColumns<Unit, 3>(t, columns);
    case 2:
        return multiplyColumns<Unit, 2>(t, columns);
    default:
        return multiplyColumns<Unit, 1>(t, columns);
    }
}

constexpr std::uint32_t kBlockPairs = 64; // 4 groups x 128 columns in f32 = 16 KiB: half of L1
constexpr std::uint32_t kExpandFrom = 7; // columns from which widening 16-bit weights once pays

// Widens the tile's weights into `buffer`, groups side by side, and points the tile at them.
template <class Unit>
void expand(Tile& t, std::uint32_t groups, std::byte* buffer)
{
    const std::uint32_t pairs = t.pairs + (t.oddColumn ? 1U : 0U);
    for (std::uint32_t pair = 0; pair < pairs; ++pair) {
        for (std::uint32_t g = 0; g < groups; ++g) {
            const std::byte* unit = t.units + pair * t.pairPitch + g * Unit::kBytes;
            auto* wide = reinterpret_cast<float*>(buffer + (pair * groups + g) * F32Unit::kBytes);
            _mm256_store_ps(wide, Unit::even(unit));
            _mm256_store_ps(wide + 8, Unit::odd(unit));
        }
    }
    t.units = buffer;
    t.pairPitch = std::size_t {groups} * F32Unit::kBytes;
}

// Groups [first, first + count) of one panel.
template <class Unit>
void multiplyPanel(const MatmulArgs& a, std::uint32_t first, std::uint32_t count)
{
    alignas(64) std::byte buffer[kGroupsPerPanel * kBlockPairs * F32Unit::kBytes];
    const PackedMatrix& w = *a.weights;
    const std::uint32_t rowsLeft = w.rows - (first + count - 1) * kRowsPerGroup;
    // With few columns the block's sums would travel for nothing: one block.
    const std::uint32_t blockPairs = a.columns > 3 ? kBlockPairs : w.pairs();
    for (std::uint32_t pair = 0; pair < w.pairs(); pair += blockPairs) {
        const std::uint32_t left = w.cols - 2 * pair;
        Tile t {};
        t.units = w.unit(first, pair);
        t.pairPitch = std::size_t {w.panelWidth(first)} * Unit::kBytes;
        t.x = a.x + 2 * pair;
        t.xStride = a.xStride;
        t.y = a.y + first * kRowsPerGroup;
        t.yStride = a.yStride;
        t.pairs = left / 2 < blockPairs ? left / 2 : blockPairs;
        t.oddColumn = t.pairs < blockPairs && left % 2 != 0;
        t.first = pair == 0;
        t.lastLanes = rowsLeft < kRowsPerGroup ? rowsLeft : kRowsPerGroup;
        if (Unit::kBytes != F32Unit::kBytes && a.columns >= kExpandFrom) {
            expand<Unit>(t, count, buffer);
            multiplyGroups<F32Unit>(t, count, a.columns);
        } else {
            multiplyGroups<Unit>(t, count, a.columns);
        }
    }
}

template <class Unit>
void multiply(const MatmulArgs& a)
{
    for (std::uint32_t group = a.firstGroup; group < a.lastGroup;) {
        const std::uint32_t panelEnd = (group / kGroupsPerPanel + 1) * kGroupsPerPanel;
        const std::uint32_t end = panelEnd < a.lastGroup ? panelEnd : a.lastGroup;
        multiplyPanel<Unit>(a, group, end - group);
        group = end;
    }
}

} // namespace

void avx2Matmul(const MatmulArgs& args)
{
    switch (args.weights->layout) {
    case WeightLayout::F32R8:
        return multiply<F32Unit>(args);
    case WeightLayout::BF16R8:
        return multiply<Bf16Unit>(args);
    case WeightLayout::F16R8:
        return multiply<F16Unit>(args);
    }
}

} // namespace kaikou
