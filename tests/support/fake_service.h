#pragma once

#include "inference/base/utf8.h"
#include "inference/generate/service.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

namespace kaikou::test {

// The events of one ticket, written down token by token; offsets, releases and counts follow.
class ReplyScript
{
public:
    explicit ReplyScript(Ticket ticket, std::uint32_t choice = 0)
        : m_ticket(ticket)
        , m_choice(choice)
    {
        Started started;
        started.ticket = ticket;
        started.promptTokens = 12;
        started.prompt = std::make_shared<PromptInfo>();
        m_events.push_back(started);
    }

    // A token with these raw bytes. Bytes of an open character are held back.
    ReplyScript& say(std::string bytes, double pModel, TokenId id = 5)
    {
        Token token = next(id, pModel);
        token.bytes = std::move(bytes);
        m_text += token.bytes;
        m_released += validPrefixLength(std::string_view(m_text).substr(m_released));
        token.releasedTo = m_released;
        m_events.push_back(std::move(token));
        return *this;
    }

    ReplyScript& special(TokenId id, double pModel)
    {
        Token token = next(id, pModel);
        token.stats.special = true;
        token.releasedTo = m_released;
        m_events.push_back(std::move(token));
        return *this;
    }

    ReplyScript& finish(FinishReason reason = FinishReason::Eos, std::uint32_t openChoices = 0)
    {
        Finished finished;
        finished.ticket = m_ticket;
        finished.choice = m_choice;
        finished.reason = reason;
        finished.answerBytes = m_text.size();
        finished.tokens = m_tokens;
        finished.metrics = {12, 4, m_tokens, 8.4, 6.1, 0.9, 1100.0};
        finished.openChoices = openChoices;
        m_events.push_back(std::move(finished));
        return *this;
    }

    ReplyScript& fail(ErrorCode code)
    {
        m_events.push_back(Failed {m_ticket, {code, "scripted failure", "step 3"}});
        return *this;
    }

    [[nodiscard]] const std::vector<Event>& events() const { return m_events; }

private:
    Token next(TokenId id, double pModel)
    {
        ++m_tokens;
        Token token;
        token.ticket = m_ticket;
        token.choice = m_choice;
        token.id = id;
        token.byteBegin = m_text.size();
        token.stats.pModel = pModel;
        token.stats.pShaped = pModel;
        token.stats.pSample = pModel;
        token.stats.rank = pModel > 0.5 ? 1 : 2;
        token.stats.entropy = 1.0 - pModel;
        token.stats.kept = 7;
        return token;
    }

    Ticket m_ticket;
    std::uint32_t m_choice;
    std::string m_text;
    std::size_t m_released = 0; // whole characters so far
    std::uint32_t m_tokens = 0;
    std::vector<Event> m_events;
};

// Names the special tokens of scripts.
class FakeTextModel : public TextModel
{
public:
    [[nodiscard]] Result<PromptInfo> preview(const Request& /*request*/) const override
    {
        return PromptInfo();
    }

    [[nodiscard]] std::string_view piece(TokenId id) const override { return id == 2 ? "<|im_end|>" : "词"; }

    [[nodiscard]] bool isSpecial(TokenId id) const override { return id < 3; }

    [[nodiscard]] const SpecialIds& specialIds() const override { return m_special; }

private:
    SpecialIds m_special {.bos = 1, .pad = 0, .unk = std::nullopt, .eos = {2}};
};

// A service whose answers are written by the test. With a script each accepted ticket gets its events from a
// thread of its own, as fast as the queue takes them; without one the test pushes through `queueOf`.
class FakeService : public CompletionService
{
public:
    using Script = std::function<std::vector<Event>(Ticket, const Request&)>;

    explicit FakeService(Script script = {})
        : m_script(std::move(script))
    {
    }

    ~FakeService() override
    {
        m_stop = true;
        m_threads.clear();
    }

    [[nodiscard]] Capabilities capabilities() const override
    {
        Capabilities result;
        result.model = "fake";
        result.backend = "script";
        result.context = 128;
        result.vocab = 751;
        return result;
    }

    [[nodiscard]] Result<Ticket> submit(Request request, std::shared_ptr<EventQueue> events) override
    {
        static std::atomic<std::uint64_t> last {0};
        if (refuse)
            return *refuse;
        const auto ticket = Ticket {++last};
        requests.push_back(request);
        m_queues[ticket] = events;
        if (m_script)
            m_threads.emplace_back(
                [this, events, script = m_script(ticket, request)] { play(*events, script); });
        return ticket;
    }

    void cancel(Ticket ticket) override { cancelled.push_back(ticket); }

    [[nodiscard]] std::shared_ptr<const TextModel> text() const override { return m_text; }

    [[nodiscard]] EventQueue& queueOf(Ticket ticket) { return *m_queues.at(ticket); }

    void push(const ReplyScript& script)
    {
        for (const Event& event : script.events())
            queueOf(ticketOf(event)).push(event);
    }

    std::vector<Request> requests; // of the submitting thread
    std::vector<Ticket> cancelled;
    std::optional<Error> refuse; // answer of the next submits

private:
    void play(EventQueue& events, const std::vector<Event>& script) const
    {
        for (const Event& event : script) {
            while (events.full(ticketOf(event)) && !m_stop)
                std::this_thread::yield();
            if (m_stop)
                return;
            events.push(event);
        }
    }

    Script m_script;
    std::atomic<bool> m_stop = false;
    std::map<Ticket, std::shared_ptr<EventQueue>> m_queues;
    std::shared_ptr<const TextModel> m_text = std::make_shared<FakeTextModel>();
    std::vector<std::jthread> m_threads;
};

} // namespace kaikou::test
