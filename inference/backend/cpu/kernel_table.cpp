#include "inference/backend/cpu/kernel_table.h"

#include "inference/backend/cpu/kernel_sets.h"
#include "inference/base/assert.h"
#include "inference/base/cpu_features.h"

namespace kaikou {

bool canRun(Isa isa) noexcept
{
    static const CpuFeatures features = detectCpuFeatures();
    switch (isa) {
    case Isa::Scalar:
        return true;
    case Isa::ScalarFma:
        return features.fma;
    case Isa::Avx2:
        return features.avx2 && features.fma && features.f16c;
    }
    return false;
}

std::string_view isaName(Isa isa) noexcept
{
    switch (isa) {
    case Isa::Scalar:
        return "scalar";
    case Isa::ScalarFma:
        return "scalar with FMA";
    case Isa::Avx2:
        return "AVX2";
    }
    return "";
}

const KernelTable& kernelTable(std::optional<Isa> forced)
{
    Isa isa = Isa::Scalar;
    if (forced)
        isa = *forced;
    else if (canRun(Isa::Avx2))
        isa = Isa::Avx2;
    else if (canRun(Isa::ScalarFma))
        isa = Isa::ScalarFma;
    KAIKOU_ASSERT(canRun(isa));
#if defined(KAIKOU_X86)
    if (isa == Isa::Avx2)
        return avx2Kernels();
    if (isa == Isa::ScalarFma)
        return scalarFmaKernels();
#endif
    return scalarKernels();
}

} // namespace kaikou
