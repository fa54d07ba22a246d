#pragma once

#include "inference/generate/request.h"

namespace kaikou {

// What the sampling panel decides about the next reply, apart from its seed.
struct ReplyParams
{
    SampleParams sampling;
    StopRule stops;
    PositionMode positions = PositionMode::Automatic;
    std::uint32_t maxTokens = 512; // new tokens

    friend bool operator==(const ReplyParams&, const ReplyParams&) = default;
};

} // namespace kaikou
