#include "inference/study/loop.h"

namespace kaikou {

// For a phrase of n characters, 2n equal pairs at distance n follow each other.
std::optional<Loop> findLoop(const std::u32string& text)
{
    constexpr std::size_t kShortest = 4;
    for (std::size_t n = kShortest; 3 * n <= text.size(); ++n) {
        std::size_t equal = 0;
        for (std::size_t i = n; i < text.size(); ++i) {
            equal = text[i] == text[i - n] ? equal + 1 : 0;
            const bool ends = i + 1 == text.size() || text[i + 1] != text[i + 1 - n];
            if (equal < 2 * n || !ends)
                continue;
            const std::size_t begin = i + 1 - n - equal;
            return Loop {begin, text.substr(begin, n), equal / n + 1};
        }
    }
    return std::nullopt;
}

} // namespace kaikou
