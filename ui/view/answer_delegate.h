#pragma once

#include <QStyledItemDelegate>

namespace kaikou {

// Paints a group of equal answers (share, count, first lines) or one whole answer below it.
class AnswerDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace kaikou
