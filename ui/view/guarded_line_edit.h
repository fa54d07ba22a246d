#pragma once

#include <QLineEdit>

namespace kaikou {

// A line of text that leaves every key to a running composition: Enter, Esc and shortcuts do nothing until
// the input method has committed.
class GuardedLineEdit : public QLineEdit
{
    Q_OBJECT

public:
    using QLineEdit::QLineEdit;

    [[nodiscard]] bool composing() const { return m_composing; }

signals:
    void escaped(); // Esc outside a composition
    void downPressed();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool m_composing = false;
};

} // namespace kaikou
