#pragma once

#include "inference/base/byte_source.h"
#include "inference/base/result.h"
#include "inference/load/raw_tensor.h"
#include "inference/model/checkpoint.h"

#include <vector>

namespace kaikou {

// Reads a safetensors file (layout at the head of the .cpp); the tensors stay in file's memory.
// As strict as the reference, except that trailing zero bytes are a warning.
// Errors: 2xx; where = file and byte, or file and JSON pointer.
[[nodiscard]] Result<TensorSet> readSafetensors(const ByteSource& file, std::vector<Warning>& warnings);

} // namespace kaikou
