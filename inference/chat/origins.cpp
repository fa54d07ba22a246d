#include "inference/chat/origins.h"

#include "inference/tokenize/unicode.h"

#include <algorithm>
#include <string>

namespace kaikou {

namespace {

constexpr std::size_t kSearchBytes = 256; // how far a lost place is looked for

// Walks along the prompt text, one token after the other.
class Alignment
{
public:
    Alignment(const std::vector<Segment>& segments, const Tokenizer& tokenizer)
        : m_segments(segments)
        , m_tokenizer(tokenizer)
        , m_text(textOf(segments))
    {
    }

    TokenOrigin place(TokenId id)
    {
        const std::string_view piece = m_tokenizer.piece(id);
        if (m_tokenizer.isSpecial(id))
            return placeSpecial(id, piece);
        const std::size_t begin = beginOf(piece);
        const TokenOrigin origin = originAt(begin == std::string::npos ? m_at : begin);
        if (begin != std::string::npos)
            m_at = begin + m_length;
        return origin;
    }

private:
    [[nodiscard]] bool textHas(std::string_view piece, std::size_t at) const
    {
        return std::string_view(m_text).substr(at, piece.size()) == piece;
    }

    // A special string typed in the text, or an id that stands for no text of its own.
    TokenOrigin placeSpecial(TokenId id, std::string_view piece)
    {
        const std::string_view rest = std::string_view(m_text).substr(m_at);
        const std::size_t spaces = rest.size() - stripWhiteSpace(rest, true, false).size();
        TokenOrigin origin = originAt(m_at);
        if (rest.substr(spaces).starts_with(piece)) {
            m_at += spaces + piece.size();
            origin.source = TokenSource::Special;
        } else if (id == m_tokenizer.special().unk) {
            m_at = std::min(m_at + 1, m_text.size()); // one byte of byte-level BPE; otherwise found again
        } else {
            origin.source = TokenSource::Special;
        }
        return origin;
    }

    // Where the piece is, from m_at on; m_length = its bytes there. npos = nowhere near.
    std::size_t beginOf(std::string_view piece)
    {
        m_length = piece.size();
        if (textHas(piece, m_at))
            return m_at;
        if (piece.starts_with(' ')
            && textHas(piece.substr(1), m_at)) { // a space that the tokenizer put there
            m_length = piece.size() - 1;
            return m_at;
        }
        const std::string_view window = std::string_view(m_text).substr(m_at, kSearchBytes + piece.size());
        const std::size_t found = window.find(piece);
        return found == std::string_view::npos ? std::string::npos : m_at + found;
    }

    // Tokens come in order, so the segment only moves on.
    TokenOrigin originAt(std::size_t at)
    {
        while (
            m_segment + 1 < m_segments.size() && at >= m_segmentBegin + m_segments[m_segment].text.size()) {
            m_segmentBegin += m_segments[m_segment].text.size();
            ++m_segment;
        }
        return m_segments.empty() ? TokenOrigin {} : m_segments[m_segment].origin;
    }

    const std::vector<Segment>& m_segments;
    const Tokenizer& m_tokenizer;
    std::string m_text;
    std::size_t m_at = 0;
    std::size_t m_length = 0;
    std::size_t m_segment = 0;
    std::size_t m_segmentBegin = 0;
};

} // namespace

std::vector<TokenOrigin> originsOf(
    std::span<const TokenId> ids, const std::vector<Segment>& segments, const Tokenizer& tokenizer)
{
    Alignment alignment(segments, tokenizer);
    std::vector<TokenOrigin> origins;
    origins.reserve(ids.size());
    for (const TokenId id : ids) {
        const bool begin = origins.empty() && id == tokenizer.special().bos;
        origins.push_back(begin ? TokenOrigin {TokenSource::Bos, -1} : alignment.place(id));
    }
    return origins;
}

} // namespace kaikou
