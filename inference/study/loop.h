#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace kaikou {

struct Loop
{
    std::size_t begin = 0; // of the first one, in characters
    std::u32string phrase; // at least four characters
    std::size_t times = 0; // at least three, one right behind the other
};

// The first phrase that repeats itself, the shortest where several do.
[[nodiscard]] std::optional<Loop> findLoop(const std::u32string& text);

} // namespace kaikou
