#pragma once

#include "inference/generate/admission.h"
#include "inference/generate/batch_builder.h"
#include "inference/generate/engine_options.h"
#include "inference/generate/mailbox.h"
#include "inference/generate/prefix_cache.h"
#include "inference/generate/sequence.h"

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaikou {

// External owners leave one slot to the window, unless there is only one.
[[nodiscard]] constexpr std::uint32_t externalSlots(std::uint32_t slotCount) noexcept
{
    return slotCount > 1 ? slotCount - 1 : 1;
}

// Everything the engine thread owns, and one turn of its loop: free what is over, let in, build a batch,
// step, sample, emit, retire. Knows no threads itself but the mailbox that may interrupt its steps.
class Engine
{
public:
    Engine(Model& model, const Tokenizer& tokenizer, EngineOptions options, ExternalGate& gate,
        Mailbox& mailbox);

    void add(std::shared_ptr<Job> job);
    void cancel(Ticket ticket); // unknown and ended tickets are ignored
    void cancelAll();
    void failAll(const Error& error); // every open ticket; what their slots hold is dropped

    void turn();

    // How long the thread may sleep before the next turn; empty = until mail comes.
    [[nodiscard]] std::optional<std::chrono::milliseconds> patience() const;

    // Set once the device is gone: the model cannot be used any more.
    [[nodiscard]] const std::optional<Error>& dead() const noexcept { return m_dead; }

private:
    struct Failure
    {
        std::shared_ptr<Job> job;
        Error error;
    };

    void refreshRoom(TimePoint now);
    void expire(TimePoint now);
    void admit();
    [[nodiscard]] bool mayRun(const Job& job) const;
    [[nodiscard]] bool prefixIsComing(const Job& job) const;
    void start(const std::shared_ptr<Job>& job);
    void drawFirstTokens(TimePoint now);
    void step();
    [[nodiscard]] Result<LogitsRows> computeRows();
    void stepFailed(const Error& error);
    void consume(const LogitsRows& logits, TimePoint now);
    void take(Sequence& sequence, std::uint32_t row, std::span<const float> logits, TimePoint now);
    void failCollected();
    void retireEnded();
    void finishChoice(Job& job, Finished finished);
    void cancelJob(std::shared_ptr<Job> job);
    void failJob(std::shared_ptr<Job> job, const Error& error);
    void forget(const Job& job);

    Model& m_model;
    const Tokenizer& m_tokenizer;
    const EngineOptions m_options;
    ExternalGate& m_gate;
    Mailbox& m_mailbox;
    PrefixCache m_cache;
    Admission m_admission;
    BatchBuilder m_batch;
    std::vector<std::shared_ptr<Job>> m_jobs; // open tickets
    std::vector<std::unique_ptr<Sequence>> m_live; // sequences with a slot
    std::vector<Ticket> m_stepTickets;
    std::vector<Failure> m_failures; // of this turn
    bool m_worked = false; // the last turn computed or drew something
    std::optional<Error> m_dead;
};

} // namespace kaikou
