#include "inference/generate/mailbox.h"

#include <algorithm>
#include <utility>

namespace kaikou {

bool Mailbox::post(std::shared_ptr<Job> job)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_mail.closed)
            return false;
        m_mail.jobs.push_back(std::move(job));
    }
    m_arrived.notify_one();
    return true;
}

void Mailbox::cancel(Ticket ticket)
{
    {
        const std::lock_guard lock(m_mutex);
        m_mail.cancelled.push_back(ticket);
        interruptIfUnwanted();
    }
    m_arrived.notify_one();
}

void Mailbox::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_mail.closed = true;
        interruptIfUnwanted();
    }
    m_arrived.notify_one();
}

Mailbox::Mail Mailbox::take(std::optional<std::chrono::milliseconds> timeout)
{
    std::unique_lock lock(m_mutex);
    const auto arrived
        = [this] { return m_mail.closed || !m_mail.jobs.empty() || !m_mail.cancelled.empty(); };
    if (!timeout)
        m_arrived.wait(lock, arrived);
    else if (timeout->count() > 0)
        m_arrived.wait_for(lock, *timeout, arrived);
    Mail mail = std::exchange(m_mail, {});
    m_mail.closed = mail.closed;
    return mail;
}

std::stop_token Mailbox::beginStep(std::span<const Ticket> tickets)
{
    const std::lock_guard lock(m_mutex);
    if (m_stop.stop_requested())
        m_stop = std::stop_source();
    m_running.assign(tickets.begin(), tickets.end());
    m_stepping = true;
    interruptIfUnwanted();
    return m_stop.get_token();
}

void Mailbox::endStep()
{
    const std::lock_guard lock(m_mutex);
    m_stepping = false;
}

void Mailbox::interruptIfUnwanted()
{
    if (!m_stepping)
        return;
    const auto cancelled = [this](Ticket ticket) {
        const std::vector<Ticket>& all = m_mail.cancelled;
        return std::find(all.begin(), all.end(), ticket) != all.end();
    };
    if (m_mail.closed || std::all_of(m_running.begin(), m_running.end(), cancelled))
        m_stop.request_stop();
}

} // namespace kaikou
