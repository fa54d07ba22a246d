#pragma once

#include "inference/chat/turn.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kaikou {

// A run of prompt text with one origin.
struct Segment
{
    std::string text;
    TokenOrigin origin;
};

// Turns [begin, end) that are dropped together: the user's with the replies to them.
struct Exchange
{
    std::size_t begin = 0, end = 0;
};

// The exchanges of a conversation, oldest first, without those whose reply is empty.
[[nodiscard]] std::vector<Exchange> exchangesOf(const std::vector<Turn>& turns);

// The prompt text of these exchanges, ready for the answer to follow. form is not Automatic.
[[nodiscard]] std::vector<Segment> render(
    const Turns& turns, const std::vector<Exchange>& exchanges, std::size_t firstExchange, ChatForm form);

[[nodiscard]] std::string textOf(const std::vector<Segment>& segments);

} // namespace kaikou
