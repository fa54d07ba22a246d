// Operations on one vector: norms, activations, conversion.
#include "inference/backend/cpu/avx2/avx2_math.h"
#include "inference/backend/cpu/kernel_sets.h"

namespace kaikou {

namespace {

// x / (1 + exp(-x)) by the exponential of a value <= 0.
[[gnu::always_inline]] inline __m256 silu8(__m256 x)
{
    const __m256 signBit = _mm256_set1_ps(-0.0F);
    const __m256 one = _mm256_set1_ps(1.0F);
    const __m256 negative = _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ);
    const __m256 e = exp8(_mm256_blendv_ps(_mm256_xor_ps(x, signBit), x, negative));
    const __m256 top = _mm256_blendv_ps(one, e, negative);
    return _mm256_mul_ps(x, _mm256_div_ps(top, _mm256_add_ps(one, e)));
}

} // namespace

float avx2SumSquares(const float* x, std::uint32_t n)
{
    __m256 sum = _mm256_setzero_ps();
    std::uint32_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256 v = _mm256_loadu_ps(x + i);
        sum = _mm256_fmadd_ps(v, v, sum);
    }
    if (i < n) { // squares are >= +0, so adding +0 to the other partials changes nothing
        const __m256 v = _mm256_maskload_ps(x + i, laneMask(n - i));
        sum = _mm256_fmadd_ps(v, v, sum);
    }
    return reduce8(sum);
}

void avx2ScaleBy(float* y, const float* x, float scale, const float* w, std::uint32_t n)
{
    const __m256 s = _mm256_set1_ps(scale);
    std::uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(
            y + i, _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(x + i), s), _mm256_loadu_ps(w + i)));
    for (; i < n; ++i)
        y[i] = (x[i] * scale) * w[i];
}

void avx2SiluMul(float* y, const float* gate, const float* up, std::uint32_t n)
{
    std::uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, _mm256_mul_ps(silu8(_mm256_loadu_ps(gate + i)), _mm256_loadu_ps(up + i)));
    if (i < n) {
        const __m256i mask = laneMask(n - i);
        const __m256 value
            = _mm256_mul_ps(silu8(_mm256_maskload_ps(gate + i, mask)), _mm256_maskload_ps(up + i, mask));
        _mm256_maskstore_ps(y + i, mask, value);
    }
}

void avx2Silu(float* y, const float* x, std::uint32_t n)
{
    std::uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(y + i, silu8(_mm256_loadu_ps(x + i)));
    if (i < n) {
        const __m256i mask = laneMask(n - i);
        _mm256_maskstore_ps(y + i, mask, silu8(_mm256_maskload_ps(x + i, mask)));
    }
}

void avx2ToHalf(std::uint16_t* y, const float* x, std::uint32_t n)
{
    constexpr int kNearestEven = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    std::uint32_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), kNearestEven);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i), half);
    }
    for (; i < n; ++i)
        y[i] = static_cast<std::uint16_t>(_cvtss_sh(x[i], kNearestEven));
}

const KernelTable& avx2Kernels()
{
    static constexpr KernelTable kTable {Isa::Avx2, avx2Matmul, avx2SumSquares, avx2ScaleBy, avx2SiluMul,
        avx2Silu, avx2ToHalf, avx2ExpShifted, {avx2ScoresF32, avx2ScoresF16}, {avx2MixF32, avx2MixF16}};
    return kTable;
}

} // namespace kaikou
