#include "inference/generate/admission.h"

#include <algorithm>

namespace kaikou {

bool ExternalGate::enter(std::uint32_t choices)
{
    std::uint32_t taken = m_taken.load();
    while (taken + choices <= m_places)
        if (m_taken.compare_exchange_weak(taken, taken + choices))
            return true;
    return false;
}

void Admission::add(std::shared_ptr<Job> job)
{
    const auto line
        = std::find_if(m_lines.begin(), m_lines.end(), [&](const Line& l) { return l.owner == job->owner; });
    if (line != m_lines.end())
        line->jobs.push_back(std::move(job));
    else
        m_lines.push_back({job->owner, {job}});
}

std::shared_ptr<Job> Admission::next(const std::function<bool(const Job&)>& mayRun)
{
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const std::size_t index = (m_turn + i) % m_lines.size();
        for (const std::shared_ptr<Job>& job : m_lines[index].jobs) {
            if (!mayRun(*job))
                continue;
            std::shared_ptr<Job> chosen = job;
            m_turn = index + 1;
            if (++chosen->admitted == chosen->choices)
                remove(*chosen);
            return chosen;
        }
    }
    return nullptr;
}

void Admission::remove(const Job& job)
{
    for (auto line = m_lines.begin(); line != m_lines.end(); ++line) {
        std::erase_if(line->jobs, [&](const std::shared_ptr<Job>& j) { return j.get() == &job; });
        if (!line->jobs.empty())
            continue;
        if (m_turn > static_cast<std::size_t>(line - m_lines.begin()))
            --m_turn;
        m_lines.erase(line);
        return; // a job stands in one line only
    }
}

std::shared_ptr<Job> Admission::overdue(TimePoint then) const
{
    for (const Line& line : m_lines)
        for (const std::shared_ptr<Job>& job : line.jobs)
            if (line.owner.external && job->admitted == 0 && job->submitted < then)
                return job;
    return nullptr;
}

} // namespace kaikou
