#include "inference/load/torch_file.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Zip directory, pickle machine and tensor views together, as a hostile checkpoint would come.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const kaikou::ByteSource file {std::as_bytes(std::span(data, size)), nullptr, "fuzz.pt"};
    std::vector<kaikou::Warning> warnings;
    static_cast<void>(kaikou::readTorch(file, {}, warnings).ok());
    return 0;
}
