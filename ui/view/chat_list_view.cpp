#include "ui/view/chat_list_view.h"

#include "ui/view/chat_list_delegate.h"

#include <QContextMenuEvent>
#include <QKeyEvent>

namespace kaikou {

namespace {

bool isMenuKey(const QKeyEvent& event)
{
    return event.key() == Qt::Key_Menu
        || (event.key() == Qt::Key_F10 && event.modifiers() == Qt::ShiftModifier);
}

} // namespace

ChatListView::ChatListView(QWidget* parent)
    : QListView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true); // hover
    setSelectionMode(SingleSelection);
    setEditTriggers(EditKeyPressed); // F2
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setResizeMode(Adjust);
    setItemDelegate(new ChatListDelegate(this));
    setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    connect(this, &QListView::clicked, this, &ChatListView::opened); // once for a double click
}

QModelIndex ChatListView::indexAt(const QPoint& point) const
{
    const QModelIndex index = QListView::indexAt(point);
    if (!index.isValid())
        return index;
    const int heading = ChatListDelegate::headingHeight(fontMetrics(), index);
    return point.y() < visualRect(index).top() + heading ? QModelIndex() : index;
}

bool ChatListView::event(QEvent* event)
{
    // The window has shortcuts on some of the same keys.
    if (event->type() == QEvent::ShortcutOverride && state() != EditingState) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = m_undoable && key->matches(QKeySequence::Undo);
        const bool ours = key->key() == Qt::Key_Delete || key->key() == Qt::Key_F2 || isMenuKey(*key);
        const bool escape = m_escapable && key->key() == Qt::Key_Escape;
        if (undo || escape || (ours && currentIndex().isValid())) {
            event->accept();
            return true;
        }
    }
    return QListView::event(event);
}

void ChatListView::keyPressEvent(QKeyEvent* event)
{
    if (!act(event))
        QListView::keyPressEvent(event);
}

bool ChatListView::act(QKeyEvent* event)
{
    if (m_undoable && event->matches(QKeySequence::Undo)) {
        emit undoPressed();
        return true;
    }
    if (m_escapable && event->key() == Qt::Key_Escape) {
        emit escaped();
        return true;
    }
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return false;
    if (isMenuKey(*event)) {
        requestMenuAtCurrent();
        return true;
    }
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit opened(current);
        return true;
    case Qt::Key_Delete:
        emit deletePressed(current);
        return true;
    default:
        return false;
    }
}

void ChatListView::mousePressEvent(QMouseEvent* event)
{
    // A press beside the lines keeps the current one.
    if (indexAt(event->position().toPoint()).isValid())
        QListView::mousePressEvent(event);
}

void ChatListView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        requestMenuAtCurrent();
        return;
    }
    const QModelIndex index = indexAt(viewport()->mapFromGlobal(event->globalPos()));
    if (index.isValid())
        emit menuRequested(index, event->globalPos());
}

void ChatListView::requestMenuAtCurrent()
{
    const QModelIndex current = currentIndex();
    if (!current.isValid())
        return;
    scrollTo(current);
    const QRect line = visualRect(current);
    emit menuRequested(current, viewport()->mapToGlobal(QPoint(line.center().x(), line.bottom())));
}

void ChatListView::focusInEvent(QFocusEvent* event)
{
    QListView::focusInEvent(event);
    selectFirst();
}

void ChatListView::rowsInserted(const QModelIndex& parent, int start, int end)
{
    QListView::rowsInserted(parent, start, end);
    if (hasFocus())
        selectFirst(); // of the hits that were waited for
}

// Keys have something to act on.
void ChatListView::selectFirst()
{
    if (!currentIndex().isValid() && model() != nullptr && model()->rowCount() > 0)
        setCurrentIndex(model()->index(0, 0));
}

} // namespace kaikou
