#pragma once

#include "inference/generate/engine_options.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/service.h"

#include <cstdint>
#include <memory>

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

    [[nodiscard]] Capabilities capabilities() const override;
    [[nodiscard]] Result<Ticket> submit(Request request, std::shared_ptr<EventQueue> events) override;
    void cancel(Ticket ticket) override;
    [[nodiscard]] std::shared_ptr<const TextModel> text() const override;

private:
    class Loop; // the engine and its thread

    const std::unique_ptr<Loop> m_loop;
};

} // namespace kaikou
