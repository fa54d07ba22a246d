#pragma once

#include "inference/generate/job.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace kaikou {

// What callers ask of the engine thread, and the way to interrupt a step. Any thread.
class Mailbox
{
public:
    struct Mail
    {
        std::vector<std::shared_ptr<Job>> jobs; // in the order of submission
        std::vector<Ticket> cancelled;
        bool closed = false;
    };

    [[nodiscard]] bool post(std::shared_ptr<Job> job); // false once closed
    void cancel(Ticket ticket);
    void close(); // no more jobs; interrupts the running step

    // Engine thread: waits until there is mail or `timeout` is over (empty = without limit), then takes all.
    [[nodiscard]] Mail take(std::optional<std::chrono::milliseconds> timeout);

    // Engine thread, around a step that has rows of these tickets. The token fires when every one of them is
    // cancelled, or at close: a step is not broken off while somebody still needs it.
    [[nodiscard]] std::stop_token beginStep(std::span<const Ticket> tickets);
    void endStep();

private:
    void interruptIfUnwanted();

    std::mutex m_mutex; // protects all below
    std::condition_variable m_arrived;
    Mail m_mail;
    std::vector<Ticket> m_running; // tickets of the step in progress
    bool m_stepping = false;
    std::stop_source m_stop;
};

} // namespace kaikou
