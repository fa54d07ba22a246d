#include "inference/generate/engine.h"

#include <algorithm>
#include <utility>

namespace kaikou {

namespace {

constexpr std::chrono::milliseconds kPausedPoll {5}; // how often a full event queue is looked at again

// Tells the mailbox that a step runs, for as long as it lives.
class StepScope
{
public:
    StepScope(Mailbox& mailbox, std::span<const Ticket> tickets)
        : m_mailbox(mailbox)
        , m_stop(mailbox.beginStep(tickets))
    {
    }

    ~StepScope() { m_mailbox.endStep(); }

    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;

    [[nodiscard]] const std::stop_token& stop() const noexcept { return m_stop; }

private:
    Mailbox& m_mailbox;
    std::stop_token m_stop;
};

} // namespace

Engine::Engine(
    Model& model, const Tokenizer& tokenizer, EngineOptions options, ExternalGate& gate, Mailbox& mailbox)
    : m_model(model)
    , m_tokenizer(tokenizer)
    , m_options(options)
    , m_gate(gate)
    , m_mailbox(mailbox)
    , m_cache(model)
    , m_batch(options.batch)
{
    m_live.reserve(model.info().slotCount);
}

void Engine::add(std::shared_ptr<Job> job)
{
    m_jobs.push_back(job);
    if (m_dead)
        failJob(std::move(job), *m_dead);
    else
        m_admission.add(std::move(job));
    m_worked = true;
}

void Engine::cancel(Ticket ticket)
{
    const auto found = std::find_if(
        m_jobs.begin(), m_jobs.end(), [&](const std::shared_ptr<Job>& job) { return job->ticket == ticket; });
    if (found != m_jobs.end())
        cancelJob(*found);
}

void Engine::cancelAll()
{
    while (!m_jobs.empty())
        cancelJob(m_jobs.front());
}

void Engine::failAll(const Error& error)
{
    m_failures.clear();
    while (!m_jobs.empty())
        failJob(m_jobs.front(), error);
    m_cache.dropBusy(); // also a slot whose sequence was never made
}

std::optional<std::chrono::milliseconds> Engine::patience() const
{
    if (m_jobs.empty())
        return std::nullopt;
    return m_worked ? std::chrono::milliseconds(0) : kPausedPoll;
}

void Engine::turn()
{
    m_worked = false;
    const TimePoint now = std::chrono::steady_clock::now();
    refreshRoom(now);
    expire(now);
    admit();
    drawFirstTokens(now);
    m_batch.build(m_live, m_cache);
    if (!m_batch.rows().empty())
        step();
    retireEnded();
}

void Engine::refreshRoom(TimePoint now)
{
    for (const std::shared_ptr<Job>& job : m_jobs) {
        job->room = job->events->room(job->ticket, job->recordBytes);
        if (job->room > 0)
            job->fullSince = {};
        else if (job->fullSince == TimePoint {})
            job->fullSince = now;
    }
}

void Engine::expire(TimePoint now)
{
    while (std::shared_ptr<Job> job = m_admission.overdue(now - m_options.queueWait))
        failJob(std::move(job), {ErrorCode::QueueFull, "waited too long for a free slot", "queue"});
    const auto slow = [&](const std::shared_ptr<Job>& job) {
        return job->owner.external && job->fullSince != TimePoint {}
        && now - job->fullSince > m_options.slowReader;
    };
    for (auto found = std::find_if(m_jobs.begin(), m_jobs.end(), slow); found != m_jobs.end();
         found = std::find_if(m_jobs.begin(), m_jobs.end(), slow))
        cancelJob(*found);
}

void Engine::admit()
{
    while (const std::shared_ptr<Job> job
        = m_admission.next([this](const Job& candidate) { return mayRun(candidate); }))
        start(job);
}

bool Engine::mayRun(const Job& job) const
{
    if (m_cache.freeSlots() == 0)
        return false;
    if (job.owner.external) {
        const auto external = std::count_if(m_live.begin(), m_live.end(),
            [](const auto& sequence) { return sequence->job()->owner.external; });
        if (external >= externalSlots(m_model.info().slotCount))
            return false;
    }
    return !prefixIsComing(job);
}

// True while waiting saves work: a sibling is about to give the first logits, or at least half of the rows
// this job would compute is just being computed for the same owner.
bool Engine::prefixIsComing(const Job& job) const
{
    if (job.admitted > 0 && job.firstLogits.empty())
        return true;
    const std::uint32_t limit = job.rowsReusable();
    const std::span<const CachedRow> rows = std::span(job.rows).first(limit);
    std::uint32_t coming = 0;
    for (const std::unique_ptr<Sequence>& sequence : m_live) {
        const Job& other = *sequence->job();
        if (sequence->phase() == Sequence::Phase::Prefill && other.owner == job.owner && other.room > 0)
            coming = std::max(coming,
                commonPrefix(rows, std::span(other.rows).first(sequence->computed() + sequence->pending())));
    }
    if (coming == 0)
        return false;
    const std::uint32_t there = m_cache.lookup(job.rows, limit, job.owner);
    return coming > there && 2 * (coming - there) >= job.rowsNeeded() - there;
}

void Engine::start(const std::shared_ptr<Job>& job)
{
    m_worked = true;
    const std::uint32_t choice = job->admitted - 1;
    const Result<PrefixCache::Lease> lease = m_cache.acquire(job->rows, job->rowsReusable(), job->owner);
    if (!lease) {
        failJob(job, lease.error());
        return;
    }
    if (choice == 0) {
        job->cachedTokens = std::min(lease->rows, job->promptTokens());
        job->events->push(Started {job->ticket, job->promptTokens(), job->cachedTokens, job->prompt});
        job->room = job->events->room(job->ticket, job->recordBytes);
    }
    auto sequence = std::make_unique<Sequence>(job, choice, m_tokenizer, m_model.info().context, *lease);
    if (job->mode == Mode::Score && job->scoreFrom == 0) {
        --job->room;
        sequence->scoreFirstToken();
    }
    m_live.push_back(std::move(sequence));
}

void Engine::drawFirstTokens(TimePoint now)
{
    for (const std::unique_ptr<Sequence>& sequence : m_live) {
        Job& job = *sequence->job();
        if (!sequence->waitsForSharedLogits() || job.firstLogits.empty() || job.room == 0)
            continue;
        --job.room;
        sequence->stepStarts(now);
        take(*sequence, job.rowsNeeded() - 1, job.firstLogits, now);
    }
    failCollected();
}

void Engine::step()
{
    m_worked = true;
    const TimePoint begin = std::chrono::steady_clock::now();
    for (const BatchBuilder::Part& part : m_batch.parts())
        part.sequence->stepStarts(begin);
    const Result<LogitsRows> logits = computeRows();
    const TimePoint end = std::chrono::steady_clock::now();
    if (!logits) {
        stepFailed(logits.error());
        return;
    }
    m_batch.measured(std::chrono::duration<double, std::milli>(end - begin).count(), m_batch.rows().size());
    consume(*logits, end);
    failCollected();
}

Result<LogitsRows> Engine::computeRows()
{
    m_stepTickets.clear();
    for (const BatchBuilder::Part& part : m_batch.parts())
        m_stepTickets.push_back(part.sequence->job()->ticket);
    const StepScope scope(m_mailbox, m_stepTickets);
    return m_model.step(m_batch.rows(), scope.stop());
}

// A cancelled step leaves clean slots behind: all its tickets are about to go. Any other error is theirs, and
// what their slots hold is not trusted again.
void Engine::stepFailed(const Error& error)
{
    if (error.code == ErrorCode::Cancelled) {
        for (const BatchBuilder::Part& part : m_batch.parts())
            m_cache.rollBack(part.sequence->slot());
        return;
    }
    if (error.code == ErrorCode::DeviceLost) {
        m_dead = error;
        failAll(error);
        return;
    }
    for (const BatchBuilder::Part& part : m_batch.parts())
        m_failures.push_back({part.sequence->job(), error});
    failCollected();
}

void Engine::consume(const LogitsRows& logits, TimePoint now)
{
    std::size_t row = 0;
    std::size_t output = 0;
    for (const BatchBuilder::Part& part : m_batch.parts()) {
        Sequence& sequence = *part.sequence;
        for (std::uint32_t i = 0; i < part.count; ++i)
            m_cache.append(sequence.slot(), sequence.row(part.first + i));
        sequence.rowsComputed(part.count);
        for (std::uint32_t i = 0; i < part.count; ++i)
            if (m_batch.rows()[row++].output == Output::Logits)
                take(sequence, part.first + i, logits.row(output++), now);
    }
}

void Engine::take(Sequence& sequence, std::uint32_t row, std::span<const float> logits, TimePoint now)
{
    const std::shared_ptr<Job>& job = sequence.job();
    const bool failed = std::any_of(
        m_failures.begin(), m_failures.end(), [&](const Failure& failure) { return failure.job == job; });
    if (failed)
        return;
    if (job->choices > 1 && job->firstLogits.empty())
        job->firstLogits.assign(logits.begin(), logits.end());
    if (const Result<void> taken = sequence.take(row, logits, now); !taken)
        m_failures.push_back({job, taken.error()});
    m_worked = true;
}

void Engine::failCollected()
{
    for (const Failure& failure : m_failures)
        failJob(failure.job, failure.error);
    m_failures.clear();
}

void Engine::retireEnded()
{
    for (std::size_t i = 0; i < m_live.size();) {
        if (!m_live[i]->end()) {
            ++i;
            continue;
        }
        const std::unique_ptr<Sequence> ended = std::move(m_live[i]);
        m_live.erase(m_live.begin() + static_cast<std::ptrdiff_t>(i));
        m_cache.release(ended->slot());
        finishChoice(*ended->job(), ended->finished());
        m_worked = true;
    }
}

void Engine::finishChoice(Job& job, Finished finished)
{
    finished.openChoices = --job.open;
    if (job.owner.external)
        m_gate.leave(1);
    const std::shared_ptr<EventQueue> events = job.events;
    if (job.open == 0)
        forget(job);
    events->push(std::move(finished));
}

void Engine::cancelJob(std::shared_ptr<Job> job)
{
    m_admission.remove(*job);
    std::vector<Finished> ends;
    for (std::uint32_t choice = job->admitted; choice < job->choices; ++choice) {
        Finished never;
        never.ticket = job->ticket;
        never.choice = choice;
        never.reason = FinishReason::Cancelled;
        never.metrics = measure({}, job->promptTokens(), job->cachedTokens);
        ends.push_back(std::move(never));
    }
    std::erase_if(m_live, [&](const std::unique_ptr<Sequence>& sequence) {
        if (sequence->job() != job)
            return false;
        m_cache.release(sequence->slot());
        ends.push_back(sequence->finished());
        return true;
    });
    for (Finished& end : ends)
        finishChoice(*job, std::move(end));
}

void Engine::failJob(std::shared_ptr<Job> job, const Error& error)
{
    if (job->open == 0)
        return; // already failed: a step reports each of a ticket's sequences
    m_admission.remove(*job);
    std::erase_if(m_live, [&](const std::unique_ptr<Sequence>& sequence) {
        if (sequence->job() != job)
            return false;
        m_cache.drop(sequence->slot());
        return true;
    });
    if (job->owner.external)
        m_gate.leave(job->open);
    job->open = 0;
    forget(*job);
    job->events->push(Failed {job->ticket, error});
}

void Engine::forget(const Job& job)
{
    std::erase_if(m_jobs, [&](const std::shared_ptr<Job>& open) { return open.get() == &job; });
}

} // namespace kaikou
