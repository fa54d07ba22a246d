#include "inference/history/record_store.h"

#include <algorithm>

namespace kaikou {

void RecordStore::setLimit(std::uint64_t bytes)
{
    m_limit = std::clamp(bytes, kMinRecordLimit, kMaxRecordLimit);
}

void RecordStore::add(std::uint64_t reply, std::uint64_t bytes)
{
    Entry& entry = m_entries[reply];
    entry.bytes += bytes;
    entry.age = ++m_clock;
    m_used += bytes;
}

void RecordStore::touch(std::uint64_t reply)
{
    if (const auto found = m_entries.find(reply); found != m_entries.end())
        found->second.age = ++m_clock;
}

void RecordStore::remove(std::uint64_t reply)
{
    m_pinned.erase(reply);
    if (const auto found = m_entries.find(reply); found != m_entries.end()) {
        m_used -= found->second.bytes;
        m_entries.erase(found);
    }
}

void RecordStore::clear()
{
    m_entries.clear();
    m_pinned.clear();
    m_used = 0;
}

void RecordStore::pin(std::uint64_t reply)
{
    m_pinned.insert(reply);
}

void RecordStore::unpin(std::uint64_t reply)
{
    m_pinned.erase(reply);
}

std::vector<std::uint64_t> RecordStore::evict()
{
    std::vector<std::uint64_t> gone;
    while (m_used > m_limit) {
        auto oldest = m_entries.end();
        for (auto entry = m_entries.begin(); entry != m_entries.end(); ++entry) {
            const bool older = oldest == m_entries.end() || entry->second.age < oldest->second.age;
            if (older && !m_pinned.contains(entry->first))
                oldest = entry;
        }
        if (oldest == m_entries.end())
            break; // everything left is pinned
        m_used -= oldest->second.bytes;
        gone.push_back(oldest->first);
        m_entries.erase(oldest);
    }
    return gone;
}

} // namespace kaikou
