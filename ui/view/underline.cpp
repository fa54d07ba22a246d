#include "ui/view/underline.h"

#include <QColor>
#include <QPainter>
#include <QPolygonF>

namespace kaikou {

namespace {

constexpr qreal kPeriod = 4.0;

void drawDots(QPainter& painter, QPointF left, qreal width, const QColor& color)
{
    for (qreal x = 0.0; x + 2.0 <= width; x += kPeriod)
        painter.fillRect(QRectF(left.x() + x, left.y() - 0.5, 2.0, 1.5), color);
}

void drawWave(QPainter& painter, QPointF left, qreal width, const QColor& color)
{
    QPolygonF line;
    const auto halves = static_cast<int>(width / (kPeriod / 2));
    for (int i = 0; i <= halves; ++i)
        line << QPointF(left.x() + i * kPeriod / 2, left.y() + (i % 2 == 0 ? 1.2 : -1.2));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.2));
    painter.drawPolyline(line);
    painter.restore();
}

} // namespace

void drawUnderline(QPainter& painter, Underline kind, QPointF left, qreal width, const QColor& color)
{
    if (kind == Underline::Dotted)
        drawDots(painter, left, width, color);
    else if (kind == Underline::Wavy)
        drawWave(painter, left, width, color);
}

} // namespace kaikou
