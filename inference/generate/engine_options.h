#pragma once

#include <chrono>
#include <cstdint>

namespace kaikou {

struct BatchLimits
{
    std::uint32_t prefillRows = 64; // prompt rows in a step, decode rows counted in
    std::uint32_t minPrefillRows = 16; // even if decode rows fill the step
    double stepMs = 50.0; // a step that others decode in is not stretched beyond this by prompt rows
};

struct EngineOptions
{
    BatchLimits batch;
    std::chrono::milliseconds queueWait {30000}; // an external ticket that got no slot by then is refused
    std::chrono::milliseconds slowReader {30000}; // an external ticket whose events nobody takes is cancelled
};

} // namespace kaikou
