#pragma once

#include "inference/backend/cpu/kernel_table.h"

// The tables that the per-ISA files define; only kernel_table.cpp chooses between them.
namespace kaikou {

[[nodiscard]] const KernelTable& scalarKernels();
[[nodiscard]] const KernelTable& scalarFmaKernels();
[[nodiscard]] const KernelTable& avx2Kernels();

void avx2Matmul(const MatmulArgs& args);
float avx2SumSquares(const float* x, std::uint32_t n);
void avx2ScaleBy(float* y, const float* x, float scale, const float* w, std::uint32_t n);
void avx2SiluMul(float* y, const float* gate, const float* up, std::uint32_t n);
void avx2Silu(float* y, const float* x, std::uint32_t n);
void avx2ToHalf(std::uint16_t* y, const float* x, std::uint32_t n);
void avx2ExpShifted(float* s, std::uint32_t n, float max, float* partials);
void avx2ScoresF32(const ScoreArgs& args);
void avx2ScoresF16(const ScoreArgs& args);
void avx2MixF32(const MixArgs& args);
void avx2MixF16(const MixArgs& args);

} // namespace kaikou
