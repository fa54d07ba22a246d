#pragma once

#include "inference/generate/service.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kaikou::test {

// A CompletionService that answers every choice with the same words at once, from the submitting thread.
class ScriptedService final : public CompletionService
{
public:
    std::vector<std::string> script; // bytes of each token of an answer
    std::vector<std::vector<std::string>> perChoice; // instead of script, by choice
    bool finishByItself = true; // else the ticket waits for cancel
    std::uint64_t saidBytes = 0; // length of the `said` of the requests to come
    std::optional<Error> refuse;
    Capabilities can;
    std::shared_ptr<const TextModel> textModel; // may stay null
    std::vector<Request> requests; // as submitted

    ScriptedService()
    {
        can.model = "scripted";
        can.backend = "none";
        can.fingerprint = "0123456789abcdef";
        can.context = 128;
        can.vocab = 300;
    }

    [[nodiscard]] Capabilities capabilities() const override { return can; }

    [[nodiscard]] Result<Ticket> submit(Request request, std::shared_ptr<EventQueue> events) override
    {
        if (refuse)
            return *refuse;
        const auto ticket = static_cast<Ticket>(++m_last);
        const std::uint32_t choices = request.choices;
        requests.push_back(std::move(request));
        events->push(Started {ticket, 3, 0, std::make_shared<PromptInfo>()});
        Open& open = m_open[ticket];
        open = {events, choices, std::vector<std::uint64_t>(choices, saidBytes)};
        for (std::uint32_t choice = 0; choice < choices; ++choice) {
            for (const std::string& bytes : choice < perChoice.size() ? perChoice[choice] : script) {
                Token token;
                token.ticket = ticket;
                token.choice = choice;
                token.bytes = bytes;
                token.byteBegin = open.bytes[choice];
                token.releasedTo = open.bytes[choice] += bytes.size();
                token.stats.pModel = token.stats.pShaped = token.stats.pSample = 0.9;
                events->push(token);
            }
        }
        if (finishByItself)
            end(ticket, FinishReason::Eos);
        return ticket;
    }

    void cancel(Ticket ticket) override { end(ticket, FinishReason::Cancelled); }

    [[nodiscard]] std::shared_ptr<const TextModel> text() const override { return textModel; }

private:
    struct Open
    {
        std::shared_ptr<EventQueue> events;
        std::uint32_t choices = 0;
        std::vector<std::uint64_t> bytes; // answer length of each choice
    };

    void end(Ticket ticket, FinishReason reason)
    {
        const auto found = m_open.find(ticket);
        if (found == m_open.end())
            return;
        const Open open = std::move(found->second);
        m_open.erase(found);
        for (std::uint32_t choice = 0; choice < open.choices; ++choice) {
            Finished finished;
            finished.ticket = ticket;
            finished.choice = choice;
            finished.reason = reason;
            finished.answerBytes = open.bytes[choice];
            finished.openChoices = open.choices - choice - 1;
            open.events->push(finished);
        }
    }

    std::uint64_t m_last = 0;
    std::map<Ticket, Open> m_open;
};

} // namespace kaikou::test
