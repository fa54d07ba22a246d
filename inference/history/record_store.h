#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace kaikou {

inline constexpr std::uint64_t kDefaultRecordLimit = 256ULL << 20; // a limit, not an allocation
inline constexpr std::uint64_t kMinRecordLimit = 16ULL << 20;
inline constexpr std::uint64_t kMaxRecordLimit = 4ULL << 30;

// Which replies keep their step records: the account of their bytes, least recently used first to go. The
// records themselves lie with the replies; eviction drops logits only, a token's numbers stay. One thread.
class RecordStore
{
public:
    void setLimit(std::uint64_t bytes); // clamped to 16 MiB .. 4 GiB

    void add(std::uint64_t reply, std::uint64_t bytes); // more records of this reply; makes it the newest
    void touch(std::uint64_t reply); // looked at: makes it the newest
    void remove(std::uint64_t reply); // deleted by the user
    void clear();

    void pin(std::uint64_t reply); // running or inspected: never evicted
    void unpin(std::uint64_t reply);

    // Takes the oldest unpinned replies out of the account until it fits the limit and names them:
    // the owner drops their logits.
    [[nodiscard]] std::vector<std::uint64_t> evict();

    [[nodiscard]] std::uint64_t used() const noexcept { return m_used; }

    [[nodiscard]] std::uint64_t limit() const noexcept { return m_limit; }

private:
    struct Entry
    {
        std::uint64_t bytes = 0;
        std::uint64_t age = 0; // of the last use, ascending
    };

    std::map<std::uint64_t, Entry> m_entries; // by reply
    std::set<std::uint64_t> m_pinned;
    std::uint64_t m_used = 0;
    std::uint64_t m_clock = 0;
    std::uint64_t m_limit = kDefaultRecordLimit;
};

} // namespace kaikou
