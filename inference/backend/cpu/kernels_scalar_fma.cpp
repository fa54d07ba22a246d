// Compiled with -mfma: a std::fma is one instruction here, a library call in kernels_scalar.cpp.
#include "inference/backend/cpu/kernel_sets.h"
#include "inference/backend/cpu/kernels_scalar.h"

namespace kaikou {

const KernelTable& scalarFmaKernels()
{
    static constexpr KernelTable kTable = makeTable(Isa::ScalarFma);
    return kTable;
}

} // namespace kaikou
