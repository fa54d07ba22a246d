#pragma once

#include "ui/layout/text_chunk.h"
#include "ui/layout/token_spans.h"

#include <memory>
#include <vector>

namespace kaikou {

// A text of any length in a column of fixed width, in chunks that are laid out separately: appending touches
// the last chunk only. Where the lines break does not depend on the chunks.
class TextFlow
{
public:
    // About 256 tokens; a layout of that size takes some 0.2 ms.
    static constexpr int kChunkChars = 512;

    TextFlow() = default;
    TextFlow(TextStyle style, qreal width);

    void append(const QString& text);
    void setText(const QString& text);
    void setStyle(const TextStyle& style, qreal width); // lays everything out again

    [[nodiscard]] qreal width() const { return m_width; }

    [[nodiscard]] int length() const { return m_chunks.empty() ? 0 : m_chunks.back()->end(); }

    [[nodiscard]] qreal height() const;
    [[nodiscard]] qreal naturalWidth() const;

    [[nodiscard]] qreal lineHeight() const { return m_chunks.empty() ? 0.0 : m_chunks.front()->lineHeight(); }

    [[nodiscard]] int chunkCount() const { return static_cast<int>(m_chunks.size()); }

    [[nodiscard]] const TextChunk& chunk(int index) const
    {
        return *m_chunks[static_cast<std::size_t>(index)];
    }

    [[nodiscard]] int firstChanged() const { return m_firstChanged; } // chunk that the last append began with

    [[nodiscard]] int layouts() const { return m_layouts; } // chunk layouts since construction

    // The nearest character, or with CursorBetweenCharacters the nearest gap (0 .. length()).
    [[nodiscard]] int characterAt(
        QPointF point, QTextLine::CursorPosition edge = QTextLine::CursorOnCharacter) const;
    [[nodiscard]] QList<QRectF> rects(CharRange range) const;
    void draw(QPainter& painter, QPointF origin, const QRectF& clip) const;

private:
    void layOut(TextChunk& chunk, const QString& text);
    void splitLast();
    [[nodiscard]] int chunkOf(int character) const;

    TextStyle m_style;
    qreal m_width = 0.0;
    int m_layouts = 0;
    int m_firstChanged = 0;
    std::vector<std::unique_ptr<TextChunk>> m_chunks;
};

} // namespace kaikou
