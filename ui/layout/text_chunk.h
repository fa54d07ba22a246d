#pragma once

#include <QFont>
#include <QTextLayout>

#include <memory>

class QPainter;

namespace kaikou {

// How the lines of a text are set.
struct TextStyle
{
    QFont font;
    qreal leading = 8.0; // extra height of a line, shared above and below

    friend bool operator==(const TextStyle&, const TextStyle&) = default;
};

// A piece of text that is laid out as one: plain, without colours. Positions are relative to the piece.
class TextChunk
{
public:
    explicit TextChunk(int begin)
        : m_begin(begin)
    {
    }

    void setText(const QString& text, const TextStyle& style, qreal width); // lays out

    // Another piece follows: the empty line behind a closing line break belongs to it.
    void setFollowed(bool followed) { m_followed = followed; }

    [[nodiscard]] int begin() const { return m_begin; } // in the whole text

    [[nodiscard]] int length() const { return static_cast<int>(m_layout.text().size()); }

    [[nodiscard]] int end() const { return m_begin + length(); }

    [[nodiscard]] QString text() const { return m_layout.text(); }

    [[nodiscard]] qreal height() const { return m_lineHeight * lineCount(); }

    [[nodiscard]] qreal lineHeight() const { return m_lineHeight; }

    [[nodiscard]] int lineCount() const;

    [[nodiscard]] qreal naturalWidth() const; // of the widest line

    [[nodiscard]] int lineOf(int position) const; // clamped
    [[nodiscard]] int lineStart(int line) const;
    // CursorOnCharacter: the character whose box holds the point, or the nearest one of its line.
    // CursorBetweenCharacters: the nearest gap between characters.
    [[nodiscard]] int characterAt(QPointF point, QTextLine::CursorPosition edge) const;
    // One box per line of the characters [begin, end), the line's whole height.
    void appendRects(int begin, int end, QPointF origin, QList<QRectF>& rects) const;
    void draw(QPainter& painter, QPointF origin, const QRectF& clip) const;

    qreal top = 0.0; // of the piece in the whole text; kept by its owner

private:
    int m_begin;
    bool m_followed = false;
    qreal m_lineHeight = 0.0;
    QTextLayout m_layout;
};

} // namespace kaikou
