#pragma once

#include "cuda/gpu_api.h"
#include "inference/base/error_code.h"

#include <optional>
#include <string>

namespace kaikou::cuda {

// The device to use, or the one reason why there is none.
struct ProbeResult
{
    std::optional<ErrorCode> problem; // empty = usable
    std::string message; // English: what is wrong and what to do
    std::string detail; // the runtime's own words and number
    int driverVersion = 0;
    int device = -1;
    DeviceFacts facts; // of `device`, or of the last one that was tried
};

// Asks in the order that gives the exact reason: driver version, device count, then per device facts and a
// trial launch. Takes the usable device with most free memory. A driver may hang here: call it where waiting
// is allowed.
[[nodiscard]] ProbeResult probeDevices(const GpuApi& api);

} // namespace kaikou::cuda
