#pragma once

#include "ui/view/confidence_scale.h"

#include <QPointF>

class QColor;
class QPainter;

namespace kaikou {

// The band of a probability without colour: nothing, dots or a wave along y, `width` to the right of `left`.
void drawUnderline(QPainter& painter, Underline kind, QPointF left, qreal width, const QColor& color);

} // namespace kaikou
