#pragma once

#include "ui/view/transcript_view.h"

#include <QAccessibleWidget>

namespace kaikou {

class ChatModel;
struct Reply;

// Text to be announced, at its UTF-16 place in the answer.
struct SpokenText
{
    int offset = 0;
    QString text;
};

// The sentences that became whole with the tokens from `firstToken` on; empty while the sentence is still
// open.
[[nodiscard]] SpokenText newSentences(const Reply& reply, int firstToken);

// The transcript for screen readers: a list whose items are the messages, made on demand and never laid out
// for it. New text is announced by sentences. The static functions do nothing while no reader listens.
class TranscriptAccess : public QAccessibleWidget
{
public:
    explicit TranscriptAccess(TranscriptView* view);
    ~TranscriptAccess() override;

    static void install(); // once per process

    static void inserted(TranscriptView* view, int index);
    static void removed(TranscriptView* view, int index);
    static void changed(TranscriptView* view, int index);
    static void grew(TranscriptView* view, const ChatModel& chat, int index, int firstToken);
    static void starterMoved(TranscriptView* view);
    static void tokenMoved(TranscriptView* view, const ChatModel& chat, TokenPlace place);

    [[nodiscard]] int childCount() const override;
    [[nodiscard]] QAccessibleInterface* child(int index) const override;
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override;
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override;
    [[nodiscard]] QString text(QAccessible::Text kind) const override;

    [[nodiscard]] TranscriptView* view() const;

private:
    mutable std::map<quint64, QAccessible::Id> m_children; // by message
};

} // namespace kaikou
