#pragma once

#include <QListView>

namespace kaikou {

// The lines of the chat list: what mouse and keys mean there. A heading belongs to no chat.
class ChatListView : public QListView
{
    Q_OBJECT

public:
    explicit ChatListView(QWidget* parent = nullptr);

    void setUndoable(bool undoable) { m_undoable = undoable; } // Ctrl+Z has something to bring back

    void setEscapable(bool escapable) { m_escapable = escapable; } // Esc ends something here

    [[nodiscard]] QModelIndex indexAt(const QPoint& point) const override;

signals:
    void opened(const QModelIndex& index); // Enter or a click
    void menuRequested(const QModelIndex& index, const QPoint& globalPos);
    void deletePressed(const QModelIndex& index);
    void undoPressed();
    void escaped();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

protected slots:
    void rowsInserted(const QModelIndex& parent, int start, int end) override;

private:
    void selectFirst();
    bool act(QKeyEvent* event);
    void requestMenuAtCurrent();

    bool m_undoable = false;
    bool m_escapable = false;
};

} // namespace kaikou
