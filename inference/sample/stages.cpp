#include "inference/sample/stages.h"

#include "inference/base/assert.h"
#include "inference/sample/mass.h"
#include "inference/sample/row_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kaikou {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

bool byKeyDescending(const Candidate& a, const Candidate& b)
{
    return a.key > b.key;
}

// The last `count` elements (all where there are fewer).
std::span<const TokenId> tail(std::span<const TokenId> ids, std::size_t count)
{
    return ids.size() > count ? ids.last(count) : ids;
}

// Calls use(id) for the last `window` ids of prompt + generated; 0 = all.
template <class Use>
void forWindow(const History& history, const RepetitionRule& rule, std::uint32_t window, Use use)
{
    const std::size_t limit = window != 0 ? window : std::numeric_limits<std::size_t>::max();
    const std::span<const TokenId> generated = tail(history.generated, limit);
    if (!rule.generatedOnly)
        for (const TokenId id : tail(history.prompt, limit - generated.size()))
            use(id);
    for (const TokenId id : generated)
        use(id);
}

std::uint64_t sumOfMasses(const Row& row, std::size_t begin, std::size_t end)
{
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < end; ++i)
        sum += row.candidates[i].mass;
    return sum;
}

void keepFirst(Row& row, std::size_t count)
{
    row.kept = count;
    row.total = row.massTemperature > 0.0F ? sumOfMasses(row, 0, count) : 0;
}

void cutBelow(Row& row, std::uint64_t least)
{
    const auto begin = row.candidates.begin();
    const auto cut = std::partition(begin, begin + static_cast<std::ptrdiff_t>(row.kept),
        [least](const Candidate& c) { return c.mass >= least; });
    keepFirst(row, static_cast<std::size_t>(cut - begin));
}

std::uint64_t medianKey(std::uint64_t a, std::uint64_t b, std::uint64_t c)
{
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

} // namespace

void applyBias(Row& row, std::span<const std::pair<TokenId, float>> bias)
{
    for (const auto& [id, value] : bias)
        if (id < row.logits.size())
            row.logits[id] += value;
}

void applyMask(Row& row, std::span<const TokenId> ids)
{
    for (const TokenId id : ids)
        if (id < row.logits.size())
            row.logits[id] = kMinusInfinity;
}

void applyRepetition(
    Row& row, const History& history, const RepetitionRule& rule, float penalty, std::uint32_t window)
{
    if (rule.onlyAboveOne && penalty <= 1.0F)
        return;
    const std::uint32_t effective = window != 0 ? window : rule.window;
    forWindow(history, rule, effective, [&](TokenId id) {
        if (id >= row.logits.size() || (!rule.everyOccurrence && row.counts[id]++ != 0))
            return;
        float& logit = row.logits[id];
        logit = logit < 0.0F && !rule.alwaysDivide ? logit * penalty : logit / penalty;
    });
    if (rule.everyOccurrence)
        return;
    forWindow(history, rule, effective, [&](TokenId id) {
        if (id < row.counts.size())
            row.counts[id] = 0;
    });
}

void applyFrequencyPresence(Row& row, std::span<const TokenId> generated, float frequency, float presence)
{
    for (const TokenId id : generated)
        if (id < row.counts.size())
            ++row.counts[id];
    for (const TokenId id : generated) {
        if (id >= row.counts.size() || row.counts[id] == 0)
            continue;
        row.logits[id] -= static_cast<float>(row.counts[id]) * frequency + presence;
        row.counts[id] = 0;
    }
}

void applyScale(Row& row, float temperature)
{
    const float divisor = std::max(1e-6F, temperature);
    for (float& logit : row.logits)
        logit /= divisor;
}

void collectCandidates(Row& row)
{
    row.candidates.clear();
    row.max = kMinusInfinity;
    for (std::size_t i = 0; i < row.logits.size(); ++i) {
        const float logit = row.logits[i];
        if (logit == kMinusInfinity)
            continue;
        row.max = std::max(row.max, logit);
        row.candidates.push_back({candidateKey(logit, static_cast<TokenId>(i)), 0});
    }
    row.kept = row.candidates.size();
    row.massTemperature = 0.0F;
    row.total = 0;
}

void computeMasses(Row& row, float temperature)
{
    KAIKOU_ASSERT(temperature > 0.0F);
    // The wide loop over the whole row pays until few are left; both ways give the same masses.
    const bool whole = row.kept > row.logits.size() / 16;
    if (whole) {
        row.masses.resize(row.logits.size());
        massesInto(row.logits, row.max, temperature, row.masses);
    }
    row.total = 0;
    for (std::size_t i = 0; i < row.kept; ++i) {
        Candidate& candidate = row.candidates[i];
        candidate.mass = whole ? row.masses[candidate.id()]
                               : mass::of((row.logits[candidate.id()] - row.max) / temperature);
        row.total += candidate.mass;
    }
    row.massTemperature = temperature;
}

void cutTopK(Row& row, std::uint32_t k, bool tiesAtK)
{
    if (k >= row.kept)
        return;
    const auto begin = row.candidates.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(row.kept);
    auto cut = begin + static_cast<std::ptrdiff_t>(k);
    std::nth_element(begin, cut - 1, end, byKeyDescending);
    if (tiesAtK) {
        const std::uint32_t last = (cut - 1)->logitKey();
        cut = std::partition(cut, end, [last](const Candidate& c) { return c.logitKey() == last; });
    }
    keepFirst(row, static_cast<std::size_t>(cut - begin));
}

void cutTopP(Row& row, float p, TopPRule rule)
{
    const double wanted = static_cast<double>(p);
    if (rule == TopPRule::KeepCrossing) {
        const std::uint64_t need = mass::shareCeil(row.total, mass::fraction32(wanted - mass::kTolerance));
        const std::size_t crossing = selectByMass(row, need == 0 ? 0 : need - 1);
        keepFirst(row, crossing + 1);
        return;
    }
    const std::uint64_t limit = mass::shareFloor(row.total, mass::fraction32(wanted + mass::kTolerance));
    const std::size_t count = selectByMass(row, limit);
    if (count != 0)
        keepFirst(row, count);
}

void cutMinP(Row& row, float minP)
{
    cutBelow(row, static_cast<std::uint64_t>(std::ceil(static_cast<double>(minP) * 0x1p40)));
}

void cutMassless(Row& row)
{
    cutBelow(row, 1);
}

std::size_t selectByMass(Row& row, std::uint64_t target)
{
    constexpr std::size_t kSmall = 16;
    const auto begin = row.candidates.begin();
    const auto at = [begin](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
    std::size_t low = 0, high = row.kept;
    std::uint64_t before = 0;
    while (high - low > kSmall) {
        // Keys are unique, so the median of three is neither the largest nor the smallest: both parts shrink.
        const std::uint64_t pivot
            = medianKey(at(low)->key, at(low + (high - low) / 2)->key, at(high - 1)->key);
        const auto cut
            = std::partition(at(low), at(high), [pivot](const Candidate& c) { return c.key >= pivot; });
        const auto middle = static_cast<std::size_t>(cut - begin);
        const std::uint64_t sum = sumOfMasses(row, low, middle);
        if (before + sum > target) {
            high = middle;
        } else {
            before += sum;
            low = middle;
        }
    }
    std::sort(at(low), at(high), byKeyDescending);
    for (; low < high; ++low) {
        before += at(low)->mass;
        if (before > target)
            return low;
    }
    return row.kept;
}

} // namespace kaikou
