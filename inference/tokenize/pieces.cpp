#include "inference/tokenize/pieces.h"

#include "inference/base/utf8.h"

#include <algorithm>

namespace kaikou {

std::vector<SplitPart> splitParts(std::string_view text, const std::vector<ByteRange>& matches)
{
    std::vector<SplitPart> parts;
    std::size_t done = 0;
    for (const ByteRange& match : matches) {
        if (done != match.begin)
            parts.push_back({{done, match.begin}, false});
        parts.push_back({match, true});
        done = match.end;
    }
    if (done != text.size())
        parts.push_back({{done, text.size()}, false});
    return parts;
}

std::vector<SplitPart> splitParts(std::string_view text, bool (*isMatch)(char32_t))
{
    std::vector<ByteRange> matches;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Unit unit = firstUtf8Unit(text.substr(at));
        if (isMatch(unit.codePoint))
            matches.push_back({at, at + unit.length});
        at += unit.length;
    }
    return splitParts(text, matches);
}

void invert(std::vector<SplitPart>& parts)
{
    for (SplitPart& part : parts)
        part.match = !part.match;
}

namespace {

// Joins a part to the one before it wherever `joins(part, previous was a match)` says so.
template <class Joins>
std::vector<ByteRange> joined(const std::vector<SplitPart>& parts, Joins joins)
{
    std::vector<ByteRange> ranges;
    bool previousMatch = false;
    for (const SplitPart& part : parts) {
        if (!ranges.empty() && joins(part.match, previousMatch)) {
            ranges.back().begin = std::min(ranges.back().begin, part.range.begin);
            ranges.back().end = std::max(ranges.back().end, part.range.end);
        } else {
            ranges.push_back(part.range);
        }
        previousMatch = part.match;
    }
    return ranges;
}

bool matchAfterText(bool match, bool previousMatch)
{
    return match && !previousMatch;
}

} // namespace

std::vector<ByteRange> applyBehavior(std::vector<SplitPart> parts, SplitBehavior behavior)
{
    std::vector<ByteRange> ranges;
    switch (behavior) {
    case SplitBehavior::Isolated:
    case SplitBehavior::Removed:
        for (const SplitPart& part : parts) {
            if (behavior == SplitBehavior::Isolated || !part.match)
                ranges.push_back(part.range);
        }
        break;
    case SplitBehavior::Contiguous:
        ranges = joined(parts, [](bool match, bool previousMatch) { return match == previousMatch; });
        break;
    case SplitBehavior::MergedWithPrevious:
        ranges = joined(parts, matchAfterText);
        break;
    case SplitBehavior::MergedWithNext:
        std::reverse(parts.begin(), parts.end());
        ranges = joined(parts, matchAfterText);
        std::reverse(ranges.begin(), ranges.end());
        break;
    }
    std::erase_if(ranges, [](const ByteRange& range) { return range.begin == range.end; });
    return ranges;
}

PieceList::PieceList(std::string text, bool atStart)
    : m_text(std::make_unique<const std::string>(std::move(text)))
{
    if (!m_text->empty())
        m_pieces.push_back({*m_text, atStart});
}

void PieceList::split(const std::function<std::vector<ByteRange>(std::string_view)>& cut)
{
    std::vector<Piece> pieces;
    for (const Piece& piece : m_pieces) {
        for (const ByteRange& range : cut(piece.text))
            pieces.push_back(
                {piece.text.substr(range.begin, range.end - range.begin), piece.atStart && range.begin == 0});
    }
    m_pieces = std::move(pieces);
}

void PieceList::rewrite(const std::function<void(const Piece&, std::string& out)>& append)
{
    std::string text;
    std::vector<std::size_t> ends;
    ends.reserve(m_pieces.size());
    for (const Piece& piece : m_pieces) {
        append(piece, text);
        ends.push_back(text.size());
    }
    m_text = std::make_unique<const std::string>(std::move(text));
    const std::string_view all = *m_text;
    std::size_t begin = 0;
    std::size_t index = 0;
    for (Piece& piece : m_pieces) {
        piece.text = all.substr(begin, ends[index] - begin);
        begin = ends[index++];
    }
    std::erase_if(m_pieces, [](const Piece& piece) { return piece.text.empty(); });
}

} // namespace kaikou
