#include "ui/layout/text_flow.h"

#include <algorithm>

namespace kaikou {

TextFlow::TextFlow(TextStyle style, qreal width)
    : m_style(std::move(style))
    , m_width(width)
{
}

void TextFlow::layOut(TextChunk& chunk, const QString& text)
{
    chunk.setText(text, m_style, m_width);
    ++m_layouts;
}

void TextFlow::append(const QString& text)
{
    m_firstChanged = std::max(0, chunkCount() - 1);
    qsizetype at = 0;
    while (at < text.size()) {
        if (m_chunks.empty())
            m_chunks.push_back(std::make_unique<TextChunk>(0));
        TextChunk& last = *m_chunks.back();
        // A chunk that cannot be split (one endless line) grows beyond the limit.
        const qsizetype room = std::max<qsizetype>(kChunkChars + 1 - last.length(), 64);
        const QString part = text.mid(at, room);
        at += part.size();
        layOut(last, last.text() + part);
        if (last.length() > kChunkChars)
            splitLast();
    }
}

// The last line of the finished layout moves to a chunk of its own, so the split cannot be seen. It moves at
// a paragraph end where one lies in the second half, since later widths keep that break.
void TextFlow::splitLast()
{
    TextChunk& full = *m_chunks.back();
    const QString text = full.text();
    const qsizetype paragraph = text.lastIndexOf(QChar(QChar::LineSeparator), text.size() - 2) + 1;
    const int lastLine = full.lineCount() > 1 ? full.lineStart(full.lineCount() - 1) : 0;
    const qsizetype cut = paragraph > kChunkChars / 2 ? paragraph : lastLine;
    if (cut == 0)
        return;
    layOut(full, text.left(cut));
    full.setFollowed(true);
    auto next = std::make_unique<TextChunk>(full.end());
    next->top = full.top + full.height();
    layOut(*next, text.mid(cut));
    m_chunks.push_back(std::move(next));
}

void TextFlow::setText(const QString& text)
{
    m_chunks.clear();
    append(text);
}

void TextFlow::setStyle(const TextStyle& style, qreal width)
{
    QString text;
    for (const auto& chunk : m_chunks)
        text += chunk->text();
    m_style = style;
    m_width = width;
    setText(text);
}

qreal TextFlow::height() const
{
    return m_chunks.empty() ? 0.0 : m_chunks.back()->top + m_chunks.back()->height();
}

qreal TextFlow::naturalWidth() const
{
    qreal widest = 0.0;
    for (const auto& chunk : m_chunks)
        widest = std::max(widest, chunk->naturalWidth());
    return widest;
}

int TextFlow::chunkOf(int character) const
{
    const auto found = std::partition_point(m_chunks.begin(), m_chunks.end(),
        [character](const auto& chunk) { return chunk->end() <= character; });
    return static_cast<int>(std::min(found, m_chunks.end() - 1) - m_chunks.begin());
}

int TextFlow::characterAt(QPointF point, QTextLine::CursorPosition edge) const
{
    if (m_chunks.empty())
        return 0;
    const auto found = std::partition_point(m_chunks.begin(), m_chunks.end(),
        [&point](const auto& chunk) { return chunk->top + chunk->height() <= point.y(); });
    const TextChunk& chunk = **std::min(found, m_chunks.end() - 1);
    return chunk.begin() + chunk.characterAt(point - QPointF(0, chunk.top), edge);
}

QList<QRectF> TextFlow::rects(CharRange range) const
{
    QList<QRectF> result;
    if (m_chunks.empty() || range.empty())
        return result;
    for (int i = chunkOf(range.begin); i < chunkCount() && chunk(i).begin() < range.end; ++i) {
        const TextChunk& piece = chunk(i);
        piece.appendRects(std::max(range.begin, piece.begin()) - piece.begin(),
            std::min(range.end, piece.end()) - piece.begin(), {0.0, piece.top}, result);
    }
    return result;
}

void TextFlow::draw(QPainter& painter, QPointF origin, const QRectF& clip) const
{
    for (const auto& chunk : m_chunks) {
        const qreal top = origin.y() + chunk->top;
        if (top > clip.bottom())
            break;
        if (top + chunk->height() >= clip.top())
            chunk->draw(painter, origin + QPointF(0, chunk->top), clip);
    }
}

} // namespace kaikou
