#include "inference/load/safetensors.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Any bytes end in tensors or an error, never in a crash or a large allocation.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const kaikou::ByteSource file {std::as_bytes(std::span(data, size)), nullptr, "fuzz.safetensors"};
    std::vector<kaikou::Warning> warnings;
    static_cast<void>(kaikou::readSafetensors(file, warnings).ok());
    return 0;
}
