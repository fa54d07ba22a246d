#pragma once

#include "inference/chat/stops.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kaikou {

// Finds stop strings in the bytes of an answer as they arrive, across token borders, and says which bytes
// are final. Holds back only the longest tail that can still become a stop string (nothing where the rule
// keeps it) and an incomplete character of 1..3 bytes.
class StopMatcher
{
public:
    struct Match
    {
        std::string stop; // which string
        std::uint64_t answerBytes = 0; // where the answer ends: before the string, or after it (keep)
    };

    explicit StopMatcher(StopRule rule); // an effective rule: automatic is not looked at

    // The bytes of one token. Of the strings that end inside it the earliest start wins, at equal start the
    // longest. mayStop = false: a string that ends here is plain text, now and later.
    [[nodiscard]] std::optional<Match> feed(std::string_view bytes, bool mayStop);

    [[nodiscard]] std::uint64_t totalBytes() const noexcept { return m_begin + m_open.size(); }

    [[nodiscard]] std::uint64_t releasedTo() const noexcept { return m_releasedTo; }

private:
    [[nodiscard]] std::optional<Match> find(std::size_t oldSize) const;
    [[nodiscard]] bool matchesAt(std::size_t start, const std::string& stop, std::size_t oldSize) const;
    [[nodiscard]] std::size_t stopHold() const;

    const StopRule m_rule;
    std::size_t m_longest = 0; // bytes of the longest stop string
    std::string m_open; // the end of the answer: all that is not final, and what a stop may reach back to
    std::uint64_t m_begin = 0; // offset of m_open in the answer
    std::uint64_t m_releasedTo = 0;
};

} // namespace kaikou
