#pragma once

#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/model/checkpoint.h"

namespace kaikou {

// One pass over all weights: fills fingerprint and parameters, and adds a NonFiniteWeights warning for each
// of the first 10 tensors that hold NaN or infinity. The fingerprint covers the numbers of config and of the
// tensors in their roles, so two files of the same weights have the same. Cancelled within a mebibyte.
[[nodiscard]] Result<void> scanWeights(Checkpoint& checkpoint, const Progress& progress);

} // namespace kaikou
