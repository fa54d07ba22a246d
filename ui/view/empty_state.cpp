#include "ui/view/empty_state.h"

#include "ui/view/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace kaikou {

namespace {

constexpr qreal kMaxWidth = 560.0;
constexpr int kCentred = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;

QFont enlarged(QFont font, qreal factor)
{
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(QFont::DemiBold);
    return font;
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
    TranscriptView::Invitation invitation, const QStringList& starters, const QFont& font, QSizeF room)
{
    m_invitation = invitation;
    m_starters = invitation == TranscriptView::Invitation::Ask ? starters : QStringList();
    m_font = font;
    m_room = room;
    m_chips.clear();
    const qreal width = std::min(kMaxWidth, room.width() - 2 * space::kLarge);
    layOutTarget(width);
    layOutStarters(width);
}

void EmptyState::layOutTarget(qreal width)
{
    const qreal line = QFontMetricsF(m_font).height();
    const bool open = m_invitation == TranscriptView::Invitation::OpenModel;
    const qreal height = open ? 78 + line * 6.2 : line * 4.5;
    const qreal starters = static_cast<qreal>(m_starters.size()) * (line + 22);
    const qreal top = std::max<qreal>(space::kLarge, (m_room.height() - height - starters) * 0.42);
    m_target = QRectF((m_room.width() - width) / 2, top, width, height);
}

void EmptyState::layOutStarters(qreal width)
{
    const QFontMetricsF metrics(m_font);
    qreal y = m_target.bottom() + space::kMedium;
    for (const QString& text : m_starters) {
        const qreal chip = std::min(width, std::ceil(metrics.horizontalAdvance(text)) + 2 * space::kLarge);
        m_chips.append(QRectF((m_room.width() - chip) / 2, y, chip, std::ceil(metrics.height()) + 14));
        y = m_chips.last().bottom() + space::kMedium;
    }
}

EmptyState::Hit EmptyState::hit(QPointF point) const
{
    Hit result;
    result.openModel = m_invitation == TranscriptView::Invitation::OpenModel && m_target.contains(point);
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        if (m_chips[i].contains(point))
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

void EmptyState::paint(QPainter& painter, const Theme& theme, bool dropHighlight, QPointF pointer) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal line = QFontMetricsF(m_font).height();
    QRectF text = m_target.adjusted(space::kLarge, 0, -space::kLarge, 0);
    QString heading;
    QString body;
    if (m_invitation == TranscriptView::Invitation::OpenModel) {
        const bool lit = dropHighlight || m_target.contains(pointer);
        painter.setPen(QPen(lit ? theme.accent : theme.border, lit ? 2.0 : 1.5, Qt::DashLine));
        painter.setBrush(dropHighlight ? theme.bubble : theme.panel);
        painter.drawRoundedRect(m_target, 14, 14);
        paintSign(painter, {m_target.center().x(), m_target.top() + 44}, theme.accent);
        text.setTop(m_target.top() + 74);
        heading = tr("Drop a model here");
        body
            = tr("or click to choose a file or folder. Kaikou reads GPT_teacher checkpoints (.pt, .pth, "
                 ".safetensors) and Hugging Face folders of the llama shape (config.json with .safetensors). "
                 "Nothing leaves this machine.");
    } else if (m_invitation == TranscriptView::Invitation::Loading) {
        heading = tr("Opening the model…");
        body = tr("You can already type; the message is sent as soon as the model is ready.");
    } else {
        heading = tr("What should it say?");
        body = tr(
            "Every token is coloured by how probable the model found it. Click one to see what else it could "
            "have said.");
    }
    const QFont large = enlarged(m_font, 1.45);
    painter.setFont(large);
    painter.setPen(theme.text);
    painter.drawText(text, kCentred, heading);
    painter.setFont(m_font);
    painter.setPen(theme.muted);
    painter.drawText(
        text.adjusted(0, QFontMetricsF(large).height() + line * 0.3, 0, line * 2), kCentred, body);
    for (qsizetype i = 0; i < m_chips.size(); ++i) {
        const QRectF& chip = m_chips[i];
        painter.setPen(QPen(chip.contains(pointer) ? theme.accent : theme.border, 1.2));
        painter.setBrush(chip.contains(pointer) ? theme.bubble : theme.panel);
        painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2);
        painter.setPen(theme.text);
        const QString shown
            = QFontMetricsF(m_font).elidedText(m_starters[i], Qt::ElideRight, chip.width() - 24);
        painter.drawText(chip, Qt::AlignCenter, shown);
    }
    painter.restore();
}

} // namespace kaikou
