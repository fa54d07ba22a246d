// One block of positions of attention: scores, exponentials, mixing of values.
#include "inference/backend/cpu/avx2/avx2_math.h"
#include "inference/backend/cpu/kernel_sets.h"

namespace kaikou {

namespace {

struct F32Rows
{
    using Element = float;

    [[gnu::always_inline]] static __m256 load(const float* p) { return _mm256_loadu_ps(p); }

    [[gnu::always_inline]] static float one(float value) { return value; }
};

struct F16Rows
{
    using Element = std::uint16_t;

    [[gnu::always_inline]] static __m256 load(const std::uint16_t* p)
    {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    }

    [[gnu::always_inline]] static float one(std::uint16_t value) { return _cvtsh_ss(value); }
};

// A head size that is no multiple of 8 ends in some partials only.
template <class Rows>
float dotTail(
    __m256 sum, const float* q, const typename Rows::Element* k, std::uint32_t from, std::uint32_t n)
{
    alignas(32) float partials[8];
    _mm256_store_ps(partials, sum);
    for (std::uint32_t e = from; e < n; ++e)
        partials[e % 8] = __builtin_fmaf(q[e], Rows::one(k[e]), partials[e % 8]);
    return reducePartials(partials);
}

// Scores of H query heads: the key is read once for all of them.
template <class Rows, int H>
void scoreHeads(const ScoreArgs& a, std::uint32_t firstHead)
{
    const float* q = a.q + std::size_t {firstHead} * a.headSize;
    float* scores = a.scores + std::size_t {firstHead} * kAttentionBlock;
    const auto* k = static_cast<const typename Rows::Element*>(a.k);
    const std::uint32_t whole = a.headSize / 8 * 8;
    for (std::uint32_t j = 0; j < a.positions; ++j, k += a.headSize) {
        __m256 sum[H];
#pragma GCC unroll 4
        for (int h = 0; h < H; ++h)
            sum[h] = _mm256_setzero_ps();
        for (std::uint32_t e = 0; e < whole; e += 8) {
            const __m256 key = Rows::load(k + e);
#pragma GCC unroll 4
            for (int h = 0; h < H; ++h) {
                const float* query = q + static_cast<std::size_t>(h) * a.headSize + e;
                sum[h] = _mm256_fmadd_ps(_mm256_loadu_ps(query), key, sum[h]);
            }
        }
#pragma GCC unroll 4
        for (int h = 0; h < H; ++h) {
            const float* query = q + static_cast<std::size_t>(h) * a.headSize;
            const float dot
                = whole == a.headSize ? reduce8(sum[h]) : dotTail<Rows>(sum[h], query, k, whole, a.headSize);
            scores[static_cast<std::size_t>(h) * kAttentionBlock + j] = dot * a.scale;
        }
    }
}

template <class Rows>
void scoreAll(const ScoreArgs& a)
{
    std::uint32_t h = 0;
    for (; h + 4 <= a.heads; h += 4)
        scoreHeads<Rows, 4>(a, h);
    for (; h + 2 <= a.heads; h += 2)
        scoreHeads<Rows, 2>(a, h);
    if (h < a.heads)
        scoreHeads<Rows, 1>(a, h);
}

// N vectors of eight elements of the output: N chains over the positions.
template <class Rows, int N>
void mixTile(const MixArgs& a, std::uint32_t e)
{
    __m256 sum[N];
    const __m256 rescale = _mm256_set1_ps(a.rescale);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i)
        sum[i] = _mm256_mul_ps(_mm256_loadu_ps(a.out + e + std::ptrdiff_t {i} * 8), rescale);
    const auto* v = static_cast<const typename Rows::Element*>(a.v) + e;
    for (std::uint32_t j = 0; j < a.positions; ++j, v += a.headSize) {
        const __m256 p = _mm256_broadcast_ss(a.p + j);
#pragma GCC unroll 8
        for (int i = 0; i < N; ++i)
            sum[i] = _mm256_fmadd_ps(p, Rows::load(v + i * 8), sum[i]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i)
        _mm256_storeu_ps(a.out + e + std::ptrdiff_t {i} * 8, sum[i]);
}

template <class Rows>
void mixAll(const MixArgs& a)
{
    std::uint32_t e = 0;
    for (; e + 64 <= a.headSize; e += 64)
        mixTile<Rows, 8>(a, e);
    for (; e + 32 <= a.headSize; e += 32)
        mixTile<Rows, 4>(a, e);
    for (; e + 8 <= a.headSize; e += 8)
        mixTile<Rows, 1>(a, e);
    const auto* v = static_cast<const typename Rows::Element*>(a.v);
    for (; e < a.headSize; ++e) {
        float sum = a.out[e] * a.rescale;
        for (std::uint32_t j = 0; j < a.positions; ++j)
            sum = __builtin_fmaf(a.p[j], Rows::one(v[std::size_t {j} * a.headSize + e]), sum);
        a.out[e] = sum;
    }
}

} // namespace

void avx2ExpShifted(float* s, std::uint32_t n, float max, float* partials)
{
    const __m256 shift = _mm256_set1_ps(max);
    __m256 sum = _mm256_loadu_ps(partials);
    for (std::uint32_t j = 0; j < n; j += 8) {
        __m256 p = exp8(_mm256_sub_ps(_mm256_loadu_ps(s + j), shift));
        if (j + 8 > n) // lanes past the end add +0 to partials that are >= +0
            p = _mm256_and_ps(p, _mm256_castsi256_ps(laneMask(n - j)));
        _mm256_storeu_ps(s + j, p);
        sum = _mm256_add_ps(sum, p);
    }
    _mm256_storeu_ps(partials, sum);
}

void avx2ScoresF32(const ScoreArgs& args)
{
    scoreAll<F32Rows>(args);
}

void avx2ScoresF16(const ScoreArgs& args)
{
    scoreAll<F16Rows>(args);
}

void avx2MixF32(const MixArgs& args)
{
    mixAll<F32Rows>(args);
}

void avx2MixF16(const MixArgs& args)
{
    mixAll<F16Rows>(args);
}

} // namespace kaikou
