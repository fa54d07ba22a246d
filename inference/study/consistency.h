#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

enum class Agreement : std::uint8_t
{
    High,
    Medium,
    Low
}; // >= 0.8, >= 0.5, below (GPT_teacher's bounds)

struct Interval
{
    double low = 0.0, high = 1.0;
};

enum class Likeness : std::uint8_t
{
    Exact,
    Normalised,
    Number,
    Similar
}; // the loosest rule a group needed

// Samples that say the same.
struct AnswerCluster
{
    std::string text; // the first member's
    std::vector<std::uint32_t> members; // indices of the samples, ascending
    bool empty = false; // the empty replies: a group of its own, never agreement
    Likeness likeness = Likeness::Exact;
};

struct Consistency
{
    std::vector<AnswerCluster> clusters; // largest first; equals in order of their first sample
    std::uint32_t mainCount = 0, total = 0; // of the largest group that is not empty
    double ratio = 0.0; // mainCount / total
    Agreement label = Agreement::Low;
    Interval interval; // Wilson, 95 %
    double voteEntropy = 0.0; // over the groups' counts, nats
};

// Groups answers by exact text, then normalised text, then equal numbers, then character-bigram Jaccard >=
// 0.8. Counts decide; no model judges. Self-consistency: arXiv 2203.11171.
[[nodiscard]] Consistency judgeConsistency(std::span<const std::string> answers);

// NFKC, lower case, without white space and punctuation (sign and point of a number stay): what "the same
// answer" compares first.
[[nodiscard]] std::string normalisedAnswer(std::string_view text);

// Wilson score interval of `hits` of `total` at z = 1.96.
[[nodiscard]] Interval wilsonInterval(std::uint32_t hits, std::uint32_t total);

} // namespace kaikou
