#pragma once

#include <QFrame>
#include <QTimer>

#include <chrono>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace kaikou {

// Says what was taken away and offers to bring it back, for ten seconds. It waits while the mouse or the
// focus is on it.
class UndoStrip : public QFrame
{
    Q_OBJECT

public:
    explicit UndoStrip(QWidget* parent = nullptr);

    void offer(const QString& text); // shows it; the time starts again
    void withdraw();

    void setTime(std::chrono::milliseconds time) { m_timer.setInterval(time); }

    [[nodiscard]] QString text() const;

signals:
    void undoRequested();
    void timeOver(); // nothing was pressed; it is hidden now

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void retranslate();
    void waitOrRun();

    QBoxLayout* m_row = nullptr;
    QLabel* m_text;
    QPushButton* m_undo;
    QTimer m_timer;
    bool m_hovered = false;
};

} // namespace kaikou
