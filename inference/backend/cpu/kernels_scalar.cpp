#include "inference/backend/cpu/kernels_scalar.h"

#include "inference/backend/cpu/kernel_sets.h"

namespace kaikou {

const KernelTable& scalarKernels()
{
    static constexpr KernelTable kTable = makeTable(Isa::Scalar);
    return kTable;
}

} // namespace kaikou
