#include "ui/view/undo_strip.h"

#include "ui/view/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace kaikou {

namespace {

constexpr int kLeastText = 12; // characters of text beside the button; with fewer the button goes below

}

UndoStrip::UndoStrip(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_undo(new QPushButton(this))
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_undo->installEventFilter(this);
    m_text->setMinimumWidth(1); // wraps rather than widening the window
    m_row = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_row->setContentsMargins(space::kLarge, space::kSmall, space::kMedium, space::kSmall);
    m_row->setSpacing(space::kSmall);
    m_row->addWidget(m_text, 1);
    m_row->addWidget(m_undo, 0, Qt::AlignRight);
    m_timer.setSingleShot(true);
    setTime(std::chrono::seconds(10));
    connect(&m_timer, &QTimer::timeout, this, [this] {
        hide();
        emit timeOver();
    });
    connect(m_undo, &QPushButton::clicked, this, &UndoStrip::undoRequested);
    hide();
    retranslate();
}

void UndoStrip::offer(const QString& text)
{
    m_text->setText(text);
    setAccessibleName(text);
    show();
    waitOrRun();
}

void UndoStrip::withdraw()
{
    m_timer.stop();
    m_hovered = false;
    hide();
}

QString UndoStrip::text() const
{
    return m_text->text();
}

void UndoStrip::waitOrRun()
{
    if (m_hovered || m_undo->hasFocus())
        m_timer.stop();
    else if (!isHidden())
        m_timer.start();
}

void UndoStrip::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void UndoStrip::retranslate()
{
    m_undo->setText(tr("Undo"));
    m_undo->setToolTip(tr("Bring it back (Ctrl+Z in the list)"));
    m_undo->setAccessibleName(m_undo->text());
}

void UndoStrip::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    const int beside = width() - m_undo->sizeHint().width() - 2 * space::kLarge;
    const bool narrow = beside < kLeastText * fontMetrics().averageCharWidth();
    m_row->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void UndoStrip::enterEvent(QEnterEvent* event)
{
    QFrame::enterEvent(event);
    m_hovered = true;
    waitOrRun();
}

void UndoStrip::leaveEvent(QEvent* event)
{
    QFrame::leaveEvent(event);
    m_hovered = false;
    waitOrRun();
}

bool UndoStrip::eventFilter(QObject* watched, QEvent* event)
{
    const bool handled = QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusIn)
        m_timer.stop();
    else if (event->type() == QEvent::FocusOut && !m_hovered && !isHidden())
        m_timer.start();
    return handled;
}

void UndoStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeFor(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(QRect(0, 0, width(), 1), theme.border);
}

} // namespace kaikou
