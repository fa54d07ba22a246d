#pragma once

#include <functional>
#include <stop_token>

namespace kaikou {

// How far long work is, 0..1, and whether its caller has lost interest. Both parts may be empty.
struct Progress
{
    std::function<void(double fraction)> report; // called on the working thread, at most ~100 times
    std::stop_token stop; // asked at least every 100 ms; the work then ends with ErrorCode::Cancelled

    void operator()(double fraction) const
    {
        if (report)
            report(fraction);
    }

    // For one part of the work, which is [from, to] of the whole. Borrows this.
    [[nodiscard]] Progress part(double from, double to) const
    {
        return {[this, from, to](double fraction) { (*this)(from + (to - from) * fraction); }, stop};
    }
};

} // namespace kaikou
