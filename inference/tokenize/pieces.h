#pragma once

#include "inference/tokenize/regex.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

// What becomes of a delimiter when a text is split at it.
enum class SplitBehavior : std::uint8_t
{
    Isolated,
    Removed,
    MergedWithPrevious,
    MergedWithNext,
    Contiguous
};

// A part of a text, and whether it is a match of the splitting pattern.
struct SplitPart
{
    ByteRange range;
    bool match = false;
};

// The whole text as matches and what lies between them, in order; Invert swaps the two kinds.
[[nodiscard]] std::vector<SplitPart> splitParts(std::string_view text, const std::vector<ByteRange>& matches);
[[nodiscard]] std::vector<SplitPart> splitParts(std::string_view text, bool (*isMatch)(char32_t));
void invert(std::vector<SplitPart>& parts);

// The pieces that remain after the behaviour; empty ones are left out.
[[nodiscard]] std::vector<ByteRange> applyBehavior(std::vector<SplitPart> parts, SplitBehavior behavior);

// A text on its way through the pre-tokenizers: pieces without gaps in meaning, each handed to the model
// alone.
class PieceList
{
public:
    // A list of one piece; atStart = the text begins where the user's whole text begins.
    PieceList(std::string text, bool atStart);

    struct Piece
    {
        std::string_view text;
        bool atStart = false;
    };

    [[nodiscard]] const std::vector<Piece>& pieces() const noexcept { return m_pieces; }

    [[nodiscard]] std::size_t bytes() const noexcept { return m_text->size(); }

    // Cuts every piece; the ranges are of the piece's text.
    void split(const std::function<std::vector<ByteRange>(std::string_view)>& cut);

    // Gives every piece a new text.
    void rewrite(const std::function<void(const Piece&, std::string& out)>& append);

private:
    std::unique_ptr<const std::string> m_text; // what the views look into
    std::vector<Piece> m_pieces;
};

} // namespace kaikou
