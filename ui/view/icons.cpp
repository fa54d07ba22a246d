#include "ui/view/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

namespace kaikou {

namespace {

// All paths live on a grid of 24 × 24.
QPainterPath openFolder()
{
    QPainterPath path;
    path.moveTo(3, 18);
    path.lineTo(3, 6);
    path.lineTo(9, 6);
    path.lineTo(11, 8.5);
    path.lineTo(19, 8.5);
    path.lineTo(19, 11);
    path.moveTo(3, 18);
    path.lineTo(6, 11);
    path.lineTo(22, 11);
    path.lineTo(19, 18);
    path.closeSubpath();
    return path;
}

QPainterPath circleArrow()
{
    QPainterPath path;
    const QRectF box(5, 5, 14, 14);
    path.arcMoveTo(box, 60);
    path.arcTo(box, 60, 300);
    path.moveTo(20, 4.5);
    path.lineTo(19, 9.5);
    path.lineTo(14, 9);
    return path;
}

QPainterPath dice()
{
    QPainterPath path;
    path.addRoundedRect(QRectF(4, 4, 16, 16), 3, 3);
    for (const QPointF& dot : {QPointF(8.5, 8.5), QPointF(15.5, 15.5), QPointF(12, 12)})
        path.addEllipse(dot, 0.9, 0.9);
    return path;
}

QPainterPath lock()
{
    QPainterPath path;
    path.addRoundedRect(QRectF(5, 11, 14, 9), 2, 2);
    path.moveTo(8, 11);
    path.lineTo(8, 8);
    path.arcTo(QRectF(8, 4, 8, 8), 180, -180);
    path.lineTo(16, 11);
    return path;
}

QPainterPath sliders()
{
    QPainterPath path;
    for (const QPointF& knob : {QPointF(9, 7), QPointF(15, 12), QPointF(7, 17)}) {
        path.moveTo(3, knob.y());
        path.lineTo(knob.x() - 2, knob.y());
        path.addEllipse(knob, 2, 2);
        path.moveTo(knob.x() + 2, knob.y());
        path.lineTo(21, knob.y());
    }
    return path;
}

QPainterPath bars()
{
    QPainterPath path;
    path.addRect(4, 5, 15, 3);
    path.addRect(4, 10.5, 9, 3);
    path.addRect(4, 16, 5, 3);
    return path;
}

QPainterPath vote()
{
    QPainterPath path;
    for (const double x : {7.0, 17.0})
        path.addEllipse(QPointF(x, 8), 3, 3);
    path.addEllipse(QPointF(12, 17), 3, 3);
    path.moveTo(10, 8);
    path.lineTo(14, 8);
    return path;
}

QPainterPath pin()
{
    QPainterPath path;
    path.moveTo(8, 4);
    path.lineTo(16, 4);
    path.moveTo(9.5, 4);
    path.lineTo(9.5, 10);
    path.lineTo(6.5, 14);
    path.lineTo(17.5, 14);
    path.lineTo(14.5, 10);
    path.lineTo(14.5, 4);
    path.moveTo(12, 14);
    path.lineTo(12, 20.5);
    return path;
}

QPainterPath polyline(std::initializer_list<QPointF> points)
{
    QPainterPath path;
    bool first = true;
    for (const QPointF& point : points) {
        first ? path.moveTo(point) : path.lineTo(point);
        first = false;
    }
    return path;
}

QPainterPath pathOf(Icon which)
{
    switch (which) {
    case Icon::Open:
        return openFolder();
    case Icon::NewChat: {
        QPainterPath path = polyline({{12, 5}, {12, 19}});
        path.addPath(polyline({{5, 12}, {19, 12}}));
        return path;
    }
    case Icon::Stop: {
        QPainterPath path;
        path.addRoundedRect(QRectF(6, 6, 12, 12), 2, 2);
        return path;
    }
    case Icon::Regenerate:
        return circleArrow();
    case Icon::Dice:
        return dice();
    case Icon::Locked:
        return lock();
    case Icon::Previous:
        return polyline({{14.5, 5.5}, {8, 12}, {14.5, 18.5}});
    case Icon::Next:
        return polyline({{9.5, 5.5}, {16, 12}, {9.5, 18.5}});
    case Icon::Close: {
        QPainterPath path = polyline({{6.5, 6.5}, {17.5, 17.5}});
        path.addPath(polyline({{17.5, 6.5}, {6.5, 17.5}}));
        return path;
    }
    case Icon::Sliders:
        return sliders();
    case Icon::Bars:
        return bars();
    case Icon::Vote:
        return vote();
    case Icon::Pin:
        return pin();
    }
    return {};
}

// Draws the path at any size, so that it is sharp at every scale.
class LineIconEngine : public QIconEngine
{
public:
    LineIconEngine(Icon which, const QPalette& palette)
        : m_which(which)
        , m_palette(palette)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        painter->scale(rect.width() / 24.0, rect.height() / 24.0);
        painter->setPen(QPen(
            m_palette.color(group, QPalette::ButtonText), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPath(pathOf(m_which));
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new LineIconEngine(*this); }

private:
    Icon m_which;
    QPalette m_palette;
};

} // namespace

QIcon icon(Icon which, const QPalette& palette)
{
    return QIcon(new LineIconEngine(which, palette));
}

QIcon appIcon()
{
    return QIcon(QStringLiteral(":/icons/kaikou.svg"));
}

} // namespace kaikou
