#pragma once

#include "inference/base/result.h"
#include "inference/load/pickle.h"
#include "inference/load/raw_tensor.h"
#include "inference/load/zip_reader.h"

#include <memory>
#include <string>
#include <string_view>

namespace kaikou {

// Where the numbers of a torch zip lie.
struct TorchStorages
{
    const ZipEntries& entries;
    std::string
        folder; // "best/": the prefix of data.pkl; a storage with key k is the entry folder + "data/" + k
    std::shared_ptr<const void> owner; // keeps the bytes of the entries
    std::string where;
};

// A tensor node as contiguous bytes: a view into its entry, or a copy of its own where its strides are not
// those of a contiguous tensor. Errors: FormatRange, FormatDtype, FormatLimit; the message names the tensor.
[[nodiscard]] Result<RawTensor> torchTensor(std::string_view name, const PickleDocument& document,
    const PickleNode& node, const TorchStorages& storages);

} // namespace kaikou
