#pragma once

#include "inference/generate/event_queue.h"
#include "inference/generate/metrics.h"
#include "inference/generate/prefix_cache.h"
#include "inference/generate/request.h"

#include <memory>
#include <optional>
#include <vector>

namespace kaikou {

// One accepted ticket: what submit has settled, and what its choices share. The first part is fixed before
// the engine thread sees the job; only that thread touches the second.
struct Job
{
    Ticket ticket {};
    Owner owner;
    Mode mode = Mode::Generate;
    std::shared_ptr<const PromptInfo> prompt;
    std::vector<TokenId> tokens; // prompt, then `said`
    std::vector<CachedRow> rows; // the same with their rotation positions: what a prefix is compared by
    std::optional<std::uint32_t> generatedPosition; // rotation of every generated row; empty = its own row
    std::uint32_t scoreFrom = 0; // Score: first token that gets a record
    std::uint32_t maxTokens = 0; // new tokens of one choice
    std::uint32_t choices = 1;
    std::shared_ptr<const SampleParams> params; // with the ids added that the engine masks
    std::uint64_t seed = 0;
    bool ignoreEos = false;
    StopRule stops; // effective
    std::optional<RecordForm> record; // empty = statistics only
    std::uint64_t recordBytes = 0; // of one record
    std::shared_ptr<EventQueue> events;
    TimePoint submitted;

    std::uint32_t admitted = 0; // choices that have or had a slot
    std::uint32_t open = 0; // choices without a terminal event
    std::uint32_t cachedTokens = 0; // prompt tokens the first choice found in the cache
    std::size_t room = 0; // token events that may still be made in this turn of the loop
    TimePoint fullSince; // the consumer has not taken events since then; default = it has
    std::vector<float> firstLogits; // logits after the prompt, from which every choice draws first

    [[nodiscard]] std::uint32_t promptTokens() const
    {
        return static_cast<std::uint32_t>(prompt->ids.size());
    }

    // Rows to compute before the first token can be drawn or the last one scored.
    [[nodiscard]] std::uint32_t rowsNeeded() const
    {
        const auto count = static_cast<std::uint32_t>(tokens.size());
        return mode == Mode::Score ? count - 1 : count;
    }

    // Rows that may come from a cache: all but those whose logits are still wanted.
    [[nodiscard]] std::uint32_t rowsReusable() const
    {
        if (mode == Mode::Score)
            return scoreFrom == 0 ? 0 : scoreFrom - 1;
        return firstLogits.empty() ? rowsNeeded() - 1 : rowsNeeded();
    }
};

} // namespace kaikou
