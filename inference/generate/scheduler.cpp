#include "inference/generate/scheduler.h"

#include "inference/generate/engine.h"
#include "inference/generate/submission.h"
#include "inference/generate/text_model.h"

#include <atomic>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <utility>

namespace kaikou {

namespace {

Ticket nextTicket()
{
    static std::atomic<std::uint64_t> last {0}; // several services share one process: no ticket comes twice
    return Ticket {++last};
}

Capabilities capabilitiesOf(const LoadedModel& loaded)
{
    const ModelInfo& info = loaded.model->info();
    Capabilities capabilities;
    capabilities.model = loaded.meta.name;
    capabilities.backend = info.backend + " · " + info.device;
    capabilities.threads = info.threads;
    capabilities.fingerprint = loaded.meta.fingerprint;
    capabilities.family = info.config.family;
    capabilities.context = info.context;
    capabilities.slotCount = info.slotCount;
    capabilities.vocab = info.config.vocabRows;
    capabilities.parameters = loaded.meta.parameters;
    capabilities.memoryBytes = info.memory.total();
    capabilities.form = loaded.form;
    capabilities.formReason = loaded.formReason;
    return capabilities;
}

} // namespace

class Scheduler::Loop
{
public:
    Loop(LoadedModel loaded, const SchedulerOptions& options);
    ~Loop();

    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    [[nodiscard]] const Capabilities& capabilities() const { return m_capabilities; }

    [[nodiscard]] const std::shared_ptr<const TextModel>& text() const { return m_text; }

    [[nodiscard]] Result<Ticket> submit(const Request& request, std::shared_ptr<EventQueue> events);

    void cancel(Ticket ticket) { m_mailbox.cancel(ticket); }

private:
    void run();
    [[nodiscard]] bool turn(Mailbox::Mail& mail); // false = closed and everything ended
    void failOpen(Mailbox::Mail& mail, ErrorCode code, const std::string& message);

    const LoadedModel m_loaded; // the engine thread alone touches *m_loaded.model once it runs
    const ModelInfo m_info;
    const Capabilities m_capabilities;
    const std::shared_ptr<const TextModel> m_text;
    ExternalGate m_gate;
    Mailbox m_mailbox;
    Engine m_engine; // engine thread
    std::jthread m_thread; // last: it uses all of the above
};

Scheduler::Loop::Loop(LoadedModel loaded, const SchedulerOptions& options)
    : m_loaded(std::move(loaded))
    , m_info(m_loaded.model->info())
    , m_capabilities(capabilitiesOf(m_loaded))
    , m_text(makeTextModel(m_loaded))
    , m_gate(externalSlots(m_info.slotCount) + options.externalQueue)
    , m_engine(*m_loaded.model, *m_loaded.tokenizer, options.engine, m_gate, m_mailbox)
    , m_thread([this] { run(); })
{
}

Scheduler::Loop::~Loop()
{
    m_mailbox.close();
    m_thread.join();
}

Result<Ticket> Scheduler::Loop::submit(const Request& request, std::shared_ptr<EventQueue> events)
{
    const SubmitContext context {m_info, *m_loaded.tokenizer, *m_text};
    if (!events)
        return Error {ErrorCode::InputInvalid, "no event queue", "events"};
    KAIKOU_TRY(const std::shared_ptr<Job> job, prepareJob(request, std::move(events), context));
    const Ticket ticket = nextTicket();
    job->ticket = ticket;
    const std::uint32_t places = job->owner.external ? job->choices : 0;
    if (places > 0 && !m_gate.enter(places))
        return Error {ErrorCode::QueueFull, "all slots and the queue are taken", "queue"};
    if (m_mailbox.post(job))
        return ticket;
    m_gate.leave(places);
    return Error {ErrorCode::ShuttingDown, "the model is being closed", {}};
}

void Scheduler::Loop::run()
{
    for (;;) {
        Mailbox::Mail mail;
        try {
            mail = m_mailbox.take(m_engine.patience());
            if (!turn(mail))
                return;
        } catch (const std::bad_alloc&) {
            failOpen(mail, ErrorCode::OutOfMemory, "out of memory");
        } catch (const std::exception& exception) {
            failOpen(mail, ErrorCode::Internal, exception.what());
        } catch (...) {
            failOpen(mail, ErrorCode::Internal, "unknown exception");
        }
    }
}

bool Scheduler::Loop::turn(Mailbox::Mail& mail)
{
    for (std::shared_ptr<Job>& job : mail.jobs) {
        m_engine.add(job);
        job.reset();
    }
    for (const Ticket ticket : mail.cancelled)
        m_engine.cancel(ticket);
    if (mail.closed) {
        m_engine.cancelAll();
        return false;
    }
    m_engine.turn();
    return true;
}

// After an exception nobody knows how far the turn came: every open ticket ends, their KV is dropped, and the
// engine goes on with what comes next.
void Scheduler::Loop::failOpen(Mailbox::Mail& mail, ErrorCode code, const std::string& message)
{
    try {
        const Error error {code, message, "engine"};
        m_engine.failAll(error);
        for (const std::shared_ptr<Job>& job : mail.jobs) {
            if (!job)
                continue;
            if (job->owner.external)
                m_gate.leave(job->choices);
            job->events->push(Failed {job->ticket, error});
        }
    } catch (...) { // still no memory for the event: what is left open is tried again with the next turn
        return;
    }
}

Scheduler::Scheduler(LoadedModel loaded, SchedulerOptions options)
    : m_loop(std::make_unique<Loop>(std::move(loaded), options))
{
}

Scheduler::~Scheduler() = default;

Capabilities Scheduler::capabilities() const
{
    return m_loop->capabilities();
}

Result<Ticket> Scheduler::submit(Request request, std::shared_ptr<EventQueue> events)
{
    return m_loop->submit(request, std::move(events));
}

void Scheduler::cancel(Ticket ticket)
{
    m_loop->cancel(ticket);
}

std::shared_ptr<const TextModel> Scheduler::text() const
{
    return m_loop->text();
}

} // namespace kaikou
