#include "ui/view/confidence_scale.h"

#include <algorithm>

namespace kaikou {

ConfidenceScale::ConfidenceScale(double high, double medium)
{
    constexpr double kEdge = 0.02; // keeps every step wide enough to be met
    const double top = std::clamp(high, 2 * kEdge, 1.0 - kEdge);
    const double low = std::clamp(medium, kEdge, top - kEdge);
    // With the defaults .8 and .5: .95 is three quarters of the way from .8 to 1, .2 two fifths of .5.
    m_bounds = {top + 0.75 * (1.0 - top), top, low, 0.4 * low};
}

int ConfidenceScale::step(double probability) const
{
    if (probability >= m_bounds[0])
        return 0;
    if (probability > m_bounds[1])
        return 1;
    if (probability > m_bounds[2])
        return 2;
    return probability >= m_bounds[3] ? 3 : 4;
}

Underline ConfidenceScale::underline(double probability) const
{
    if (probability > m_bounds[1])
        return Underline::None;
    return probability > m_bounds[2] ? Underline::Dotted : Underline::Wavy;
}

} // namespace kaikou
