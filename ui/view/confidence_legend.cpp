#include "ui/view/confidence_legend.h"

#include "ui/view/theme.h"
#include "ui/view/underline.h"

#include <QEvent>
#include <QPainter>

namespace kaikou {

namespace {

QString percent(const QLocale& locale, double value)
{
    return locale.toString(value * 100, 'f', value * 100 == static_cast<int>(value * 100) ? 0 : 1);
}

} // namespace

ConfidenceLegend::ConfidenceLegend(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    retranslate();
}

void ConfidenceLegend::setScale(ConfidenceScale scale)
{
    m_scale = scale;
    retranslate();
    update();
}

void ConfidenceLegend::retranslate()
{
    setAccessibleName(tr("Legend of the colours"));
    const auto& bounds = m_scale.bounds();
    setAccessibleDescription(
        tr("Background of a token: model probability, raw softmax at temperature 1. Steps: %1, %2, %3 and %4 "
           "percent; the darker, the less sure. High = sure of these words, not that they are true.")
            .arg(percent(locale(), bounds[0]), percent(locale(), bounds[1]), percent(locale(), bounds[2]),
                percent(locale(), bounds[3])));
    setToolTip(
        tr("Model probability: what the raw model (temperature 1, nothing cut) gave the token it said. No "
           "colour means sure; the stronger the colour, the more doubt. Dotted and wavy underlines say the "
           "same without colour."));
}

void ConfidenceLegend::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

QSize ConfidenceLegend::sizeHint() const
{
    const QFontMetrics metrics(font());
    return {metrics.averageCharWidth() * 90, metrics.height() + 2 * space::kSmall + 2};
}

QSize ConfidenceLegend::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 30, sizeHint().height()};
}

void ConfidenceLegend::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = themeFor(palette());
    QPainter painter(this);
    const QFontMetrics metrics(font());
    const int box = metrics.height();
    const int top = (height() - box) / 2;
    int x = space::kMedium;
    const auto write = [&](const QString& text, const QColor& color) {
        painter.setPen(color);
        const QString shown
            = metrics.elidedText(text, Qt::ElideRight, std::max(0, width() - x - space::kMedium));
        painter.drawText(x, top + metrics.ascent(), shown);
        x += metrics.horizontalAdvance(shown);
    };
    write(tr("Model probability"), theme.text);
    x += space::kMedium;
    const auto& bounds = m_scale.bounds();
    const auto between = [&](std::size_t upper) -> QString {
        return percent(locale(), bounds[upper]) + u'–' + percent(locale(), bounds[upper - 1]);
    };
    const QString labels[] = {tr("≥ %1 %").arg(percent(locale(), bounds[0])), between(1), between(2),
        between(3), tr("< %1 %").arg(percent(locale(), bounds[3]))};
    const double samples[] = {1.0, (bounds[0] + bounds[1]) / 2, (bounds[1] + bounds[2]) / 2,
        (bounds[2] + bounds[3]) / 2, bounds[3] / 2};
    for (std::size_t i = 0; i < 5; ++i) {
        const int needed = metrics.horizontalAdvance(labels[i]) + 2 * space::kMedium;
        const QRect cell(x, top - 1, needed, box + 2);
        painter.fillRect(cell, theme.confidence[i]);
        painter.setPen(theme.border);
        painter.drawRect(cell.adjusted(0, 0, -1, -1));
        painter.setPen(theme.text);
        painter.drawText(cell, Qt::AlignCenter, labels[i]);
        drawUnderline(painter, m_scale.underline(samples[i]),
            {qreal(cell.left() + space::kSmall), qreal(cell.bottom() - 2)}, cell.width() - 2 * space::kSmall,
            theme.doubt);
        x += needed - 1;
    }
    x += space::kLarge;
    write(tr("High = sure of these words, not that they are true"), theme.muted);
}

} // namespace kaikou
