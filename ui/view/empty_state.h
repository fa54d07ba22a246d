#pragma once

#include "ui/view/transcript_view.h"

#include <QFont>
#include <QRectF>

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

    void layOut(TranscriptView::Invitation invitation, const QList<Starter>& starters, const QFont& font,
        QSizeF room);
    [[nodiscard]] Hit hit(QPointF point) const;
    // starter: the one under the keyboard, -1 = none.
    void paint(QPainter& painter, const Theme& theme, bool dropHighlight, QPointF pointer, int starter) const;
    [[nodiscard]] QString spoken() const; // for screen readers

    [[nodiscard]] qsizetype shownStarters() const { return m_cards.size(); } // those that fit, the first ones

private:
    struct Words
    {
        QString heading;
        QString body;
    };

    [[nodiscard]] Words words() const;
    [[nodiscard]] qreal textHeight(qreal width) const;
    void layOutCards();
    void paintTarget(QPainter& painter, const Theme& theme, bool dropHighlight, QPointF pointer) const;
    void paintCard(QPainter& painter, const Theme& theme, qsizetype index, bool lit) const;

    TranscriptView::Invitation m_invitation = TranscriptView::Invitation::OpenModel;
    QList<Starter> m_starters;
    QFont m_font;
    QFont m_large; // heading
    QFont m_small; // captions
    QSizeF m_room;
    QRectF m_target; // drop target or heading and body
    QList<QRectF> m_cards; // of the starters
};

} // namespace kaikou
