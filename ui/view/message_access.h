#pragma once

#include "ui/model/chat_model.h"
#include "ui/view/transcript_view.h"

#include <QAccessible>
#include <QPointer>

namespace kaikou {

// One message as a list item with its text. Offsets are UTF-16 of the shown text. The last answer has one
// action, to be generated again.
class MessageAccess : public QAccessibleInterface,
                      public QAccessibleTextInterface,
                      public QAccessibleActionInterface
{
public:
    MessageAccess(TranscriptView* view, const ChatModel* chat, quint64 message);

    [[nodiscard]] quint64 message() const { return m_message; }

    [[nodiscard]] bool isValid() const override;

    [[nodiscard]] QObject* object() const override { return nullptr; }

    [[nodiscard]] QAccessibleInterface* parent() const override;
    [[nodiscard]] QAccessibleInterface* child(int index) const override;
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override;

    [[nodiscard]] int childCount() const override { return 0; }

    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override;
    [[nodiscard]] QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text kind, const QString& text) override;
    [[nodiscard]] QRect rect() const override;

    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }

    [[nodiscard]] QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override;

    void selection(int selectionIndex, int* startOffset, int* endOffset) const override;

    [[nodiscard]] int selectionCount() const override { return 0; }

    void addSelection(int startOffset, int endOffset) override;
    void removeSelection(int selectionIndex) override;
    void setSelection(int selectionIndex, int startOffset, int endOffset) override;
    [[nodiscard]] int cursorPosition() const override;
    void setCursorPosition(int position) override;
    [[nodiscard]] QString text(int startOffset, int endOffset) const override;
    [[nodiscard]] int characterCount() const override;
    [[nodiscard]] QRect characterRect(int offset) const override;
    [[nodiscard]] int offsetAtPoint(const QPoint& point) const override;
    void scrollToSubstring(int startIndex, int endIndex) override;
    [[nodiscard]] QString attributes(int offset, int* startOffset, int* endOffset) const override;

    [[nodiscard]] QStringList actionNames() const override;
    void doAction(const QString& action) override;
    [[nodiscard]] QStringList keyBindingsForAction(const QString& action) const override;
    [[nodiscard]] QString localizedActionName(const QString& action) const override;

private:
    [[nodiscard]] const Message* find() const;
    [[nodiscard]] QString wholeText() const;

    QPointer<TranscriptView> m_view;
    QPointer<const ChatModel> m_chat;
    quint64 m_message;
};

} // namespace kaikou
