#pragma once

#include "ui/model/reply.h"

#include <QFont>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

class QPainter;

namespace kaikou {

struct Theme;

enum class FooterAction
{
    None,
    JumpToLowest,
    TakeSeed,
    SameDice,
    NewDice,
    ToggleRaw,
    VariantBefore,
    VariantAfter,
    GoOn,
    AgainstLoop,
    NewChat
};

struct FooterPart
{
    enum class Look
    {
        Muted,
        Chip, // filled by `band`
        Warn,
        Problem
    };

    QString text;
    Look look = Look::Muted;
    Band band = Band::High; // Chip only
    FooterAction action = FooterAction::None; // anything else makes it a link
    bool newLine = false;
    bool joined = false; // to the part before: close by, no dot between
};

// The small print under an answer: parts in lines that wrap, some of them links.
class Footer
{
public:
    void setParts(QList<FooterPart> parts, const QFont& font, qreal width);

    [[nodiscard]] qreal height() const { return m_height; }

    [[nodiscard]] qreal width() const; // of the widest line

    [[nodiscard]] const QList<FooterPart>& parts() const { return m_parts; }

    [[nodiscard]] int partAt(QPointF point) const; // -1 = none
    [[nodiscard]] FooterAction actionAt(QPointF point) const;
    void paint(QPainter& painter, QPointF origin, const Theme& theme, int hovered) const;

private:
    void paintPart(
        QPainter& painter, const FooterPart& part, const QRectF& box, const Theme& theme, bool hovered) const;

    QList<FooterPart> m_parts;
    QList<QRectF> m_boxes; // of each part
    QFont m_font;
    qreal m_width = 0.0;
    qreal m_height = 0.0;
};

} // namespace kaikou
