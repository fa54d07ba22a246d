#include "ui/model/reply.h"

#include <cmath>

namespace kaikou {

bool Reply::usable() const
{
    return state == ReplyState::Complete && fallback.isEmpty() && finish != FinishReason::Error
        && visible().find_first_not_of(" \t\r\n") != std::string_view::npos;
}

std::optional<ReplyConfidence> confidenceOf(const Reply& reply)
{
    ReplyConfidence result;
    double sum = 0.0;
    double logSum = 0.0;
    double shapedSum = 0.0;
    int seen = 0;
    for (std::size_t i = 0; i < reply.tokens.size(); ++i) {
        const ReplyToken& token = reply.tokens[i];
        shapedSum += token.stats.pShaped;
        if (token.byteEnd == token.byteBegin || token.byteBegin >= reply.releasedTo)
            continue;
        ++seen;
        sum += token.stats.pModel;
        logSum += std::log(token.stats.pModel);
        const auto lowest = static_cast<std::size_t>(result.lowest);
        if (result.lowest < 0 || token.stats.pModel < reply.tokens[lowest].stats.pModel)
            result.lowest = static_cast<int>(i);
    }
    if (seen == 0)
        return std::nullopt;
    result.mean = sum / seen;
    result.geometric = std::exp(logSum / seen);
    result.teacher = shapedSum / static_cast<double>(reply.tokens.size());
    return result;
}

Band bandOf(double probability)
{
    if (probability > 0.8)
        return Band::High;
    return probability > 0.5 ? Band::Medium : Band::Low;
}

} // namespace kaikou
