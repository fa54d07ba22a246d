#include "ui/view/guarded_line_edit.h"

#include <QInputMethodEvent>
#include <QKeyEvent>

namespace kaikou {

bool GuardedLineEdit::event(QEvent* event)
{
    const bool override = event->type() == QEvent::ShortcutOverride;
    if (override || event->type() == QEvent::KeyPress) {
        // Here and not in keyPressEvent, which Tab does not reach.
        const bool escape = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (m_composing || (override && escape)) {
            event->accept(); // nor must the window's Esc take the field's
            return true;
        }
    }
    return QLineEdit::event(event);
}

void GuardedLineEdit::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        emit escaped();
        return;
    case Qt::Key_Down:
        emit downPressed();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void GuardedLineEdit::inputMethodEvent(QInputMethodEvent* event)
{
    m_composing = !event->preeditString().isEmpty();
    QLineEdit::inputMethodEvent(event);
}

void GuardedLineEdit::focusOutEvent(QFocusEvent* event)
{
    m_composing = false; // the field commits
    QLineEdit::focusOutEvent(event);
}

} // namespace kaikou
