#pragma once

#include "inference/generate/events.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace kaikou {

// Events on their way from the engine to one consumer, bounded per ticket. Any thread.
// A terminal event always fits. The wake-up runs on the producer's thread: post, never work.
class EventQueue
{
public:
    static constexpr std::size_t kMaxEvents = 8192; // per ticket
    static constexpr std::uint64_t kMaxRecordBytes = 64ULL << 20; // per ticket

    // Called when the queue stops being empty and when a ticket is half full.
    explicit EventQueue(std::function<void()> wake = {});

    void push(Event event);

    // How many more events of this ticket fit when each carries a record of `recordBytes`.
    [[nodiscard]] std::size_t room(Ticket ticket, std::uint64_t recordBytes) const;

    // True: the ticket's sequences must pause until the consumer takes events.
    [[nodiscard]] bool full(Ticket ticket) const { return room(ticket, 0) == 0; }

    [[nodiscard]] std::vector<Event> takeAll();
    // Blocks until an event is there or the time is over; for the command line and tests.
    [[nodiscard]] std::vector<Event> waitAndTake(std::uint32_t timeoutMs);

private:
    struct Load
    {
        std::size_t events = 0;
        std::uint64_t recordBytes = 0;

        [[nodiscard]] bool halfFull() const
        {
            return events >= kMaxEvents / 2 || recordBytes >= kMaxRecordBytes / 2;
        }
    };

    mutable std::mutex m_mutex; // protects all below but m_wake
    std::condition_variable m_arrived;
    std::vector<Event> m_events;
    std::map<Ticket, Load> m_load; // of the events that wait
    const std::function<void()> m_wake;
};

} // namespace kaikou
