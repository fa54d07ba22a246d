#pragma once

#include "inference/model/ids.h"
#include "inference/sample/params.h"
#include "inference/sample/reshape.h"
#include "inference/sample/semantics.h"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

// The stages of the sampler as separate functions over one row (sampling.md §2–4).
// Logit stages change Row::logits; candidate stages move what they cut behind the kept ones.
namespace kaikou {

// One token that can still be drawn. Descending keys are the sampler's order: processed logit descending,
// then id ascending.
struct Candidate
{
    std::uint64_t key = 0;
    std::uint64_t mass = 0;

    [[nodiscard]] TokenId id() const noexcept { return 0xFFFFFFFFU - static_cast<TokenId>(key); }

    [[nodiscard]] std::uint32_t logitKey() const noexcept { return static_cast<std::uint32_t>(key >> 32U); }
};

// Order-preserving bits of a logit, then the id counted from the top. -0 counts as +0.
[[nodiscard]] inline std::uint64_t candidateKey(float logit, TokenId id) noexcept
{
    const auto bits = std::bit_cast<std::uint32_t>(logit + 0.0F);
    const std::uint32_t ordered = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
    return static_cast<std::uint64_t>(ordered) << 32U | (0xFFFFFFFFU - id);
}

// One row of logits on its way through the stages. Reused from step to step without allocation.
struct Row
{
    std::vector<float> logits; // [vocab], after the logit stages so far
    std::vector<Candidate> candidates; // [0, kept) can be drawn; the rest was cut, in no order
    std::size_t kept = 0;
    float max = 0.0F; // largest processed logit
    float massTemperature = 0.0F; // T of the masses below `kept`; 0 = not computed
    std::uint64_t total = 0; // sum of the kept masses
    std::vector<std::uint64_t> masses; // [vocab] scratch of computeMasses
    std::vector<std::uint32_t> counts; // [vocab] scratch of the penalties, all zero between calls
};

void applyBias(Row& row, std::span<const std::pair<TokenId, float>> bias);

// -inf for the ids; ids beyond the vocabulary are ignored.
void applyMask(Row& row, std::span<const TokenId> ids);

// logit / penalty, or * penalty where it is < 0 and the rule knows signs. `window` 0 = the rule's own.
void applyRepetition(
    Row& row, const History& history, const RepetitionRule& rule, float penalty, std::uint32_t window);

// logit -= frequency * count + presence, on counts of `generated`.
void applyFrequencyPresence(Row& row, std::span<const TokenId> generated, float frequency, float presence);

// logit / max(1e-6, T): the first stage of GPT_teacher.
void applyScale(Row& row, float temperature);

// Fills `candidates` from the finite logits and forgets the masses.
void collectCandidates(Row& row);

// mass = round(2^40 exp((l - max) / T)) of the kept candidates, and their total.
void computeMasses(Row& row, float temperature);

// k >= 1. Ties at the k-th place: all, or the lowest ids.
void cutTopK(Row& row, std::uint32_t k, bool tiesAtK);

// Needs masses; 0 <= p < 1.
void cutTopP(Row& row, float p, TopPRule rule);

// mass >= minP * 2^40. Needs masses; 0 < minP <= 1.
void cutMinP(Row& row, float minP);

// Candidates below 2^-41 of the maximum are never drawn. Needs masses.
void cutMassless(Row& row);

// Index of the first candidate, in the sampler's order, whose cumulative mass is > target; everything before
// it in that order then lies before it. `kept` where the total is <= target. Expected O(kept), no sort.
[[nodiscard]] std::size_t selectByMass(Row& row, std::uint64_t target);

} // namespace kaikou
