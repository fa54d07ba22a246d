#include "ui/view/distribution_chart.h"

#include "inference/sample/reshape.h"
#include "ui/model/distribution_model.h"
#include "ui/view/theme.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace kaikou {

namespace {

struct Columns // of one row, in pixels
{
    QRect rank, label, bar, value;
};

Columns columnsOf(const QRect& row, const QFontMetrics& metrics)
{
    const int rank = metrics.horizontalAdvance(QStringLiteral("000")) + space::kSmall;
    const int value = metrics.horizontalAdvance(QStringLiteral("< 0.01 %")) + space::kMedium;
    const int label = std::clamp(row.width() / 4, 56, metrics.horizontalAdvance(QStringLiteral("0")) * 16);
    const QRect inner = row.adjusted(space::kSmall, 0, -space::kSmall, 0);
    Columns columns;
    columns.rank = QRect(inner.left(), inner.top(), rank, inner.height());
    columns.label = QRect(columns.rank.right() + 1 + space::kSmall, inner.top(), label, inner.height());
    columns.value = QRect(inner.right() - value + 1, inner.top(), value, inner.height());
    const int left = columns.label.right() + 1 + space::kMedium;
    columns.bar = QRect(left, inner.top() + 5, columns.value.left() - left, inner.height() - 10);
    return columns;
}

QRectF share(const QRect& bar, double probability)
{
    const double width = bar.width() * std::clamp(probability, 0.0, 1.0);
    return {static_cast<double>(bar.left()), static_cast<double>(bar.top()),
        probability > 0.0 ? std::max(2.0, width) : 0.0, static_cast<double>(bar.height())};
}

class BarDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {160, option.fontMetrics.height() + 10};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeFor(option.palette);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (index.data(DistributionModel::ChosenRole).toBool())
            paintGround(painter, option.rect, theme.hover);
        const Columns columns = columnsOf(option.rect, option.fontMetrics);
        paintBars(painter, columns.bar, index, theme);
        paintTexts(painter, columns, option, index, theme);
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(QPen(theme.accent, 1.5));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 4, 4);
        }
        painter->restore();
    }

private:
    static void paintGround(QPainter* painter, const QRect& rect, const QColor& colour)
    {
        painter->setPen(Qt::NoPen);
        painter->setBrush(colour);
        painter->drawRoundedRect(QRectF(rect).adjusted(0, 1, 0, -1), 4, 4);
    }

    static void paintBars(QPainter* painter, const QRect& bar, const QModelIndex& index, const Theme& theme)
    {
        const double model = index.data(DistributionModel::ModelRole).toDouble();
        const double sample = index.data(DistributionModel::SampleRole).toDouble();
        const bool chosen = index.data(DistributionModel::ChosenRole).toBool();
        const bool cut
            = index.data(DistributionModel::RemovedRole).toInt() != 0 || (sample <= 0.0 && model > 0.0);
        painter->setPen(QPen(theme.border, 1));
        painter->drawLine(bar.left(), bar.top() - 4, bar.left(), bar.bottom() + 5);
        const QRectF now = share(bar, std::isnan(sample) ? 0.0 : sample);
        if (now.width() > 0.0) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(chosen ? theme.chosen : theme.series[0]);
            painter->setOpacity(chosen ? 1.0 : 0.55);
            painter->drawRoundedRect(now, 2, 2);
            painter->setOpacity(1.0);
        }
        const QRectF before = share(bar, model);
        if (before.width() > 0.0) {
            painter->setBrush(cut ? QBrush(theme.removed, Qt::BDiagPattern) : QBrush(Qt::NoBrush));
            painter->setPen(QPen(cut ? theme.removed : theme.text, 1));
            painter->drawRoundedRect(before.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        }
    }

    static void paintTexts(QPainter* painter, const Columns& columns, const QStyleOptionViewItem& option,
        const QModelIndex& index, const Theme& theme)
    {
        const bool others = index.data(DistributionModel::OthersRole).toBool();
        const bool chosen = index.data(DistributionModel::ChosenRole).toBool();
        const auto removed = static_cast<StageKind>(index.data(DistributionModel::RemovedRole).toInt());
        const double model = index.data(DistributionModel::ModelRole).toDouble();
        const double sample = index.data(DistributionModel::SampleRole).toDouble();
        painter->setPen(theme.muted);
        if (!others) {
            painter->drawText(columns.rank, Qt::AlignRight | Qt::AlignVCenter,
                QString::number(index.data(DistributionModel::RankRole).toInt()));
        }
        QFont font = option.font;
        font.setWeight(chosen ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(others || removed != StageKind::Raw ? theme.muted : theme.text);
        const QString label = index.data(DistributionModel::LabelRole).toString();
        painter->drawText(columns.label, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(font).elidedText(label, Qt::ElideRight, columns.label.width()));
        painter->drawText(columns.value, Qt::AlignRight | Qt::AlignVCenter,
            std::isnan(sample)              ? u'≈' + percent(model)
                : removed == StageKind::Raw ? percent(sample)
                                            : percent(model));
        if (removed != StageKind::Raw)
            paintCutName(painter, columns.bar, share(columns.bar, model), cutName(removed), theme);
    }

    // Right of the bar, where there is room for it.
    static void paintCutName(
        QPainter* painter, const QRect& bar, const QRectF& filled, const QString& name, const Theme& theme)
    {
        const QRectF place(filled.right() + space::kSmall, bar.top() - 4,
            bar.right() - filled.right() - space::kSmall, bar.height() + 8);
        if (place.width() < painter->fontMetrics().horizontalAdvance(name))
            return;
        painter->setPen(theme.muted);
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter, name);
    }
};

} // namespace

DistributionChart::DistributionChart(DistributionModel* model, QWidget* parent)
    : QListView(parent)
{
    setModel(model);
    setItemDelegate(new BarDelegate(this));
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::NoSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAccessibleName(tr("Alternatives"));
    setToolTip(
        tr("Double-click a token or press Enter on it: the answer goes on from there as another variant"));
}

QSize DistributionChart::minimumSizeHint() const
{
    return {220, (fontMetrics().height() + 10) * 6};
}

void DistributionChart::changeEvent(QEvent* event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        setAccessibleName(tr("Alternatives"));
        setToolTip(tr(
            "Double-click a token or press Enter on it: the answer goes on from there as another variant"));
        viewport()->update();
    }
}

} // namespace kaikou
