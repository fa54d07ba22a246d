#include "ui/view/dice_strip.h"

#include "ui/model/distribution_model.h"
#include "ui/view/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace kaikou {

namespace {

constexpr int kNeedle = 6; // height of its head

QRect barOf(const QRect& widget, int textHeight)
{
    return widget.adjusted(space::kSmall, kNeedle + 2, -space::kSmall, -textHeight - 2);
}

} // namespace

DiceStrip::DiceStrip(const DistributionModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
{
    connect(model, &DistributionModel::reshaped, this, [this] {
        describe();
        update();
    });
    describe();
}

QSize DiceStrip::sizeHint() const
{
    return {240, kNeedle + 22 + fontMetrics().height()};
}

QSize DiceStrip::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

void DiceStrip::paintEvent(QPaintEvent*)
{
    if (m_model->state() != DistributionModel::State::Ready)
        return;
    const Theme& theme = themeFor(palette());
    const DistributionModel::Summary& summary = m_model->summary();
    const QRect bar = barOf(rect(), fontMetrics().height());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.hover);
    painter.drawRoundedRect(bar, 3, 3);
    for (std::size_t i = 0; i < summary.strip.size(); ++i) {
        const DistributionModel::Segment& segment = summary.strip[i];
        const QRectF place(bar.left() + segment.from * bar.width(), bar.top(),
            (segment.to - segment.from) * bar.width(), bar.height());
        QColor fill = segment.token == summary.pick ? theme.chosen : theme.series[0];
        fill.setAlphaF(segment.token == summary.pick ? 1.0F : (i % 2 == 0 ? 0.45F : 0.28F));
        painter.setBrush(fill);
        painter.setPen(Qt::NoPen);
        painter.drawRect(place);
        const QString label = m_model->label(segment.token);
        if (fontMetrics().horizontalAdvance(label) + space::kSmall < place.width()) {
            painter.setPen(segment.token == summary.pick ? theme.onAccent : theme.text);
            painter.drawText(place, Qt::AlignCenter, label);
        }
    }
    painter.setPen(theme.muted);
    const QRect below(bar.left(), bar.bottom() + 2, bar.width(), fontMetrics().height());
    painter.drawText(below, Qt::AlignLeft, QStringLiteral("0"));
    painter.drawText(below, Qt::AlignRight, QStringLiteral("1"));
    if (summary.greedy) {
        painter.drawText(below, Qt::AlignHCenter, tr("greedy: the dice are not used"));
        return;
    }
    const double x = bar.left() + summary.u * bar.width();
    painter.setPen(QPen(theme.text, 2));
    painter.drawLine(QPointF(x, bar.top() - 1), QPointF(x, bar.bottom() + 2));
    painter.setBrush(theme.text);
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF {{x - kNeedle, 0.0}, {x + kNeedle, 0.0}, {x, kNeedle + 2.0}});
    painter.setPen(theme.muted);
    painter.drawText(below, Qt::AlignHCenter, tr("dice u = %1").arg(locale().toString(summary.u, 'f', 3)));
}

void DiceStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        describe();
}

bool DiceStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QRect bar = barOf(rect(), fontMetrics().height());
    const double at = static_cast<double>(help->pos().x() - bar.left()) / std::max(1, bar.width());
    for (const DistributionModel::Segment& segment : m_model->summary().strip) {
        if (at >= segment.from && at < segment.to) {
            QToolTip::showText(help->globalPos(),
                m_model->label(segment.token) + QStringLiteral("  ") + percent(segment.to - segment.from),
                this);
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

void DiceStrip::describe()
{
    setAccessibleName(tr("Dice"));
    const DistributionModel::Summary& summary = m_model->summary();
    if (m_model->state() != DistributionModel::State::Ready)
        setAccessibleDescription({});
    else if (summary.greedy)
        setAccessibleDescription(tr("greedy: the dice are not used"));
    else
        setAccessibleDescription(
            tr("u = %1 gives %2").arg(summary.u, 0, 'f', 3).arg(m_model->label(summary.pick)));
}

} // namespace kaikou
