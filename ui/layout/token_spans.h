#pragma once

#include <QString>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

// UTF-16 positions [begin, end) of a text.
struct CharRange
{
    int begin = 0;
    int end = 0;

    [[nodiscard]] bool empty() const { return begin >= end; }

    friend bool operator==(const CharRange&, const CharRange&) = default;
};

// The smallest run of tokens that starts and ends on character borders.
struct Cluster
{
    int firstToken = 0;
    int tokens = 0;
    CharRange chars;
    double probability = 1.0; // product of its tokens (chain rule)
    bool special = false; // a special token, shown as a chip
};

// Bytes of tokens as text to show, with the way back: token <-> cluster <-> characters <-> bytes. Grows at
// the end only. Line ends become U+2028, other control characters their pictures; an invalid byte is U+FFFD.
class TokenSpans
{
public:
    // The next token. `shown` = those of its bytes that may be seen by now; call extend() when more may.
    // While it is not wholly shown, no other token may follow.
    void addToken(std::string_view shown, double probability);
    void extend(std::string_view shown); // more bytes of the last token
    void addSpecial(const QString& label, double probability);
    void addPlain(std::string_view bytes); // text without tokens (the user's words)
    // No more bytes will come: an open character becomes U+FFFD.
    void close();

    [[nodiscard]] const QString& text() const { return m_text; }

    [[nodiscard]] const std::vector<Cluster>& clusters() const { return m_clusters; }

    [[nodiscard]] int tokenCount() const { return static_cast<int>(m_clusterOf.size()); }

    [[nodiscard]] bool open() const { return !m_tail.empty(); } // bytes of an incomplete character are held

    [[nodiscard]] int clusterOf(int token) const { return m_clusterOf[static_cast<std::size_t>(token)]; }

    [[nodiscard]] int clusterAt(int character) const; // -1 = belongs to none
    // The first cluster that ends behind `character`; clusters().size() = none.
    [[nodiscard]] int firstClusterAfter(int character) const;
    [[nodiscard]] CharRange charsOf(int token) const; // of its cluster

    [[nodiscard]] std::uint64_t byteAt(
        int character) const; // first byte of the character; text end = all bytes
    [[nodiscard]] int charAt(std::uint64_t byte) const; // first character at or after the byte

private:
    void take(std::string_view bytes);
    void put(char32_t codePoint, std::size_t bytes);

    QString m_text;
    std::vector<std::uint32_t> m_byteAt; // [text size]
    std::uint64_t m_bytes = 0; // bytes behind m_text, the tail not counted
    std::string m_tail; // 1..3 bytes of an open character
    std::vector<Cluster> m_clusters;
    std::vector<int> m_clusterOf; // [tokens]
};

} // namespace kaikou
