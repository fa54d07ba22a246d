#pragma once

#include "inference/generate/job.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace kaikou {

// How many choices of external owners are in the house: as many as may run plus as many as may wait. Any
// thread.
class ExternalGate
{
public:
    explicit ExternalGate(std::uint32_t places)
        : m_places(places)
    {
    }

    [[nodiscard]] bool enter(std::uint32_t choices);

    void leave(std::uint32_t choices) { m_taken -= choices; }

private:
    const std::uint32_t m_places;
    std::atomic<std::uint32_t> m_taken {0};
};

// The tickets that wait for slots: first come first served within an owner, owners in turn. Choices are
// handed out one by one, never as a gang. Engine thread.
class Admission
{
public:
    void add(std::shared_ptr<Job> job);

    // The next choice that `mayRun` lets in, already counted in Job::admitted; null when there is none.
    [[nodiscard]] std::shared_ptr<Job> next(const std::function<bool(const Job&)>& mayRun);

    void remove(const Job& job); // all its waiting choices

    // A job of an external owner that has waited since before `then` without any choice let in; null = none.
    [[nodiscard]] std::shared_ptr<Job> overdue(TimePoint then) const;

    [[nodiscard]] bool empty() const noexcept { return m_lines.empty(); }

private:
    struct Line
    {
        Owner owner;
        std::deque<std::shared_ptr<Job>> jobs;
    };

    std::vector<Line> m_lines; // none empty
    std::size_t m_turn = 0; // line that is asked first
};

} // namespace kaikou
