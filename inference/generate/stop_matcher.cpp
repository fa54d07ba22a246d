#include "inference/generate/stop_matcher.h"

#include "inference/base/utf8.h"

#include <algorithm>
#include <utility>

namespace kaikou {

namespace {

// Bytes at the end of `text` that later bytes can make a character of.
std::size_t incompleteTail(std::string_view text)
{
    for (std::size_t length = std::min<std::size_t>(3, text.size()); length > 0; --length)
        if (firstUtf8Unit(text.substr(text.size() - length)).kind == Utf8Unit::Kind::Incomplete)
            return length;
    return 0;
}

} // namespace

StopMatcher::StopMatcher(StopRule rule)
    : m_rule(std::move(rule))
{
    for (const std::string& stop : m_rule.strings)
        m_longest = std::max(m_longest, stop.size());
}

std::optional<StopMatcher::Match> StopMatcher::feed(std::string_view bytes, bool mayStop)
{
    const std::size_t oldSize = m_open.size();
    m_open += bytes;
    std::optional<Match> match = mayStop && !bytes.empty() ? find(oldSize) : std::nullopt;
    if (match) {
        m_releasedTo = match->answerBytes;
        return match;
    }
    const std::string_view sure = std::string_view(m_open).substr(0, m_open.size() - stopHold());
    m_releasedTo = std::max(m_releasedTo, m_begin + sure.size() - incompleteTail(sure));
    const auto needed = std::max<std::size_t>(
        {m_longest, static_cast<std::size_t>(totalBytes() - m_releasedTo), std::size_t {3}});
    if (m_open.size() > 2 * needed) { // seldom, so that a long answer is not moved for every token
        const std::size_t gone = m_open.size() - needed;
        m_open.erase(0, gone);
        m_begin += gone;
    }
    return std::nullopt;
}

std::optional<StopMatcher::Match> StopMatcher::find(std::size_t oldSize) const
{
    const std::size_t reach = std::min(oldSize, m_longest == 0 ? 0 : m_longest - 1);
    for (std::size_t start = oldSize - reach; start < m_open.size(); ++start) {
        const std::string* best = nullptr;
        for (const std::string& stop : m_rule.strings)
            if (matchesAt(start, stop, oldSize) && (best == nullptr || stop.size() > best->size()))
                best = &stop;
        if (best != nullptr)
            return Match {*best, m_begin + start + (m_rule.keep ? best->size() : 0)};
    }
    return std::nullopt;
}

bool StopMatcher::matchesAt(std::size_t start, const std::string& stop, std::size_t oldSize) const
{
    const std::size_t end = start + stop.size();
    if (stop.empty() || end <= oldSize || end > m_open.size())
        return false;
    if (m_rule.match == StopMatch::Suffix && end != m_open.size())
        return false;
    return std::string_view(m_open).substr(start, stop.size()) == stop;
}

std::size_t StopMatcher::stopHold() const
{
    if (m_rule.keep || m_longest == 0)
        return 0;
    const std::string_view text = m_open;
    for (std::size_t length = std::min(m_longest - 1, text.size()); length > 0; --length) {
        const std::string_view tail = text.substr(text.size() - length);
        for (const std::string& stop : m_rule.strings)
            if (stop.size() > length && stop.starts_with(tail))
                return length;
    }
    return 0;
}

} // namespace kaikou
