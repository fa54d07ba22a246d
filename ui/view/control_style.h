#pragma once

#include <QProxyStyle>

namespace kaikou {

// Fusion, whose frames are derived from the window's colour and nearly vanish on dark panels: check boxes,
// spin boxes, slider grooves and the buttons of docks get the theme's control colour.
class ControlStyle : public QProxyStyle
{
    Q_OBJECT

public:
    ControlStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget) const override;
    [[nodiscard]] QIcon standardIcon(
        StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override;
};

} // namespace kaikou
