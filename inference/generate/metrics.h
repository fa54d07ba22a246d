#pragma once

#include "inference/generate/events.h"

#include <chrono>
#include <cstdint>

namespace kaikou {

using TimePoint = std::chrono::steady_clock::time_point;

// When the things happened that Metrics are made of. A default TimePoint = it did not happen.
struct Timeline
{
    TimePoint submitted, firstStep, firstToken, lastToken;
    std::uint32_t newTokens = 0;

    void token(TimePoint now)
    {
        if (newTokens == 0)
            firstToken = now;
        lastToken = now;
        ++newTokens;
    }
};

// Pure arithmetic; times that did not happen give 0.
[[nodiscard]] Metrics measure(
    const Timeline& timeline, std::uint32_t promptTokens, std::uint32_t cachedTokens);

} // namespace kaikou
