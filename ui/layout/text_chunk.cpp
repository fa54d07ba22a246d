#include "ui/layout/text_chunk.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace kaikou {

void TextChunk::setText(const QString& text, const TextStyle& style, qreal width)
{
    const QFontMetricsF metrics(style.font);
    m_lineHeight = std::ceil(metrics.height() + style.leading);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setTabStopDistance(metrics.horizontalAdvance(u' ') * 4);
    m_layout.setFont(style.font);
    m_layout.setTextOption(option);
    m_layout.setCacheEnabled(true);
    m_layout.setText(text);
    m_layout.beginLayout();
    qreal y = 0.0;
    for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
        line.setLineWidth(width);
        // Fallback fonts may be taller than the first: all lines get one height and one base line.
        line.setPosition({0.0, y + std::floor(style.leading / 2) + metrics.ascent() - line.ascent()});
        y += m_lineHeight;
    }
    m_layout.endLayout();
}

int TextChunk::lineCount() const
{
    const bool borrowed = m_followed && m_layout.text().endsWith(QChar(QChar::LineSeparator));
    return std::max(0, m_layout.lineCount() - (borrowed ? 1 : 0));
}

qreal TextChunk::naturalWidth() const
{
    qreal widest = 0.0;
    for (int i = 0; i < m_layout.lineCount(); ++i)
        widest = std::max(widest, m_layout.lineAt(i).naturalTextWidth());
    return widest;
}

int TextChunk::lineOf(int position) const
{
    const int clamped = std::clamp(position, 0, std::max(0, length() - 1));
    return std::max(0, m_layout.lineForTextPosition(clamped).lineNumber());
}

int TextChunk::lineStart(int line) const
{
    return m_layout.lineAt(line).textStart();
}

int TextChunk::characterAt(QPointF point, QTextLine::CursorPosition edge) const
{
    if (m_layout.lineCount() == 0)
        return 0;
    const int index = std::clamp(static_cast<int>(point.y() / m_lineHeight), 0, m_layout.lineCount() - 1);
    const QTextLine line = m_layout.lineAt(index);
    const int found = line.xToCursor(point.x(), edge);
    const bool last = index == m_layout.lineCount() - 1;
    const int end = line.textStart() + line.textLength();
    // The gap behind a line break belongs to the next line.
    const int limit
        = edge == QTextLine::CursorOnCharacter || !last ? std::max(line.textStart(), end - 1) : end;
    return std::clamp(found, line.textStart(), limit);
}

void TextChunk::appendRects(int begin, int end, QPointF origin, QList<QRectF>& rects) const
{
    if (m_layout.lineCount() == 0 || begin >= end)
        return;
    for (int i = lineOf(begin); i < m_layout.lineCount(); ++i) {
        const QTextLine line = m_layout.lineAt(i);
        const int from = std::max(begin, line.textStart());
        const int to = std::min(end, line.textStart() + line.textLength());
        if (line.textStart() >= end)
            break;
        // What goes on in the next line does not show the space that hangs behind this one.
        const bool hangs = to < end && QStringView(m_layout.text()).mid(from, to - from).trimmed().isEmpty();
        if (hangs)
            continue;
        const qreal x0 = line.cursorToX(from);
        const qreal x1 = line.cursorToX(to);
        if (from < to)
            rects.append({origin.x() + std::min(x0, x1), origin.y() + i * m_lineHeight, std::abs(x1 - x0),
                m_lineHeight});
    }
}

void TextChunk::draw(QPainter& painter, QPointF origin, const QRectF& clip) const
{
    m_layout.draw(&painter, origin, {}, clip);
}

} // namespace kaikou
