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
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred); // Fixed would ignore the width
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
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
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        updateGeometry(); // the sentence may fit beside the colours now
    }
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

QSize ConfidenceLegend::sizeHint() const
{
    const int width = fontMetrics().averageCharWidth() * 90;
    return {width, heightForWidth(width)};
}

QSize ConfidenceLegend::minimumSizeHint() const
{
    return {colourWidth() + space::kMedium, fontMetrics().height() + 2 * space::kSmall + 2};
}

int ConfidenceLegend::heightForWidth(int width) const
{
    const int line = fontMetrics().height() + 2 * space::kSmall + 2;
    const int needed
        = colourWidth() + space::kLarge + fontMetrics().horizontalAdvance(sentence()) + space::kMedium;
    return needed <= width ? line : 2 * line - space::kSmall;
}

QString ConfidenceLegend::sentence()
{
    return tr("High = sure of these words, not that they are true");
}

QStringList ConfidenceLegend::labels() const
{
    const auto& bounds = m_scale.bounds();
    const auto between = [&](std::size_t upper) -> QString {
        return percent(locale(), bounds[upper]) + u'–' + percent(locale(), bounds[upper - 1]);
    };
    return {tr("≥ %1 %").arg(percent(locale(), bounds[0])), between(1), between(2), between(3),
        tr("< %1 %").arg(percent(locale(), bounds[3]))};
}

int ConfidenceLegend::colourWidth() const
{
    int width = 2 * space::kMedium + fontMetrics().horizontalAdvance(tr("Model probability"));
    for (const QString& label : labels())
        width += fontMetrics().horizontalAdvance(label) + 2 * space::kMedium - 1;
    return width;
}

void ConfidenceLegend::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = themeFor(palette());
    QPainter painter(this);
    const QFontMetrics metrics(font());
    const int box = metrics.height();
    const int top = space::kSmall + 1;
    const QString title = tr("Model probability");
    painter.setPen(theme.text);
    painter.drawText(space::kMedium, top + metrics.ascent(), title);
    int x = 2 * space::kMedium + metrics.horizontalAdvance(title);
    const auto& bounds = m_scale.bounds();
    const double samples[] = {1.0, (bounds[0] + bounds[1]) / 2, (bounds[1] + bounds[2]) / 2,
        (bounds[2] + bounds[3]) / 2, bounds[3] / 2};
    const QStringList texts = labels();
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const int needed = metrics.horizontalAdvance(texts[i]) + 2 * space::kMedium;
        const QRect cell(x, top - 1, needed, box + 2);
        painter.fillRect(cell, theme.confidence[static_cast<std::size_t>(i)]);
        painter.setPen(theme.border);
        painter.drawRect(cell.adjusted(0, 0, -1, -1));
        painter.setPen(theme.text);
        painter.drawText(cell, Qt::AlignCenter, texts[i]);
        drawUnderline(painter, m_scale.underline(samples[i]),
            {qreal(cell.left() + space::kSmall), qreal(cell.bottom() - 2)}, cell.width() - 2 * space::kSmall,
            theme.doubt);
        x += needed - 1;
    }
    const bool below = height() > minimumSizeHint().height() + space::kSmall;
    const QPoint at = below ? QPoint(space::kMedium, top + box + space::kSmall + metrics.ascent())
                            : QPoint(x + space::kLarge, top + metrics.ascent());
    painter.setPen(theme.muted);
    painter.drawText(at, metrics.elidedText(sentence(), Qt::ElideRight, width() - at.x() - space::kSmall));
}

} // namespace kaikou
