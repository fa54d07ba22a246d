#pragma once

#include "inference/model/ids.h"
#include "inference/sample/params.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kaikou {

// How the logits of a step are kept: exactly, rounded to f16 (as logit - max), or only the best 1,024 with
// the tail's sums.
enum class RecordForm : std::uint8_t
{
    F32,
    F16,
    Top
};

inline constexpr std::uint32_t kTopRecordSize = 1024;

// The raw logits of one step, before any stage. Immutable once made; any thread.
struct RawLogits
{
    RecordForm form = RecordForm::F32;
    std::uint32_t vocab = 0;
    float max = 0.0F; // largest logit
    double logSumExp = 0.0; // ln sum exp(logit) over the whole vocabulary
    std::vector<float> f32; // F32: [vocab]; Top: the kept logits, descending
    std::vector<std::uint16_t> f16; // F16: [vocab], IEEE half of (logit - max)
    std::vector<TokenId> ids; // Top: ids of f32

    [[nodiscard]] static RawLogits keep(std::span<const float> logits, RecordForm form);

    [[nodiscard]] bool exact() const noexcept { return form == RecordForm::F32; }

    [[nodiscard]] std::uint64_t bytes() const noexcept;
    // [vocab] logits; what Top does not hold is -inf. Exact only for F32.
    [[nodiscard]] std::vector<float> widen() const;
};

struct TopToken
{
    TokenId id = 0;
    double pModel = 0.0;

    friend bool operator==(const TopToken&, const TopToken&) = default;
};

// The `count` most likely tokens of a record, best first, ties by id.
[[nodiscard]] std::vector<TopToken> topTokens(const RawLogits& logits, std::size_t count);

// The three probabilities of a token (sampling.md §6) and how the step looked when it was drawn.
struct TokenStats
{
    double pModel = 0.0; // softmax of the raw logits at T = 1, full vocabulary
    double pShaped = 0.0; // after masks, penalties and temperature, nothing cut; T <= 0 counts as 1
    double pSample = 0.0; // what the dice used
    std::uint32_t rank = 0; // 1 = most likely under pModel; ties by id
    double entropy = 0.0; // of pModel, nats
    double margin = 0.0; // pModel of the best minus the second
    double u = 0.0; // the step's random number, 0 <= u < 1; stored for greedy steps too
    std::uint32_t kept = 0; // candidates left after the last stage
    bool greedy = false;
    bool forced = false; // chosen by the user, not by the dice
    bool special = false;
};

// The best form in which every step of every live reply fits half of the store's limit (settled.md 5).
// siblings = choices and columns that share it; maxTokens > 0.
[[nodiscard]] RecordForm chooseRecordForm(
    std::uint32_t vocab, std::uint64_t maxTokens, std::uint64_t siblings, std::uint64_t limitBytes) noexcept;

// Everything needed to explain or redo one step without the model.
struct StepRecord
{
    TokenId token = 0;
    std::uint64_t step = 0; // index of the random word: number of generated tokens before this one
    RawLogits logits;
    std::shared_ptr<const SampleParams> params;
    TokenStats stats;
};

} // namespace kaikou
