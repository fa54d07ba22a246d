#pragma once

#include <array>

namespace kaikou {

enum class Underline
{
    None, // 高
    Dotted, // 中
    Wavy // 低
};

// From a probability to one of the five steps of Theme::confidence. The two inner bounds may be dragged; the
// outer ones keep their share of the way to 1 and to 0 (settled.md 21).
class ConfidenceScale
{
public:
    ConfidenceScale() = default;
    // 0 < medium < high < 1; anything else is brought there.
    ConfidenceScale(double high, double medium);

    [[nodiscard]] const std::array<double, 4>& bounds() const { return m_bounds; } // descending: .95 .8 .5 .2

    // 0 = sure .. 4. A value on the .8 or .5 bound belongs to the lower band, as 高 means p > .8.
    [[nodiscard]] int step(double probability) const;
    [[nodiscard]] Underline underline(double probability) const;

    friend bool operator==(const ConfidenceScale&, const ConfidenceScale&) = default;

private:
    std::array<double, 4> m_bounds {0.95, 0.8, 0.5, 0.2};
};

} // namespace kaikou
