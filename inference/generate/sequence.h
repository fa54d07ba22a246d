#pragma once

#include "inference/generate/job.h"
#include "inference/generate/stop_matcher.h"
#include "inference/sample/sampler.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaikou {

// The rotation position of every row of a sequence: prompt rows stand at their own row; generated rows do
// too, or all at `generatedPosition` (GPT_teacher's cached loop: n_kv_head).
[[nodiscard]] std::optional<std::uint32_t> generatedPosition(PositionMode mode, const ModelConfig& config);

// Fills Job::rows from Job::tokens, Job::prompt and Job::generatedPosition.
void placeRows(Job& job);

// One choice of a ticket as a state machine: rows to compute, tokens drawn or scored, why it ended. All
// sampling state lives here. Engine thread.
class Sequence
{
public:
    enum class Phase : std::uint8_t
    {
        Prefill, // rows of prompt and said are missing
        Decode, // the row of the last token is missing
        Done
    };

    struct End
    {
        FinishReason reason = FinishReason::Eos;
        std::string stopString;
    };

    // context: rows of a slot. `cached` rows of the slot are already there.
    Sequence(std::shared_ptr<Job> job, std::uint32_t choice, const Tokenizer& tokenizer,
        std::uint32_t context, PrefixCache::Lease lease);

    [[nodiscard]] const std::shared_ptr<Job>& job() const { return m_job; }

    [[nodiscard]] Phase phase() const;

    [[nodiscard]] std::uint32_t slot() const noexcept { return m_slot; }

    [[nodiscard]] std::uint32_t computed() const noexcept { return m_computed; }

    // Rows known but not computed yet.
    [[nodiscard]] std::uint32_t pending() const noexcept { return m_needed - m_computed; }

    [[nodiscard]] CachedRow row(std::uint32_t index) const;

    // Whether the logits of this row are used: the last row of a sequence that draws, the rows before scored
    // tokens.
    [[nodiscard]] bool wantsLogits(std::uint32_t index) const;

    // All rows are there and the first token waits for the logits that the choices share.
    [[nodiscard]] bool waitsForSharedLogits() const noexcept { return m_computed == m_needed && !m_end; }

    void rowsComputed(std::uint32_t count) noexcept { m_computed += count; }

    void stepStarts(TimePoint now);

    // Score with scoreFrom = 0: the first token of a text has no probability. Call once, before the first
    // step.
    void scoreFirstToken();

    // Draws or scores the token after row `index` and emits it. Errors: NonFiniteLogits.
    [[nodiscard]] Result<void> take(std::uint32_t index, std::span<const float> logits, TimePoint now);

    [[nodiscard]] const std::optional<End>& end() const noexcept { return m_end; }

    // The terminal event; openChoices is the engine's. Without an end of its own the sequence was cancelled.
    [[nodiscard]] Finished finished() const;

private:
    [[nodiscard]] Result<void> draw(std::span<const float> logits, TimePoint now);
    [[nodiscard]] Result<void> score(std::uint32_t index, std::span<const float> logits, TimePoint now);
    [[nodiscard]] History historyBefore(std::size_t token) const;
    [[nodiscard]] std::string_view bytesOf(TokenId id) const;
    [[nodiscard]] bool isEos(TokenId id) const;
    [[nodiscard]] std::optional<End> endAfter(TokenId id, std::optional<StopMatcher::Match>& match) const;
    [[nodiscard]] std::shared_ptr<const StepRecord> recordOf(
        TokenId id, std::size_t step, std::span<const float> logits, const TokenStats& stats) const;
    void publish(TokenId id, std::uint64_t byteBegin, TokenStats stats,
        std::shared_ptr<const StepRecord> record) const;
    [[nodiscard]] std::uint32_t answerTokens() const;

    std::shared_ptr<Job> m_job;
    std::uint32_t m_choice = 0;
    const Tokenizer& m_tokenizer;
    std::uint32_t m_context = 0;
    std::uint32_t m_slot = 0;
    std::uint32_t m_computed = 0;
    std::uint32_t m_needed = 0; // rows to compute before something can be drawn or the sequence ends
    std::vector<TokenId> m_tokens; // prompt, said, drawn
    std::uint32_t m_answerFrom = 0; // index of the first token of the answer
    Sampler m_sampler;
    StopMatcher m_stops;
    std::uint64_t m_answerBytes = 0;
    std::optional<End> m_end;
    Timeline m_timeline;
};

} // namespace kaikou
