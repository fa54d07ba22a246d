// Shared by the AVX2 files, local to each of them.
#include "inference/base/exp.h"

#include <immintrin.h>

namespace kaikou {

namespace {

// ((0+4)+(2+6)) + ((1+5)+(3+7))
[[gnu::always_inline, maybe_unused]] inline float reduce8(__m256 v)
{
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// expNonPositive of eight values, operation by operation.
[[gnu::always_inline, maybe_unused]] inline __m256 exp8(__m256 x)
{
    using namespace expmath;
    const __m256 rounder = _mm256_set1_ps(kRounder);
    const __m256 n = _mm256_sub_ps(_mm256_fmadd_ps(x, _mm256_set1_ps(kLog2E), rounder), rounder);
    __m256 r = _mm256_fmadd_ps(n, _mm256_set1_ps(-kLn2High), x);
    r = _mm256_fmadd_ps(n, _mm256_set1_ps(-kLn2Low), r);
    __m256 p = _mm256_fmadd_ps(_mm256_set1_ps(kC5), r, _mm256_set1_ps(kC4));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(kC3));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(kC2));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(kC1));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(kC0));
    p = _mm256_add_ps(_mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r), _mm256_set1_ps(1.0F));
    const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
    const __m256 scaled = _mm256_mul_ps(p, _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23)));
    const __m256 tooLow = _mm256_cmp_ps(x, _mm256_set1_ps(kLowest), _CMP_LT_OQ);
    return _mm256_andnot_ps(tooLow, scaled);
}

// Lanes below `count` (0..8) set.
[[gnu::always_inline, maybe_unused]] inline __m256i laneMask(std::uint32_t count)
{
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes);
}

} // namespace

} // namespace kaikou
