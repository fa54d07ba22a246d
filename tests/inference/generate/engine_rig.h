#pragma once

#include "inference/generate/scheduler.h"
#include "tests/support/fake_backend.h"
#include "tests/support/fake_tokenizer.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kaikou::test {

// Full sizes of the engine tests instead of those of a quick run.
inline bool longRun()
{
    return std::getenv("KAIKOU_LONG") != nullptr;
}

// One choice as its consumer saw it.
struct Reply
{
    std::vector<Token> tokens;
    std::vector<Finished> ends; // exactly one, unless the ticket failed

    std::vector<TokenId> ids() const
    {
        std::vector<TokenId> all;
        for (const Token& token : tokens)
            all.push_back(token.id);
        return all;
    }

    // Bytes that were painted: what releasedTo allowed, and at the end answerBytes.
    std::string text() const
    {
        std::string all;
        for (const Token& token : tokens)
            all += token.bytes;
        return ends.empty() ? all
                            : all.substr(0, ends[0].answerBytes - (tokens.empty() ? 0 : tokens[0].byteBegin));
    }
};

// A ticket as its consumer saw it.
struct Outcome
{
    std::vector<Started> started;
    std::map<std::uint32_t, Reply> replies;
    std::vector<Failed> failed;
    std::uint32_t events = 0;
    std::uint32_t eventsAfterEnd = 0;

    bool ended() const
    {
        if (!failed.empty())
            return true;
        for (const auto& [choice, reply] : replies)
            for (const Finished& end : reply.ends)
                if (end.openChoices == 0)
                    return true;
        return false;
    }

    const Reply& only() const { return replies.at(0); }

    void add(Event event)
    {
        ++events;
        if (ended())
            ++eventsAfterEnd;
        if (auto* begin = std::get_if<Started>(&event))
            started.push_back(*begin);
        else if (auto* token = std::get_if<Token>(&event))
            replies[token->choice].tokens.push_back(*token);
        else if (auto* end = std::get_if<Finished>(&event))
            replies[end->choice].ends.push_back(*end);
        else
            failed.push_back(std::get<Failed>(event));
    }
};

// Sorts the events of one queue by ticket.
class Collector
{
public:
    std::shared_ptr<EventQueue> queue = std::make_shared<EventQueue>();
    std::map<Ticket, Outcome> outcomes;

    void drain(std::uint32_t waitMs = 0)
    {
        for (Event& event : waitMs > 0 ? queue->waitAndTake(waitMs) : queue->takeAll()) {
            const Ticket ticket = ticketOf(event);
            outcomes[ticket].add(std::move(event));
        }
    }

    // False: it did not end within a generous limit.
    bool untilEnded(Ticket ticket)
    {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(120);
        while (!outcomes[ticket].ended() && std::chrono::steady_clock::now() < limit)
            drain(50);
        return outcomes[ticket].ended();
    }
};

// A Scheduler over a FakeModel.
struct EngineRig
{
    std::shared_ptr<FakeCounters> counters = std::make_shared<FakeCounters>();
    std::unique_ptr<Scheduler> service;

    explicit EngineRig(FakeScript script = {}, SchedulerOptions options = {})
    {
        LoadedModel loaded;
        loaded.meta.name = "fake";
        loaded.meta.fingerprint = "0123456789abcdef";
        loaded.tokenizer = FakeTokenizer::words();
        loaded.model = std::make_unique<FakeModel>(std::move(script), counters);
        loaded.form = ChatForm::UserAssistant;
        loaded.formReason = "test";
        loaded.meta.config = loaded.model->info().config;
        service = std::make_unique<Scheduler>(std::move(loaded), options);
    }

    // Submits and waits. The ticket must be accepted.
    Outcome run(const Request& request) const
    {
        Collector collector;
        const Result<Ticket> ticket = service->submit(request, collector.queue);
        if (!ticket || !collector.untilEnded(*ticket))
            return {};
        collector.drain();
        return collector.outcomes[*ticket];
    }
};

// A request over ids that samples at T = 1 and keeps every logit.
inline Request idsRequest(std::vector<TokenId> prompt, std::uint32_t maxTokens, std::uint64_t seed = 1)
{
    Request request;
    request.prompt = std::move(prompt);
    request.maxTokens = maxTokens;
    request.seed = seed;
    request.trace = TraceLevel::Full;
    request.stops.automatic = false;
    request.ignoreEos = true;
    return request;
}

// Prompts of different lengths that share prefixes of different lengths, of bytes and words.
inline std::vector<TokenId> samplePrompt(std::uint32_t index, std::uint32_t length)
{
    std::vector<TokenId> ids {256};
    std::uint64_t state = index / 3 + 1; // three neighbours begin alike
    for (std::uint32_t i = 1; i < length; ++i) {
        if (i == 5 + index % 3 * 4)
            state += 1000 + index;
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto id = static_cast<TokenId>((state >> 33) % 298);
        ids.push_back(id == 256 || id == 257 ? 65 : id);
    }
    return ids;
}

inline bool sameBits(const RawLogits& a, const RawLogits& b)
{
    return a.f32.size() == b.f32.size() && !a.f32.empty()
        && std::memcmp(a.f32.data(), b.f32.data(), a.f32.size() * sizeof(float)) == 0;
}

// Same tokens, and the same logits behind every one of them, bit for bit.
inline bool sameRun(const Reply& a, const Reply& b, std::size_t fromA = 0, std::size_t fromB = 0)
{
    if (a.tokens.size() - fromA != b.tokens.size() - fromB)
        return false;
    for (std::size_t i = 0; fromA + i < a.tokens.size(); ++i) {
        const Token& left = a.tokens[fromA + i];
        const Token& right = b.tokens[fromB + i];
        if (left.id != right.id || left.byteBegin != right.byteBegin || !left.record || !right.record
            || left.record->step != right.record->step
            || !sameBits(left.record->logits, right.record->logits))
            return false;
    }
    return true;
}

// Exactly one last event, and nothing after it.
[[nodiscard]] inline bool oneEnd(const Outcome& outcome)
{
    std::size_t last = outcome.failed.size();
    for (const auto& [choice, reply] : outcome.replies) {
        if (reply.ends.size() > 1)
            return false;
        for (const Finished& end : reply.ends)
            last += end.openChoices == 0 ? 1 : 0;
    }
    return last == 1 && outcome.eventsAfterEnd == 0;
}

} // namespace kaikou::test
