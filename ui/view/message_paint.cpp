#include "ui/view/message_block.h"
#include "ui/view/theme.h"
#include "ui/view/underline.h"

#include <QPainter>

#include <algorithm>

namespace kaikou {

namespace {

constexpr qreal kFillInset = 2.0; // a fill leaves a gap to the lines above and below
constexpr qreal kUnderlineUp = 4.5; // from the bottom of the line
constexpr qreal kBracketUp = 1.5;

// A run of equal fills on one line.
struct Run
{
    QRectF rect;
    int step = 0;
};

void paintRun(QPainter& painter, const Run& run, const Theme& theme)
{
    if (run.step > 0)
        painter.fillRect(run.rect.adjusted(0, kFillInset, 0, -kFillInset),
            theme.confidence[static_cast<std::size_t>(run.step)]);
}

void paintBracket(QPainter& painter, const QRectF& rect, const QColor& color)
{
    const qreal y = rect.bottom() - kBracketUp;
    painter.fillRect(QRectF(rect.left() + 1, y, rect.width() - 2, 1), color);
    painter.fillRect(QRectF(rect.left() + 1, y - 2, 1, 2), color);
    painter.fillRect(QRectF(rect.right() - 2, y - 2, 1, 2), color);
}

} // namespace

void MessageBlock::paint(QPainter& painter, QPointF origin, const QRectF& clip, const BlockPaint& look) const
{
    const Theme& theme = *look.theme;
    paintFrame(painter, origin, theme);
    painter.save();
    painter.translate(origin + m_textAt);
    const QRectF local = clip.translated(-origin - m_textAt);
    const bool model = m_kind == MessageKind::Answer && !m_fallback;
    if (model && look.coloured)
        paintFills(painter, local, look);
    for (const QRectF& box : m_flow.rects(look.selected))
        painter.fillRect(box.adjusted(0, kFillInset, 0, -kFillInset), theme.selection);
    const bool muted = m_fallback || (m_kind == MessageKind::Note && !m_running);
    painter.setPen(m_kind == MessageKind::Note && m_running ? theme.bad : muted ? theme.muted : theme.text);
    m_flow.draw(painter, {}, local);
    if (model)
        paintMarks(painter, local, look);
    painter.restore();
    m_footer.paint(painter, origin + m_footerAt, theme, look.hoveredPart);
}

void MessageBlock::paintFrame(QPainter& painter, QPointF origin, const Theme& theme) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_frame.isNull()) {
        const bool bubble = m_kind == MessageKind::Question;
        painter.setPen(m_fallback ? QPen(theme.border, 1.2, Qt::DashLine) : QPen(Qt::NoPen));
        painter.setBrush(bubble                            ? theme.bubble
                : m_kind == MessageKind::Note && m_running ? theme.badSurface
                                                           : theme.panel);
        const qreal radius = bubble ? 14.0 : 8.0;
        painter.drawRoundedRect(m_frame.translated(origin), radius, radius);
    }
    if (m_kind == MessageKind::Answer) {
        painter.setFont(m_labelFont);
        painter.setPen(theme.muted);
        painter.drawText(origin + m_labelAt, m_label);
    }
    if (m_hasMark) {
        const QPointF centre = origin + m_mark;
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawEllipse(centre, 13, 13);
        // An open mouth, as the name says.
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.onAccent, 1.8));
        painter.drawRoundedRect(QRectF(centre.x() - 5.5, centre.y() - 5, 11, 10), 2, 2);
    }
    painter.restore();
}

void MessageBlock::paintFills(QPainter& painter, const QRectF& clip, const BlockPaint& look) const
{
    const auto& clusters = spans().clusters();
    for (std::size_t i = 0; i < m_rects.size(); ++i) {
        const TextChunk& chunk = m_flow.chunk(static_cast<int>(i));
        if (chunk.top > clip.bottom())
            break;
        if (chunk.top + chunk.height() < clip.top())
            continue;
        Run run;
        for (const ClusterRect& box : m_rects[i]) {
            if (!box.rect.intersects(clip))
                continue;
            const int step = look.scale.step(clusters[static_cast<std::size_t>(box.cluster)].probability);
            const bool joins = step == run.step && qFuzzyCompare(box.rect.left() + 1, run.rect.right() + 1)
                && box.rect.top() == run.rect.top();
            if (joins) {
                run.rect.setRight(box.rect.right());
                continue;
            }
            paintRun(painter, run, *look.theme);
            run = {box.rect, step};
        }
        paintRun(painter, run, *look.theme);
    }
}

void MessageBlock::paintMarks(QPainter& painter, const QRectF& clip, const BlockPaint& look) const
{
    const Theme& theme = *look.theme;
    for (std::size_t i = 0; i < m_rects.size(); ++i) {
        for (const ClusterRect& box : m_rects[i]) {
            if (!box.rect.intersects(clip))
                continue;
            const Cluster& cluster = spans().clusters()[static_cast<std::size_t>(box.cluster)];
            if (cluster.special) {
                painter.setPen(theme.border);
                painter.drawRoundedRect(box.rect.adjusted(0.5, 3.5, -1.5, -4.5), 4, 4);
            }
            if (!look.coloured)
                continue;
            const QPointF left(box.rect.left() + 1, box.rect.bottom() - kUnderlineUp);
            drawUnderline(
                painter, look.scale.underline(cluster.probability), left, box.rect.width() - 2, theme.doubt);
            if (cluster.tokens > 1)
                paintTicks(painter, box.rect, cluster, look);
            else if (cluster.chars.end - cluster.chars.begin > 1 && !cluster.special)
                paintBracket(painter, box.rect, theme.border);
        }
    }
    if (m_running && m_flow.length() > 0) {
        const QList<QRectF> last = m_flow.rects({m_flow.length() - 1, m_flow.length()});
        if (!last.isEmpty())
            painter.fillRect(
                QRectF(last.last().right() + 2, last.last().top() + 5, 2, last.last().height() - 10),
                theme.accent);
    }
    if (look.token >= 0 && look.token < spans().tokenCount()) {
        painter.setPen(QPen(theme.chosen, 2));
        painter.setBrush(Qt::NoBrush);
        for (const QRectF& box : m_flow.rects(spans().charsOf(look.token)))
            painter.drawRoundedRect(box.adjusted(0, 1, 0, -1), 3, 3);
    }
}

// One short line per token of a character, each in the colour of its own probability.
void MessageBlock::paintTicks(
    QPainter& painter, const QRectF& rect, const Cluster& cluster, const BlockPaint& look) const
{
    const qreal width = (rect.width() - 1) / cluster.tokens;
    for (int i = 0; i < cluster.tokens; ++i) {
        const double probability = m_tokenProbabilities[static_cast<std::size_t>(cluster.firstToken + i)];
        const auto step = static_cast<std::size_t>(look.scale.step(probability));
        painter.fillRect(
            QRectF(rect.left() + i * width + 1, rect.bottom() - 2.5, width - 1, 2), look.theme->ticks[step]);
    }
}

} // namespace kaikou
