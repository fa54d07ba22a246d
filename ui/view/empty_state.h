#pragma once

#include "ui/view/transcript_view.h"

#include <QFont>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace kaikou {

struct Theme;

// What an empty transcript shows: where to drop a model, or what one could ask.
class EmptyState
{
    Q_DECLARE_TR_FUNCTIONS(EmptyState)

public:
    struct Hit
    {
        bool openModel = false;
        int starter = -1;
    };

    void layOut(
        TranscriptView::Invitation invitation, const QStringList& starters, const QFont& font, QSizeF room);
    [[nodiscard]] Hit hit(QPointF point) const;
    void paint(QPainter& painter, const Theme& theme, bool dropHighlight, QPointF pointer) const;
    [[nodiscard]] QString spoken() const; // for screen readers

private:
    void layOutTarget(qreal width);
    void layOutStarters(qreal width);

    TranscriptView::Invitation m_invitation = TranscriptView::Invitation::OpenModel;
    QStringList m_starters;
    QFont m_font;
    QSizeF m_room;
    QRectF m_target; // drop target or heading
    QList<QRectF> m_chips; // of the starters
};

} // namespace kaikou
