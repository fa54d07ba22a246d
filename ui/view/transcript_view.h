#pragma once

#include "inference/sample/params.h"
#include "ui/model/starters.h"
#include "ui/view/confidence_scale.h"

#include <QAbstractScrollArea>
#include <QRect>

#include <memory>
#include <optional>
#include <utility>

namespace kaikou {

class ChatModel;

// A place in the answers: token `token` of reply `reply` (ids of ChatModel).
struct TokenPlace
{
    quint64 reply = 0;
    int token = -1;

    friend bool operator==(const TokenPlace&, const TokenPlace&) = default;
};

// The conversation with every token coloured by its probability. Paints only what is visible; a growing reply
// lays out its last chunk alone; colours live outside the layout. Given the focus with ShortcutFocusReason
// (F6) or Tab it puts its token cursor on the last answer.
class TranscriptView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    // What an empty transcript invites to.
    enum class Invitation
    {
        OpenModel,
        Loading,
        Ask // a model is there; starters are shown
    };

    explicit TranscriptView(ChatModel* chat, QWidget* parent = nullptr);
    ~TranscriptView() override;

    void setInvitation(Invitation invitation);
    void setStarters(const QList<Starter>& starters);
    void setDropHighlight(bool on); // a model hovers over the window
    void setScale(ConfidenceScale scale);
    void setColoured(bool on);
    // The panel's present settings; replies made with others say so.
    void setCurrentParams(const SampleParams& params);

    [[nodiscard]] TokenPlace selectedToken() const;
    void selectToken(TokenPlace place); // scrolls to it; token -1 clears
    void scrollToEnd();
    // The message at the upper edge and how far it is scrolled beyond it, in pixels; message 0 = at the end.
    [[nodiscard]] std::pair<quint64, int> place() const;
    void setPlace(quint64 message, int offsetPx);
    [[nodiscard]] QString selectedText() const;
    void copy() const;
    void copyWithProbabilities() const; // tab-separated rows of the selection, else of the selected reply

    // What an empty conversation says: the starter under the keyboard, else the invitation.
    [[nodiscard]] QString emptyText() const;

    [[nodiscard]] const ChatModel* chat() const;
    // In viewport coordinates; null = not there or not shown.
    [[nodiscard]] QRect messageRect(quint64 message) const;
    [[nodiscard]] QRect tokenRect(TokenPlace place) const;

    struct Counters
    {
        int layouts = 0; // chunks laid out since the start
        int paintedMessages = 0;
    };

    [[nodiscard]] Counters counters() const;

signals:
    void tokenSelected(quint64 reply, int token); // token -1: selection was left
    void alternativesRequested(quint64 reply, int token);
    void regenerateRequested(bool sameDice); // of the last answer
    void answerAgainRequested(quint64 answer); // of any answer
    void editRequested(quint64 question);
    void siblingRequested(quint64 message, int step); // -1 = the variant before
    void penaltyRequested(); // the last answer again, with a repetition penalty
    void newChatRequested();
    void goOnRequested(quint64 reply); // the answer is to be continued
    void seedClicked(quint64 seed);
    void starterChosen(int index);
    void openModelRequested();
    void leaveRequested(); // Esc with nothing left to leave: give the focus back

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace kaikou
