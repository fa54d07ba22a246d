#pragma once

#include "ui/model/chat_list_model.h"

#include <QList>
#include <QTimer>
#include <QWidget>

#include <chrono>

class QLabel;
class QMenu;
class QToolButton;

namespace kaikou {

class ChatListView;
class GuardedLineEdit;
class UndoStrip;

// All chats, with search, and what can be done to each. It knows no store: it asks by signals and shows what
// it asked for at once; the next setChats() is the truth. GUI thread.
class ChatList : public QWidget
{
    Q_OBJECT

public:
    explicit ChatList(QWidget* parent = nullptr);

    [[nodiscard]] ChatListModel* model() const { return m_model; }

    [[nodiscard]] QString words() const; // searched for; empty = no search
    void setUndoTime(std::chrono::milliseconds time); // 10 s unless set
    [[nodiscard]] QMenu* menuFor(
        qint64 chat, qint64 message); // deletes itself when closed; null = no such chat

public slots:
    void setChats(const QList<kaikou::StoredChat>& chats);
    void showHits(const QList<kaikou::SearchHit>& hits); // of the last searchChanged()
    void endSearch(); // no more of them
    void setCurrent(qint64 chat); // shown in the window; 0 = one that is not stored
    void focusSearch();

signals:
    void openRequested(qint64 chat);
    void openMessageRequested(qint64 chat, qint64 message);
    void newRequested();
    void renameRequested(qint64 chat, const QString& title);
    void pinRequested(qint64 chat, bool pinned);
    void deleteRequested(qint64 chat); // to the trash
    void undoDeleteRequested(qint64 chat);
    void exportRequested(qint64 chat);
    void searchChanged(const QString& words); // empty = the search is over

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    void connectParts();
    void retranslate();
    void restyle();
    void refreshState();
    void applySearch();
    void leaveSearch();
    void focusLines();
    void select(qint64 chat, qint64 message = 0);
    void open(const QModelIndex& index);
    void pin(qint64 chat, bool pinned);
    void remove(qint64 chat);
    void undo();
    void offerUndo();

    ChatListModel* m_model;
    GuardedLineEdit* m_search;
    QToolButton* m_new;
    ChatListView* m_view;
    QLabel* m_state; // over the lines when there are none
    UndoStrip* m_undo;
    QTimer m_typing; // until the search starts
    QTimer m_minute; // times and sections move on
    QList<StoredChat> m_deleted; // can be brought back, the last one first
};

} // namespace kaikou
