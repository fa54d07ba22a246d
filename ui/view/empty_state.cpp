#include "ui/view/empty_state.h"

#include "ui/view/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kaikou {

namespace {

constexpr qreal kTextWidth = 560.0; // of heading and body
constexpr qreal kCardsWidth = 720.0;
constexpr qreal kTwoColumns = 460.0; // from this width on
constexpr qreal kCardPad = 12.0;
constexpr qreal kSignHeight = 58.0; // of the arrow above the heading
constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
constexpr int kCentred = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;

QFont scaled(QFont font, qreal factor)
{
    font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

qreal wrappedHeight(const QFont& font, const QString& text, qreal width)
{
    return std::ceil(QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e5), kWrapped, text).height());
}

// An arrow into a tray.
void paintSign(QPainter& painter, QPointF centre, const QColor& color)
{
    painter.setPen(QPen(color, 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const qreal x = centre.x();
    const qreal y = centre.y();
    painter.drawLine(QPointF(x, y - 16), QPointF(x, y + 5));
    painter.drawPolyline(QPolygonF {{x - 8, y - 3}, {x, y + 5}, {x + 8, y - 3}});
    painter.drawPolyline(QPolygonF {{x - 18, y + 4}, {x - 18, y + 15}, {x + 18, y + 15}, {x + 18, y + 4}});
}

} // namespace

void EmptyState::layOut(
    TranscriptView::Invitation invitation, const QList<Starter>& starters, const QFont& font, QSizeF room)
{
    m_invitation = invitation;
    m_starters = invitation == TranscriptView::Invitation::Ask ? starters : QList<Starter>();
    m_font = font;
    m_large = scaled(font, 1.45);
    m_large.setWeight(QFont::DemiBold);
    m_small = scaled(font, 0.88);
    m_room = room;
    const qreal width = std::min(kTextWidth, room.width() - 2 * space::kLarge);
    qreal height = textHeight(width - 2 * space::kLarge);
    if (m_invitation == TranscriptView::Invitation::OpenModel)
        height += kSignHeight + 2 * space::kLarge;
    m_target = QRectF((room.width() - width) / 2, space::kLarge, width, height);
    layOutCards();
    const qreal bottom = m_cards.isEmpty() ? m_target.bottom() : m_cards.last().bottom();
    const qreal down = std::max(0.0, std::floor((room.height() - bottom - space::kLarge) * 0.42));
    m_target.translate(0, down);
    for (QRectF& card : m_cards)
        card.translate(0, down);
}

qreal EmptyState::textHeight(qreal width) const
{
    const Words shown = words();
    return wrappedHeight(m_large, shown.heading, width) + space::kMedium
        + wrappedHeight(m_font, shown.body, width);
}

// One or two columns; rows that do not fit into the room are left out, a last single card is centred.
void EmptyState::layOutCards()
{
    m_cards.clear();
    const qreal width = std::min(kCardsWidth, m_room.width() - 2 * space::kLarge);
    const int columns = width >= kTwoColumns && m_starters.size() > 1 ? 2 : 1;
    const qreal card = std::floor((width - (columns - 1) * space::kMedium) / columns);
    const qreal left = std::floor((m_room.width() - width) / 2);
    qreal height = 0.0; // the same for all
    for (const Starter& starter : m_starters) {
        const qreal caption
            = starter.caption.isEmpty() ? 0.0 : wrappedHeight(m_small, starter.caption, card - 2 * kCardPad);
        height = std::max(height, std::ceil(QFontMetricsF(m_font).height()) + caption + 2 * space::kMedium);
    }
    qreal y = m_target.bottom() + space::kLarge;
    for (qsizetype i = 0; i < m_starters.size(); ++i) {
        const auto column = static_cast<int>(i % columns);
        if (column == 0 && i > 0)
            y += height + space::kMedium;
        if (y + height > m_room.height() - space::kSmall)
            return;
        const bool alone = columns == 2 && column == 0 && i + 1 == m_starters.size();
        const qreal x = alone ? (m_room.width() - card) / 2 : left + column * (card + space::kMedium);
        m_cards.append(QRectF(std::floor(x), y, card, height));
    }
}

EmptyState::Hit EmptyState::hit(QPointF point) const
{
    Hit result;
    result.openModel = m_invitation == TranscriptView::Invitation::OpenModel && m_target.contains(point);
    for (qsizetype i = 0; i < m_cards.size(); ++i) {
        if (m_cards[i].contains(point))
            result.starter = static_cast<int>(i);
    }
    return result;
}

QString EmptyState::spoken() const
{
    switch (m_invitation) {
    case TranscriptView::Invitation::OpenModel:
        return tr(
            "Drop a model here or open one. Reads GPT_teacher .pt, .pth and .safetensors files and Hugging "
            "Face folders.");
    case TranscriptView::Invitation::Loading:
        return tr("The model is being opened.");
    case TranscriptView::Invitation::Ask:
        break;
    }
    return tr("The model is ready. Ask it something.");
}

EmptyState::Words EmptyState::words() const
{
    switch (m_invitation) {
    case TranscriptView::Invitation::OpenModel:
        return {tr("Drop a model here"),
            tr("or click to choose a file or folder. Kaikou reads GPT_teacher checkpoints (.pt, .pth, "
               ".safetensors) and Hugging Face folders of the llama shape (config.json with .safetensors). "
               "Nothing leaves this machine.")};
    case TranscriptView::Invitation::Loading:
        return {tr("Opening the model…"),
            tr("You can already type; the message is sent as soon as the model is ready.")};
    case TranscriptView::Invitation::Ask:
        break;
    }
    return {tr("What should it say?"),
        tr("Every token is coloured by how probable the model found it. Click one to see what else it could "
           "have said.")};
}

void EmptyState::paint(
    QPainter& painter, const Theme& theme, bool dropHighlight, QPointF pointer, int starter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF text = m_target.adjusted(space::kLarge, 0, -space::kLarge, 0);
    if (m_invitation == TranscriptView::Invitation::OpenModel) {
        paintTarget(painter, theme, dropHighlight, pointer);
        text.setTop(text.top() + space::kLarge + kSignHeight);
    }
    const Words shown = words();
    painter.setFont(m_large);
    painter.setPen(theme.text);
    painter.drawText(text, kCentred, shown.heading);
    text.setTop(text.top() + wrappedHeight(m_large, shown.heading, text.width()) + space::kMedium);
    painter.setFont(m_font);
    painter.setPen(theme.muted);
    painter.drawText(text, kCentred, shown.body);
    for (qsizetype i = 0; i < m_cards.size(); ++i)
        paintCard(painter, theme, i, i == starter || m_cards[i].contains(pointer));
    painter.restore();
}

void EmptyState::paintTarget(QPainter& painter, const Theme& theme, bool dropHighlight, QPointF pointer) const
{
    const bool lit = dropHighlight || m_target.contains(pointer);
    painter.setPen(QPen(lit ? theme.accent : theme.border, lit ? 2.0 : 1.5, Qt::DashLine));
    painter.setBrush(dropHighlight ? theme.bubble : theme.panel);
    painter.drawRoundedRect(m_target, 14, 14);
    paintSign(painter, {m_target.center().x(), m_target.top() + 44}, theme.accent);
}

void EmptyState::paintCard(QPainter& painter, const Theme& theme, qsizetype index, bool lit) const
{
    const QRectF& card = m_cards[index];
    const Starter& starter = m_starters[index];
    painter.setPen(QPen(lit ? theme.accent : theme.border, lit ? 1.6 : 1.2));
    painter.setBrush(lit ? theme.bubble : theme.panel);
    painter.drawRoundedRect(card, space::kRadius, space::kRadius);
    QRectF text = card.adjusted(kCardPad, space::kMedium, -kCardPad, -space::kMedium);
    painter.setFont(m_font);
    painter.setPen(theme.text);
    const QString question = QFontMetricsF(m_font).elidedText(starter.question, Qt::ElideRight, text.width());
    painter.drawText(text, starter.caption.isEmpty() ? Qt::AlignCenter : kWrapped, question);
    text.setTop(text.top() + std::ceil(QFontMetricsF(m_font).height()));
    painter.setFont(m_small);
    painter.setPen(theme.muted);
    painter.drawText(text, kWrapped, starter.caption);
}

} // namespace kaikou
