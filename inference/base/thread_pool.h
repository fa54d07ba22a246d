#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace kaikou {

struct IndexRange
{
    std::size_t begin = 0;
    std::size_t end = 0;
};

// The part of [0, count) that thread `index` of `threads` computes; borders are multiples of `align`.
// Depends on nothing else, so the same call is always cut the same way.
[[nodiscard]] IndexRange staticRange(
    std::size_t count, std::size_t align, std::uint32_t index, std::uint32_t threads) noexcept;

// A fixed set of threads that run one piece of work together, the caller among them.
// Waiting spins about 40 us, then sleeps in the kernel: between tokens the threads stay awake, idle they cost
// nothing. With more threads than usable cores nobody spins, and where other programs keep a worker from its
// core, the caller works alone for a while.
class ThreadPool
{
public:
    explicit ThreadPool(std::uint32_t threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] std::uint32_t threads() const noexcept { return m_threads; }

    // Calls work(index, count) once for every index < count, on a thread each, and returns when all are done.
    // 1 <= count <= threads <= threads(): how many take part is the pool's choice and differs from call to
    // call. Callers from several threads take turns; work must not call run itself.
    template <class Work>
    void run(std::uint32_t threads, const Work& work)
    {
        runErased({[](const void* context, std::uint32_t index, std::uint32_t count) {
                       (*static_cast<const Work*>(context))(index, count);
                   },
                      &work},
            threads);
    }

    // Calls work(begin, end) on disjoint ranges that cover [0, count), one a thread.
    template <class Work>
    void parallelFor(std::uint32_t threads, std::size_t count, std::size_t align, const Work& work)
    {
        run(threads, [&](std::uint32_t index, std::uint32_t total) {
            const IndexRange range = staticRange(count, align, index, total);
            if (range.begin < range.end)
                work(range.begin, range.end);
        });
    }

private:
    using Clock = std::chrono::steady_clock;

    struct Task
    {
        void (*call)(const void* context, std::uint32_t index, std::uint32_t count) = nullptr;
        const void* context = nullptr;
    };

    void runErased(Task task, std::uint32_t threads);
    void workerLoop(std::uint32_t index);
    void join(Clock::time_point start);
    void awaitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) const noexcept;

    std::uint32_t m_threads = 1;
    bool m_spin = true;
    std::mutex m_mutex; // one run at a time
    Task m_task; // published by m_generation
    std::uint32_t m_active = 0; // published by m_generation
    bool m_stop = false; // published by m_generation
    Clock::time_point m_aloneUntil; // under m_mutex
    alignas(64) std::atomic<std::uint32_t> m_generation {0};
    alignas(64) std::atomic<std::uint32_t> m_pending {0};
    std::vector<std::thread> m_workers;
};

} // namespace kaikou
