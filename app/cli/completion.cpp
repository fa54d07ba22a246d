#include "app/cli/completion.h"

#include "app/cli/interrupt.h"

#include <algorithm>

namespace kaikou::cli {

namespace {

constexpr std::uint32_t kWaitMs = 50; // how soon Ctrl+C is seen

// Events of one ticket, gathered into replies.
class Collector
{
public:
    Collector(std::uint32_t choices, const std::function<void(std::string_view)>& onText)
        : m_onText(onText)
    {
        m_result.replies.resize(choices);
    }

    void take(Started& event)
    {
        m_result.prompt = event.prompt;
        m_result.cachedTokens = event.cachedTokens;
    }

    void take(Token& event)
    {
        Reply& reply = m_result.replies.at(event.choice);
        reply.text += event.bytes;
        if (event.choice == 0)
            show(reply, event.releasedTo);
        reply.tokens.push_back(std::move(event));
    }

    void take(Finished& event)
    {
        Reply& reply = m_result.replies.at(event.choice);
        reply.text.resize(std::min<std::size_t>(reply.text.size(), event.answerBytes));
        if (event.choice == 0)
            show(reply, event.answerBytes);
        reply.end = std::move(event);
        m_done = reply.end.openChoices == 0;
    }

    void take(Failed& event)
    {
        m_error = std::move(event.error);
        m_done = true;
    }

    [[nodiscard]] bool done() const { return m_done; }

    [[nodiscard]] Result<Completion> result()
    {
        if (m_error.code != ErrorCode::Internal || !m_error.message.empty())
            return std::move(m_error);
        return std::move(m_result);
    }

    void markInterrupted() { m_result.interrupted = true; }

private:
    void show(const Reply& reply, std::uint64_t to)
    {
        const std::size_t end = std::min<std::size_t>(to, reply.text.size());
        if (m_onText && end > m_shown)
            m_onText(std::string_view(reply.text).substr(m_shown, end - m_shown));
        m_shown = std::max(m_shown, end);
    }

    const std::function<void(std::string_view)>& m_onText;
    Completion m_result;
    Error m_error;
    std::size_t m_shown = 0;
    bool m_done = false;
};

} // namespace

Result<Completion> complete(
    CompletionService& service, Request request, const std::function<void(std::string_view)>& onText)
{
    catchInterrupt();
    Collector collector(request.choices, onText);
    const auto events = std::make_shared<EventQueue>();
    KAIKOU_TRY(const Ticket ticket, service.submit(std::move(request), events));
    bool cancelled = false;
    while (!collector.done()) {
        if (interrupted() && !cancelled) {
            cancelled = true;
            collector.markInterrupted();
            service.cancel(ticket);
        }
        for (Event& event : events->waitAndTake(kWaitMs))
            std::visit([&collector](auto& e) { collector.take(e); }, event);
    }
    return collector.result();
}

} // namespace kaikou::cli
