#include "ui/view/guarded_line_edit.h"

#include <QInputMethodEvent>
#include <QKeyEvent>

namespace kaikou {

bool GuardedLineEdit::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const bool escape = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (m_composing || escape) {
            event->accept(); // the window's Esc must not take the field's
            return true;
        }
    }
    return QLineEdit::event(event);
}

void GuardedLineEdit::keyPressEvent(QKeyEvent* event)
{
    if (m_composing) {
        event->accept();
        return;
    }
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
