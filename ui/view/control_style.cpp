#include "ui/view/control_style.h"

#include "ui/view/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyleOption>

namespace kaikou {

namespace {

void frame(QPainter* painter, const QRect& rect, const QStyleOption& option)
{
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const Theme& theme = themeFor(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(enabled ? theme.control : theme.border);
    painter->drawRect(rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

// A window, or a cross in it: what the two buttons of a dock do.
QIcon dockIcon(bool close)
{
    constexpr int kSide = 16;
    constexpr int kScale = 3; // sharp on dense screens
    QPixmap picture(kSide * kScale, kSide * kScale);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(kScale, kScale);
    painter.setPen(QPen(themeFor(QApplication::palette()).muted, 1.6));
    if (close) {
        painter.drawLine(QPointF(4, 4), QPointF(12, 12));
        painter.drawLine(QPointF(12, 4), QPointF(4, 12));
    } else {
        painter.drawRect(QRectF(3, 6, 7, 7));
        painter.drawPolyline(QPolygonF {{6, 3}, {13, 3}, {13, 10}});
    }
    return picture;
}

} // namespace

ControlStyle::ControlStyle()
    : QProxyStyle(QStringLiteral("Fusion"))
{
}

void ControlStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_IndicatorCheckBox)
        frame(painter, option->rect, *option);
}

void ControlStyle::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox) {
        frame(painter, option->rect, *option);
    } else if (control == CC_Slider) {
        const QRect groove = subControlRect(control, option, SC_SliderGroove, widget);
        const QRect handle = subControlRect(control, option, SC_SliderHandle, widget);
        const int y = groove.center().y();
        const QColor ink = themeFor(option->palette).control;
        if (option->state.testFlag(State_Horizontal)) {
            painter->fillRect(QRect(QPoint(handle.right() + 1, y), QPoint(groove.right(), y + 1)), ink);
            frame(painter, handle.adjusted(1, 1, -1, -1), *option);
        }
    }
}

QIcon ControlStyle::standardIcon(
    StandardPixmap which, const QStyleOption* option, const QWidget* widget) const
{
    if (which == SP_TitleBarNormalButton || which == SP_TitleBarCloseButton
        || which == SP_DockWidgetCloseButton)
        return dockIcon(which != SP_TitleBarNormalButton);
    return QProxyStyle::standardIcon(which, option, widget);
}

} // namespace kaikou
