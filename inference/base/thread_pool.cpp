#include "inference/base/thread_pool.h"

#include "inference/base/assert.h"
#include "inference/base/cpu_features.h"

#include <algorithm>
#include <chrono>

namespace kaikou {

namespace {

constexpr auto kSpinTime = std::chrono::microseconds(40);
// A worker that comes this much later than its share takes has lost its core to another program.
constexpr auto kLate = std::chrono::microseconds(200);
// The caller then works alone for this many times what it lost: a busy machine costs about 5 %.
constexpr int kAlonePerLost = 20;
constexpr std::chrono::steady_clock::duration kAloneAtMost = std::chrono::milliseconds(100);

void relax() noexcept
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

} // namespace

IndexRange staticRange(
    std::size_t count, std::size_t align, std::uint32_t index, std::uint32_t threads) noexcept
{
    const std::size_t blocks = (count + align - 1) / align;
    const std::size_t begin = blocks * index / threads * align;
    const std::size_t end = blocks * (index + 1) / threads * align;
    return {std::min(begin, count), std::min(end, count)};
}

ThreadPool::ThreadPool(std::uint32_t threads)
    : m_threads(std::max(threads, 1U))
    , m_spin(m_threads <= usableCores())
{
    m_workers.reserve(m_threads - 1);
    for (std::uint32_t i = 1; i < m_threads; ++i)
        m_workers.emplace_back([this, i] { workerLoop(i); });
}

ThreadPool::~ThreadPool()
{
    m_stop = true;
    m_generation.fetch_add(1, std::memory_order_release);
    m_generation.notify_all();
    for (std::thread& worker : m_workers)
        worker.join();
}

void ThreadPool::runErased(Task task, std::uint32_t threads)
{
    const std::uint32_t active = std::clamp(threads, 1U, m_threads);
    if (active == 1) {
        task.call(task.context, 0, 1);
        return;
    }
    const std::lock_guard lock(m_mutex);
    const Clock::time_point start = Clock::now();
    if (start < m_aloneUntil) {
        task.call(task.context, 0, 1);
        return;
    }
    m_task = task;
    m_active = active;
    m_pending.store(m_threads - 1, std::memory_order_relaxed);
    m_generation.fetch_add(1, std::memory_order_release);
    m_generation.notify_all();
    task.call(task.context, 0, active);
    join(start);
}

// Waits for the workers. Every worker answers every generation, or a late one could miss the next.
void ThreadPool::join(Clock::time_point start)
{
    if (m_pending.load(std::memory_order_acquire) == 0)
        return;
    const Clock::time_point ownEnd = Clock::now();
    for (std::uint32_t left = 0; (left = m_pending.load(std::memory_order_acquire)) != 0;)
        awaitChange(m_pending, left);
    const Clock::time_point end = Clock::now();
    const Clock::duration lost = (end - ownEnd) - (ownEnd - start);
    if (lost > kLate)
        m_aloneUntil = end + std::min(lost * kAlonePerLost, kAloneAtMost);
}

void ThreadPool::workerLoop(std::uint32_t index)
{
    std::uint32_t seen = 0;
    for (;;) {
        awaitChange(m_generation, seen);
        ++seen; // the next one starts only after this worker has answered
        KAIKOU_ASSERT(seen == m_generation.load(std::memory_order_acquire));
        if (m_stop)
            return;
        if (index < m_active)
            m_task.call(m_task.context, index, m_active);
        m_pending.fetch_sub(1, std::memory_order_acq_rel);
        m_pending.notify_one();
    }
}

void ThreadPool::awaitChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) const noexcept
{
    if (m_spin) {
        const auto start = std::chrono::steady_clock::now();
        do {
            for (int i = 0; i < 64; ++i) {
                if (value.load(std::memory_order_acquire) != old)
                    return;
                relax();
            }
        } while (std::chrono::steady_clock::now() - start < kSpinTime);
    }
    value.wait(old, std::memory_order_acquire);
}

} // namespace kaikou
