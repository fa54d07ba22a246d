#include "ui/view/answer_delegate.h"

#include "ui/model/consistency_model.h"
#include "ui/model/distribution_model.h"
#include "ui/view/theme.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QTreeView>

namespace kaikou {

namespace {

constexpr int kGroupLines = 3; // of an answer while its group stands for it

bool isGroup(const QModelIndex& index)
{
    return !index.parent().isValid();
}

// The width an item really has: Qt leaves option.rect empty while it asks for sizes.
int textWidth(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const auto* view = qobject_cast<const QTreeView*>(option.widget);
    if (view == nullptr)
        return 240;
    const int depth = isGroup(index) ? 1 : 2;
    return view->viewport()->width() - depth * view->indentation() - 2 * space::kMedium;
}

int textHeight(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QString text = index.data(Qt::DisplayRole).toString();
    const int width = std::max(40, textWidth(option, index));
    const int full
        = option.fontMetrics.boundingRect(QRect(0, 0, width, 100000), Qt::TextWrapAnywhere, text).height();
    return isGroup(index) ? std::min(full, kGroupLines * option.fontMetrics.lineSpacing()) : full;
}

} // namespace

QSize AnswerDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int head = isGroup(index) ? option.fontMetrics.height() + space::kSmall : 0;
    return {120, head + textHeight(option, index) + 2 * space::kMedium};
}

void AnswerDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeFor(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect card = option.rect.adjusted(0, space::kTiny, -space::kSmall, -space::kTiny);
    const bool focused = option.state.testFlag(QStyle::State_HasFocus);
    painter->setPen(focused ? QPen(theme.accent, 1.5) : QPen(Qt::NoPen));
    painter->setBrush(isGroup(index) ? theme.hover : Qt::transparent);
    painter->drawRoundedRect(QRectF(card).adjusted(0.75, 0.75, -0.75, -0.75), 4, 4);
    QRect inner = card.adjusted(space::kMedium, space::kSmall, -space::kMedium, -space::kSmall);
    painter->setFont(option.font);
    if (isGroup(index)) {
        const double share = index.data(ConsistencyModel::ShareRole).toDouble();
        const bool main = index.data(ConsistencyModel::MainRole).toBool();
        const QRect head(inner.left(), inner.top(), inner.width(), option.fontMetrics.height());
        const QString count = tr("%1 ×").arg(index.data(ConsistencyModel::CountRole).toInt());
        const int left = option.fontMetrics.horizontalAdvance(QStringLiteral("00 × "));
        const int right = option.fontMetrics.horizontalAdvance(QStringLiteral("100 % ")) + space::kSmall;
        painter->setPen(theme.text);
        painter->drawText(head, Qt::AlignLeft | Qt::AlignVCenter, count);
        painter->drawText(head, Qt::AlignRight | Qt::AlignVCenter, percent(share));
        const QRectF bar(head.left() + left, head.center().y() - 3, head.width() - left - right, 7);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.border);
        painter->drawRoundedRect(bar, 3, 3);
        painter->setBrush(main ? theme.chosen : theme.series[0]);
        painter->setOpacity(main ? 1.0 : 0.6);
        painter->drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * share, bar.height())), 3, 3);
        painter->setOpacity(1.0);
        inner.setTop(head.bottom() + space::kSmall);
    }
    painter->setPen(index.data(ConsistencyModel::EmptyRole).toBool() ? theme.muted : theme.text);
    painter->setClipRect(inner);
    painter->drawText(inner, Qt::AlignLeft | Qt::TextWrapAnywhere, index.data(Qt::DisplayRole).toString());
    painter->restore();
}

} // namespace kaikou
