#pragma once

#include "inference/generate/engine.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/service.h"

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

namespace kaikou {

struct SchedulerOptions
{
    EngineOptions engine;
    std::uint32_t externalQueue = 32; // choices of external owners that may wait; the window waits unbounded
};

// The local CompletionService: one thread owns the model and runs the engine's loop. The destructor cancels
// what is open and joins.
class Scheduler final : public CompletionService
{
public:
    explicit Scheduler(LoadedModel loaded, SchedulerOptions options = {});
    ~Scheduler() override;

    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    [[nodiscard]] Capabilities capabilities() const override { return m_capabilities; }

    [[nodiscard]] Result<Ticket> submit(Request request, std::shared_ptr<EventQueue> events) override;
    void cancel(Ticket ticket) override;

    [[nodiscard]] std::shared_ptr<const TextModel> text() const override { return m_text; }

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

} // namespace kaikou
