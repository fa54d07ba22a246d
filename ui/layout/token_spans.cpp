#include "ui/layout/token_spans.h"

#include "inference/base/utf8.h"

#include <QChar>

#include <algorithm>

namespace kaikou {

namespace {

// What stands on screen for a code point that has no picture of its own.
char32_t visible(char32_t codePoint)
{
    if (codePoint == U'\n')
        return QChar::LineSeparator;
    if (codePoint == U'\t')
        return codePoint;
    if (codePoint < 0x20)
        return 0x2400 + codePoint;
    return codePoint == 0x7F ? 0x2421 : codePoint;
}

} // namespace

void TokenSpans::addToken(std::string_view shown, double probability)
{
    const int token = tokenCount();
    const bool joins = open() && !m_clusters.empty();
    if (joins) {
        Cluster& cluster = m_clusters.back();
        cluster.tokens += 1;
        cluster.probability *= probability;
    } else {
        const int at = static_cast<int>(m_text.size());
        m_clusters.push_back({token, 1, {at, at}, probability, false});
    }
    m_clusterOf.push_back(static_cast<int>(m_clusters.size()) - 1);
    take(shown);
}

void TokenSpans::extend(std::string_view shown)
{
    take(shown);
}

void TokenSpans::addSpecial(const QString& label, double probability)
{
    close(); // a character cannot go on behind a special token
    const int begin = static_cast<int>(m_text.size());
    m_text += label;
    m_byteAt.resize(static_cast<std::size_t>(m_text.size()), static_cast<std::uint32_t>(m_bytes));
    m_clusters.push_back({tokenCount(), 1, {begin, static_cast<int>(m_text.size())}, probability, true});
    m_clusterOf.push_back(static_cast<int>(m_clusters.size()) - 1);
}

void TokenSpans::addPlain(std::string_view bytes)
{
    take(bytes);
    close();
}

void TokenSpans::close()
{
    if (m_tail.empty())
        return;
    const std::size_t bytes = m_tail.size();
    m_tail.clear();
    put(kReplacementCharacter, bytes);
    if (!m_clusters.empty())
        m_clusters.back().chars.end = static_cast<int>(m_text.size());
}

void TokenSpans::take(std::string_view bytes)
{
    m_tail += bytes;
    std::string_view rest = m_tail;
    while (!rest.empty()) {
        const Utf8Unit unit = firstUtf8Unit(rest);
        if (unit.kind == Utf8Unit::Kind::Incomplete)
            break;
        put(unit.codePoint, unit.length);
        rest.remove_prefix(unit.length);
    }
    m_tail = std::string(rest);
    if (!m_clusters.empty() && !m_clusters.back().special)
        m_clusters.back().chars.end = static_cast<int>(m_text.size());
}

void TokenSpans::put(char32_t codePoint, std::size_t bytes)
{
    const char32_t shown = visible(codePoint);
    m_text += QStringView(QChar::fromUcs4(shown));
    m_byteAt.resize(static_cast<std::size_t>(m_text.size()), static_cast<std::uint32_t>(m_bytes));
    m_bytes += bytes;
}

int TokenSpans::firstClusterAfter(int character) const
{
    const auto found = std::partition_point(m_clusters.begin(), m_clusters.end(),
        [character](const Cluster& cluster) { return cluster.chars.end <= character; });
    return static_cast<int>(found - m_clusters.begin());
}

int TokenSpans::clusterAt(int character) const
{
    const int index = firstClusterAfter(character);
    if (index == static_cast<int>(m_clusters.size()))
        return -1;
    return m_clusters[static_cast<std::size_t>(index)].chars.begin <= character ? index : -1;
}

CharRange TokenSpans::charsOf(int token) const
{
    return m_clusters[static_cast<std::size_t>(clusterOf(token))].chars;
}

std::uint64_t TokenSpans::byteAt(int character) const
{
    const auto index = static_cast<std::size_t>(std::max(character, 0));
    return index < m_byteAt.size() ? m_byteAt[index] : m_bytes;
}

int TokenSpans::charAt(std::uint64_t byte) const
{
    const auto found = std::lower_bound(m_byteAt.begin(), m_byteAt.end(), byte);
    return static_cast<int>(found - m_byteAt.begin());
}

} // namespace kaikou
