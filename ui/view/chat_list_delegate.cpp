#include "ui/view/chat_list_delegate.h"

#include "ui/model/chat_list_model.h"
#include "ui/view/guarded_line_edit.h"
#include "ui/view/icons.h"
#include "ui/view/theme.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QTextLayout>

#include <cmath>

namespace kaikou {

namespace {

constexpr double kSmallScale = 0.9; // of the second line and the headings
constexpr int kBarWidth = 3;

QFont smallFont(QFont font)
{
    font.setPointSizeF(font.pointSizeF() * kSmallScale);
    return font;
}

QFont boldFont(QFont font)
{
    font.setWeight(QFont::Bold);
    return font;
}

// Where the parts of a line are, for text that runs left to right; mirrored when it runs the other way.
struct Places
{
    QRect heading, card, title, pin, below;
};

Places placesOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const QFontMetrics small(smallFont(option.font));
    const int heading = ChatListDelegate::headingHeight(option.fontMetrics, index);
    Places places;
    const QRect whole = option.rect;
    places.heading
        = QRect(whole.left() + space::kLarge, whole.top(), whole.width() - 2 * space::kLarge, heading);
    places.card = whole.adjusted(space::kSmall, heading + 1, -space::kSmall, -1);
    const QRect inner
        = places.card.adjusted(space::kLarge - space::kSmall, space::kSmall, -space::kMedium, -space::kSmall);
    places.title = QRect(inner.left(), inner.top(), inner.width(), option.fontMetrics.height());
    if (index.data(ChatListModel::PinnedRole).toBool()) {
        const int side = option.fontMetrics.ascent();
        places.pin = QRect(inner.right() + 1 - side, places.title.center().y() - side / 2, side, side);
        places.title.setRight(places.pin.left() - space::kSmall);
    }
    places.below
        = QRect(inner.left(), places.title.bottom() + 1 + space::kTiny, inner.width(), small.height());
    for (QRect* rect : {&places.heading, &places.title, &places.pin, &places.below})
        *rect = QStyle::visualRect(option.direction, whole, *rect);
    return places;
}

struct Line
{
    QString text;
    int boldFrom = -1;
    int boldCount = 0;
};

// Cut to the width so that the words found stay in sight.
Line fitted(const Line& line, const QFont& font, int width)
{
    const QFontMetrics metrics(font);
    if (line.boldFrom < 0 || line.boldCount == 0)
        return {metrics.elidedText(line.text, Qt::ElideRight, width)};
    const QString head = line.text.left(line.boldFrom);
    const QString match = line.text.mid(line.boldFrom, line.boldCount);
    const QString tail = line.text.mid(line.boldFrom + line.boldCount);
    const QFontMetrics bold(boldFont(font));
    const int matchWidth = std::min(width, bold.horizontalAdvance(match));
    const int rest = width - matchWidth;
    const int tailWidth = metrics.horizontalAdvance(tail);
    const int headWidth = std::max(rest / 3, rest - tailWidth);
    const QString shownHead = metrics.elidedText(head, Qt::ElideLeft, headWidth);
    const int left = rest - metrics.horizontalAdvance(shownHead);
    const QString shownMatch = bold.elidedText(match, Qt::ElideRight, width);
    const QString shownTail = metrics.elidedText(tail, Qt::ElideRight, std::max(0, left));
    return {shownHead + shownMatch + shownTail, static_cast<int>(shownHead.size()),
        static_cast<int>(shownMatch.size())};
}

void drawLine(QPainter* painter, const QRect& rect, const Line& line, const QFont& font,
    Qt::LayoutDirection direction, const QColor& matchColour)
{
    const Line shown = fitted(line, font, rect.width());
    QTextLayout layout(shown.text, font);
    QTextOption how(QStyle::visualAlignment(direction, Qt::AlignLeft) & Qt::AlignHorizontal_Mask);
    how.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(how);
    if (shown.boldFrom >= 0) {
        QTextLayout::FormatRange range;
        range.start = shown.boldFrom;
        range.length = shown.boldCount;
        range.format.setFontWeight(QFont::Bold);
        range.format.setForeground(matchColour);
        layout.setFormats({range});
    }
    layout.beginLayout();
    QTextLine text = layout.createLine();
    text.setLineWidth(rect.width());
    layout.endLayout();
    // A fallback font may be higher than the row's: the baseline stays where the row's font has it.
    const double baseline = QFontMetricsF(font).ascent() - text.ascent();
    layout.draw(painter, QPointF(rect.left(), rect.top() + baseline));
}

void drawCard(QPainter* painter, const QStyleOptionViewItem& option, const QRect& card, bool open)
{
    const Theme& theme = themeFor(option.palette);
    const bool lit
        = option.state.testFlag(QStyle::State_Selected) || option.state.testFlag(QStyle::State_MouseOver);
    const bool focused = option.state.testFlag(QStyle::State_HasFocus);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(focused ? QPen(theme.accent, 1.5) : QPen(Qt::NoPen));
    painter->setBrush(open ? theme.bubble : lit ? theme.hover : QColor(Qt::transparent));
    painter->drawRoundedRect(
        QRectF(card).adjusted(0.75, 0.75, -0.75, -0.75), space::kRadius - 2, space::kRadius - 2);
    if (!open)
        return;
    const QRect bar(card.left() + space::kSmall, card.top() + space::kMedium, kBarWidth,
        card.height() - 2 * space::kMedium);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.accent);
    painter->drawRoundedRect(
        QStyle::visualRect(option.direction, card, bar), kBarWidth / 2.0, kBarWidth / 2.0);
}

Line titleOf(const QModelIndex& index)
{
    Line line {index.data(Qt::DisplayRole).toString()};
    if (index.data(ChatListModel::MessageRole).toLongLong() == 0) {
        line.boldFrom = index.data(ChatListModel::MatchStartRole).toInt();
        line.boldCount = index.data(ChatListModel::MatchLengthRole).toInt();
    }
    return line;
}

Line belowOf(const QModelIndex& index)
{
    if (index.data(ChatListModel::MessageRole).toLongLong() == 0)
        return {index.data(ChatListModel::TimeRole).toString()};
    return {index.data(ChatListModel::SnippetRole).toString(),
        index.data(ChatListModel::MatchStartRole).toInt(),
        index.data(ChatListModel::MatchLengthRole).toInt()};
}

} // namespace

int ChatListDelegate::headingHeight(const QFontMetrics& metrics, const QModelIndex& index)
{
    if (index.data(ChatListModel::HeadingRole).toString().isEmpty())
        return 0;
    const int above = index.row() == 0 ? space::kSmall : space::kLarge - space::kSmall;
    return above + static_cast<int>(std::ceil(metrics.height() * kSmallScale)) + space::kTiny;
}

QSize ChatListDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int lines = option.fontMetrics.height() + QFontMetrics(smallFont(option.font)).height();
    const int card = lines + space::kTiny + 2 * space::kSmall + 2;
    return {0, headingHeight(option.fontMetrics, index) + card}; // as wide as the list
}

void ChatListDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeFor(option.palette);
    const Places places = placesOf(option, index);
    const bool open = index.data(ChatListModel::OpenRole).toBool();
    const QFont small = smallFont(option.font);
    painter->save();
    if (places.heading.height() > 0) {
        const QFont heading = boldFont(small);
        const QFontMetrics metrics(heading);
        QRect line = places.heading;
        line.setTop(line.bottom() + 1 - space::kTiny - metrics.height());
        painter->setPen(theme.muted);
        drawLine(painter, line, {index.data(ChatListModel::HeadingRole).toString()}, heading,
            option.direction, theme.muted);
    }
    drawCard(painter, option, places.card, open);
    painter->setPen(theme.text);
    drawLine(painter, places.title, titleOf(index), option.font, option.direction, theme.text);
    painter->setPen(theme.muted);
    drawLine(painter, places.below, belowOf(index), small, option.direction, theme.text);
    if (places.pin.isValid()) {
        QPalette quiet = option.palette;
        quiet.setColor(QPalette::ButtonText, theme.muted);
        icon(Icon::Pin, quiet).paint(painter, places.pin);
    }
    painter->restore();
}

QWidget* ChatListDelegate::createEditor(
    QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const
{
    auto* field = new GuardedLineEdit(parent);
    field->setAccessibleName(tr("Title"));
    field->setPlaceholderText(index.data(Qt::DisplayRole).toString());
    return field;
}

void ChatListDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    auto* field = qobject_cast<GuardedLineEdit*>(editor);
    const QString title = index.data(Qt::EditRole).toString();
    // The list may change below what is being typed.
    if (field == nullptr || field->isModified() || field->composing() || field->text() == title)
        return;
    field->setText(title);
    field->selectAll();
}

void ChatListDelegate::updateEditorGeometry(
    QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    editor->setGeometry(placesOf(option, index).card); // covers both lines
}

bool ChatListDelegate::eventFilter(QObject* object, QEvent* event)
{
    const auto* field = qobject_cast<GuardedLineEdit*>(object);
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (key && field != nullptr && field->composing())
        return false; // the field leaves it to the input method
    return QStyledItemDelegate::eventFilter(object, event);
}

} // namespace kaikou
