#include "inference/study/consistency.h"

#include "inference/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace kaikou {

namespace {

constexpr double kSimilar = 0.8; // Jaccard of character bigrams
constexpr double kZ = 1.96; // 95 %

bool isNoise(utf8proc_int32_t codePoint)
{
    const utf8proc_category_t category = utf8proc_category(codePoint);
    const bool punctuation = category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
    const bool space = category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP;
    return punctuation || space || category == UTF8PROC_CATEGORY_CC;
}

bool isDigit(char32_t point)
{
    return point >= U'0' && point <= U'9';
}

std::vector<char32_t> codePoints(std::string_view text)
{
    std::vector<char32_t> points;
    while (!text.empty()) {
        const Utf8Unit unit = firstUtf8Unit(text);
        points.push_back(unit.codePoint);
        text.remove_prefix(unit.length);
    }
    return points;
}

// The one number a whole answer consists of ("42", "3.50"), signs and decimals kept.
std::optional<double> asNumber(std::string_view text)
{
    const auto isEdge = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '.'; };
    while (!text.empty() && isEdge(text.back()))
        text.remove_suffix(1);
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
        text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::set<std::pair<char32_t, char32_t>> bigrams(std::string_view text)
{
    const std::vector<char32_t> points = codePoints(text);
    std::set<std::pair<char32_t, char32_t>> pairs;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        pairs.emplace(points[i], points[i + 1]);
    return pairs;
}

double jaccard(std::string_view a, std::string_view b)
{
    const auto left = bigrams(a);
    const auto right = bigrams(b);
    std::size_t shared = 0;
    for (const auto& pair : left)
        shared += right.count(pair);
    const std::size_t all = left.size() + right.size() - shared;
    return all > 0 ? static_cast<double>(shared) / static_cast<double>(all) : 0.0;
}

// What is compared of one answer.
struct Face
{
    std::string text, normalised;
    std::optional<double> number;
};

Face faceOf(const std::string& text)
{
    return {text, normalisedAnswer(text), asNumber(text)};
}

std::optional<Likeness> likeness(const Face& a, const Face& b)
{
    if (a.text == b.text)
        return Likeness::Exact;
    if (a.normalised.empty() || b.normalised.empty())
        return std::nullopt; // only punctuation: equal to nothing but itself
    if (a.number && b.number) // 1.5 and 15 are equal without punctuation, but not the same number
        return *a.number == *b.number ? std::optional(Likeness::Number) : std::nullopt;
    if (a.normalised == b.normalised)
        return Likeness::Normalised;
    return jaccard(a.normalised, b.normalised) >= kSimilar ? std::optional(Likeness::Similar) : std::nullopt;
}

double entropyOf(const std::vector<AnswerCluster>& clusters, std::uint32_t total)
{
    double entropy = 0.0;
    for (const AnswerCluster& cluster : clusters) {
        const double share = static_cast<double>(cluster.members.size()) / total;
        entropy -= share * std::log(share);
    }
    return entropy;
}

void summarise(Consistency& result)
{
    for (const AnswerCluster& cluster : result.clusters) {
        if (!cluster.empty)
            result.mainCount = std::max(result.mainCount, static_cast<std::uint32_t>(cluster.members.size()));
    }
    if (result.total == 0)
        return;
    result.ratio = static_cast<double>(result.mainCount) / result.total;
    result.label = result.ratio >= 0.8 ? Agreement::High
        : result.ratio >= 0.5          ? Agreement::Medium
                                       : Agreement::Low;
    result.interval = wilsonInterval(result.mainCount, result.total);
    result.voteEntropy = entropyOf(result.clusters, result.total);
}

} // namespace

std::string normalisedAnswer(std::string_view text)
{
    const std::string valid = toValidUtf8(text);
    utf8proc_uint8_t* mapped = nullptr;
    const auto options = static_cast<utf8proc_option_t>(
        UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_STABLE | UTF8PROC_CASEFOLD);
    const utf8proc_ssize_t length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(valid.data()),
        static_cast<utf8proc_ssize_t>(valid.size()), &mapped, options);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
    if (length < 0)
        return valid;
    const std::vector<char32_t> points
        = codePoints({reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(length)});
    std::string normalised;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool ofNumber
            = (points[i] == U'.' || points[i] == U'-') && i + 1 < points.size() && isDigit(points[i + 1]);
        if (ofNumber || !isNoise(static_cast<utf8proc_int32_t>(points[i])))
            appendUtf8(normalised, points[i]);
    }
    return normalised;
}

Interval wilsonInterval(std::uint32_t hits, std::uint32_t total)
{
    if (total == 0)
        return {};
    const double n = total;
    const double p = hits / n;
    const double square = kZ * kZ;
    const double middle = (p + square / (2.0 * n)) / (1.0 + square / n);
    const double half = kZ / (1.0 + square / n) * std::sqrt(p * (1.0 - p) / n + square / (4.0 * n * n));
    return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Consistency judgeConsistency(std::span<const std::string> answers)
{
    Consistency result;
    result.total = static_cast<std::uint32_t>(answers.size());
    std::vector<Face> faces; // of each cluster's first member
    for (std::uint32_t sample = 0; sample < answers.size(); ++sample) {
        const Face face = faceOf(answers[sample]);
        std::size_t home = 0;
        std::optional<Likeness> how;
        for (; home < faces.size() && !how; ++home)
            how = likeness(faces[home], face);
        if (!how) {
            faces.push_back(face);
            const bool empty = face.text.find_first_not_of(" \t\r\n") == std::string::npos;
            result.clusters.push_back({face.text, {sample}, empty, Likeness::Exact});
            continue;
        }
        AnswerCluster& cluster = result.clusters[home - 1];
        cluster.members.push_back(sample);
        cluster.likeness = std::max(cluster.likeness, *how);
    }
    std::stable_sort(result.clusters.begin(), result.clusters.end(),
        [](const AnswerCluster& a, const AnswerCluster& b) { return a.members.size() > b.members.size(); });
    summarise(result);
    return result;
}

} // namespace kaikou
