#include "inference/generate/metrics.h"

namespace kaikou {

namespace {

double milliseconds(TimePoint from, TimePoint to)
{
    if (from == TimePoint {} || to == TimePoint {})
        return 0.0;
    return std::chrono::duration<double, std::milli>(to - from).count();
}

} // namespace

Metrics measure(const Timeline& timeline, std::uint32_t promptTokens, std::uint32_t cachedTokens)
{
    Metrics metrics;
    metrics.promptTokens = promptTokens;
    metrics.cachedTokens = cachedTokens;
    metrics.newTokens = timeline.newTokens;
    metrics.ttftMs = milliseconds(timeline.submitted, timeline.firstToken);
    metrics.prefillMs = milliseconds(timeline.firstStep, timeline.firstToken);
    const double decodeMs = milliseconds(timeline.firstToken, timeline.lastToken);
    if (timeline.newTokens > 1 && decodeMs > 0.0) {
        metrics.tpotMs = decodeMs / (timeline.newTokens - 1);
        metrics.tokensPerSecond = 1000.0 / metrics.tpotMs;
    }
    return metrics;
}

} // namespace kaikou
