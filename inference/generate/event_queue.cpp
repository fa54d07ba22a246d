#include "inference/generate/event_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace kaikou {

namespace {

std::uint64_t recordBytesOf(const Event& event)
{
    const auto* token = std::get_if<Token>(&event);
    return token != nullptr && token->record ? token->record->logits.bytes() : 0;
}

} // namespace

EventQueue::EventQueue(std::function<void()> wake)
    : m_wake(std::move(wake))
{
}

void EventQueue::push(Event event)
{
    bool wasEmpty = false;
    bool wake = false;
    {
        const std::lock_guard lock(m_mutex);
        Load& load = m_load[ticketOf(event)];
        const bool wasHalfFull = load.halfFull();
        ++load.events;
        load.recordBytes += recordBytesOf(event);
        wasEmpty = m_events.empty();
        wake = wasEmpty || (!wasHalfFull && load.halfFull());
        m_events.push_back(std::move(event));
    }
    if (wasEmpty)
        m_arrived.notify_one();
    if (wake && m_wake)
        m_wake();
}

std::size_t EventQueue::room(Ticket ticket, std::uint64_t recordBytes) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_load.find(ticket);
    const Load load = found == m_load.end() ? Load {} : found->second;
    if (load.events >= kMaxEvents || load.recordBytes >= kMaxRecordBytes)
        return 0;
    const std::size_t places = kMaxEvents - load.events;
    if (recordBytes == 0)
        return places;
    const std::uint64_t records = (kMaxRecordBytes - load.recordBytes) / recordBytes;
    if (records == 0 && load.recordBytes == 0)
        return 1; // a record larger than the whole bound travels alone
    return std::min<std::size_t>(places, records);
}

std::vector<Event> EventQueue::takeAll()
{
    const std::lock_guard lock(m_mutex);
    m_load.clear();
    return std::exchange(m_events, {});
}

std::vector<Event> EventQueue::waitAndTake(std::uint32_t timeoutMs)
{
    std::unique_lock lock(m_mutex);
    m_arrived.wait_for(lock, std::chrono::milliseconds(timeoutMs), [this] { return !m_events.empty(); });
    m_load.clear();
    return std::exchange(m_events, {});
}

} // namespace kaikou
