#pragma once

#include "inference/base/byte_source.h"
#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/load/pickle.h"
#include "inference/load/raw_tensor.h"
#include "inference/model/checkpoint.h"

#include <vector>

namespace kaikou {

// A checkpoint that torch.save wrote (zip form, torch >= 1.6).
struct TorchFile
{
    ByteSource file; // what `pickle` points into
    PickleDocument pickle; // everything in the file; top() is a Dict
    TensorSet tensors; // its state_dict: under "model" or "state_dict", else the top; "module." and
                       // "_orig_mod." stripped
};

// Errors: FormatZip, FormatPickle, PickleForbidden, FormatUnsupported (TorchScript, packed int8), other 2xx;
// TensorMissing where no weights are found; Cancelled. Objects of unknown classes beside the weights are left
// out with a warning; inside the weights they are an error.
[[nodiscard]] Result<TorchFile> readTorch(
    const ByteSource& file, const Progress& progress, std::vector<Warning>& warnings);

} // namespace kaikou
