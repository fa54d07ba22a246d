#include "app/cli/completion.h"

#include "app/cli/interrupt.h"
#include "inference/base/utf8.h"
#include "inference/chat/visible_answer.h"

#include <algorithm>

namespace kaikou::cli {

namespace {

constexpr std::uint32_t kWaitMs = 50; // how soon Ctrl+C is seen

// Events of one ticket, gathered into replies.
class Collector
{
public:
    Collector(std::uint32_t choices, Family family, const std::function<void(std::string_view)>& onText)
        : m_family(family)
        , m_onText(onText)
        , m_bytes(choices)
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
        m_bytes.at(event.choice) += event.bytes;
        if (event.choice == 0)
            show(event.releasedTo);
        m_result.replies.at(event.choice).tokens.push_back(std::move(event));
    }

    void take(Finished& event)
    {
        Reply& reply = m_result.replies.at(event.choice);
        reply.text = visibleAnswer(released(event.choice, event.answerBytes), m_family);
        if (event.choice == 0)
            show(event.answerBytes);
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
    [[nodiscard]] std::string_view released(std::uint32_t choice, std::uint64_t to) const
    {
        return std::string_view(m_bytes.at(choice)).substr(0, to);
    }

    // Bytes are released in whole characters, so that the parts make up the visible answer.
    void show(std::uint64_t to)
    {
        const std::string_view answer = released(0, to);
        if (!m_begun)
            m_shown = leadingTrim(answer, m_family);
        if (answer.size() <= m_shown)
            return;
        m_begun = true;
        if (m_onText)
            m_onText(toValidUtf8(answer.substr(m_shown)));
        m_shown = answer.size();
    }

    const Family m_family;
    const std::function<void(std::string_view)>& m_onText;
    std::vector<std::string> m_bytes; // by choice, all tokens
    Completion m_result;
    Error m_error;
    std::size_t m_shown = 0; // bytes of choice 0 that were printed or trimmed
    bool m_begun = false; // the first character was printed
    bool m_done = false;
};

} // namespace

Result<Completion> complete(
    CompletionService& service, Request request, const std::function<void(std::string_view)>& onText)
{
    catchInterrupt();
    Collector collector(request.choices, service.capabilities().family, onText);
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
