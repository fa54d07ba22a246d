#include "ui/view/footer.h"

#include "ui/view/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kaikou {

namespace {

constexpr qreal kGap = 14.0; // between parts; a dot stands in its middle
constexpr qreal kJoinedGap = 6.0;
constexpr qreal kChipPadding = 8.0;
constexpr qreal kRowGap = 4.0;
constexpr int kWrap = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

qreal paddingOf(const FooterPart& part)
{
    return part.look == FooterPart::Look::Muted ? 0.0 : kChipPadding;
}

std::pair<QColor, QColor> chipColors(Band band, const Theme& theme)
{
    switch (band) {
    case Band::High:
        return {theme.good, theme.goodSurface};
    case Band::Medium:
        return {theme.warn, theme.warnSurface};
    case Band::Low:
        break;
    }
    return {theme.bad, theme.badSurface};
}

} // namespace

void Footer::setParts(QList<FooterPart> parts, const QFont& font, qreal width)
{
    m_parts = std::move(parts);
    m_font = font;
    m_width = width;
    m_boxes.clear();
    const QFontMetricsF metrics(font);
    const qreal rowHeight = std::ceil(metrics.height()) + 4.0;
    qreal x = 0.0;
    qreal y = 0.0;
    for (const FooterPart& part : m_parts) {
        const qreal padding = paddingOf(part);
        const qreal wanted = std::ceil(metrics.horizontalAdvance(part.text)) + 1.0 + 2 * padding;
        const qreal gap = x <= 0.0 ? 0.0 : part.joined ? kJoinedGap : kGap;
        if (x > 0.0 && (part.newLine || x + gap + wanted > width)) {
            x = 0.0;
            y += rowHeight + kRowGap;
        }
        QRectF box(x > 0.0 ? x + gap : 0.0, y, std::min(wanted, width), rowHeight);
        if (wanted > width) {
            const QRectF room(0, 0, width - 2 * padding, 1e6);
            box.setHeight(std::ceil(metrics.boundingRect(room, kWrap, part.text).height()) + 4.0);
        }
        m_boxes.append(box);
        x = box.right();
        if (box.height() > rowHeight) {
            x = width + 1;
            y += box.height() - rowHeight;
        }
    }
    m_height = m_boxes.isEmpty() ? 0.0 : m_boxes.last().bottom();
}

qreal Footer::width() const
{
    qreal right = 0.0;
    for (const QRectF& box : m_boxes)
        right = std::max(right, box.right());
    return right;
}

int Footer::partAt(QPointF point) const
{
    for (qsizetype i = 0; i < m_boxes.size(); ++i) {
        if (m_boxes[i].adjusted(-2, -2, 2, 2).contains(point))
            return static_cast<int>(i);
    }
    return -1;
}

FooterAction Footer::actionAt(QPointF point) const
{
    const int part = partAt(point);
    return part < 0 ? FooterAction::None : m_parts[part].action;
}

void Footer::paint(QPainter& painter, QPointF origin, const Theme& theme, int hovered) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_font);
    for (qsizetype i = 0; i < m_parts.size(); ++i) {
        const QRectF box = m_boxes[i].translated(origin);
        paintPart(painter, m_parts[i], box, theme, hovered == i);
        const bool dot = i > 0 && m_boxes[i].top() == m_boxes[i - 1].top() && m_boxes[i].left() > 0.0
            && !m_parts[i].joined && m_parts[i].look == FooterPart::Look::Muted
            && m_parts[i - 1].look == FooterPart::Look::Muted;
        if (dot) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.muted);
            painter.drawEllipse(QPointF(box.left() - kGap / 2, box.center().y() + 1), 1.2, 1.2);
        }
    }
    painter.restore();
}

void Footer::paintPart(
    QPainter& painter, const FooterPart& part, const QRectF& box, const Theme& theme, bool hovered) const
{
    QColor ink = part.action == FooterAction::None ? theme.muted : theme.accent;
    QColor fill;
    if (part.look == FooterPart::Look::Chip)
        std::tie(ink, fill) = chipColors(part.band, theme);
    else if (part.look == FooterPart::Look::Warn)
        std::tie(ink, fill) = std::pair(theme.warn, theme.warnSurface);
    else if (part.look == FooterPart::Look::Problem)
        std::tie(ink, fill) = std::pair(theme.bad, theme.badSurface);
    if (fill.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        const qreal radius = part.look == FooterPart::Look::Chip ? box.height() / 2 : 6.0;
        painter.drawRoundedRect(box, radius, radius);
    }
    painter.setPen(ink);
    const qreal padding = paddingOf(part);
    const QRectF text = box.adjusted(padding, 2, -padding, -2);
    painter.drawText(text, kWrap, part.text);
    if (hovered && part.action != FooterAction::None)
        painter.drawLine(QPointF(text.left(), text.bottom()), QPointF(text.right(), text.bottom()));
}

} // namespace kaikou
