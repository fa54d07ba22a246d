#pragma once

#include "ui/layout/height_index.h"
#include "ui/view/empty_state.h"
#include "ui/view/message_block.h"
#include "ui/view/transcript_selection.h"
#include "ui/view/transcript_view.h"

#include <QBasicTimer>

#include <set>

class QMenu;
class QPushButton;

namespace kaikou {

// What lies under a point of the viewport.
struct ViewHit
{
    int index = -1; // message; -1 = none at that height
    BlockHit block;
    TextPlace place; // for selections; message 0 = no text there
};

class TranscriptView::Private
{
public:
    Private(TranscriptView* view, ChatModel* chat);

    // Geometry. All y are of the content unless said otherwise.
    void restyle(); // fonts, width or settings changed: everything is measured again
    void resyncFooters(); // panel settings or language changed
    MessageBlock& block(int index); // laid out and measured
    [[nodiscard]] int topOf(int index) const;
    [[nodiscard]] int scroll() const;
    [[nodiscard]] bool atEnd() const;
    void setHeight(int index, int height); // keeps the top visible line where it is
    void updateRange();
    void scrollTo(int value);
    void toEnd();
    void layOutVisible();
    void measureIdly();
    void trimCache();
    [[nodiscard]] std::pair<int, int> visibleRange() const; // [first, last]; {0, -1} when empty

    // The model's signals.
    void onInserted(int first, int number);
    void onRemoved(int first, int number);
    void onGrew(int index, int firstToken);
    void onChanged(int index);
    void onReset();
    void offerAgain(); // on the last answer only

    // Tokens.
    void select(TokenPlace place);
    void reveal(TokenPlace place);
    [[nodiscard]] bool follows(int index) const; // may the view stick to the end while this message grows
    [[nodiscard]] TokenPlace neighbour(TokenPlace from, int step);
    [[nodiscard]] TokenPlace onOtherLine(TokenPlace from, int step);
    [[nodiscard]] TokenPlace edgeOfAnswer(int index, int step, bool last); // first answer from index on
    void moveToken(TokenPlace place);

    // Pointer.
    [[nodiscard]] ViewHit hit(QPoint viewportPos);
    void act(FooterAction action, int index);
    void hover(QPoint viewportPos, Qt::KeyboardModifiers modifiers);
    void showTip();
    void updateMessage(int index, qreal fromY = 0.0);
    void placePill();
    void selectWord(const ViewHit& at);
    void selectAll();
    void fillMenu(QMenu& menu, int index); // index: of the message meant; -1 = none
    void addMessageActions(QMenu& menu, int index);
    bool scrollKey(int key);
    bool tokenKey(int key);
    bool starterKey(int key);
    void enter(); // the keyboard comes in: the last answer's first visible token

    void layOutEmpty();
    void paint(QPainter& painter, const QRect& dirty);

    TranscriptView* q;
    ChatModel* chat;
    QPushButton* pill;
    EmptyState empty;
    Invitation invitation = Invitation::OpenModel;
    QList<Starter> starters;
    int starter = -1; // under the keyboard; -1 = none
    bool dropHighlight = false;
    ConfidenceScale scale;
    bool coloured = true;

    BlockStyle style;
    HeightIndex heights;
    std::vector<std::unique_ptr<MessageBlock>> blocks; // null = not laid out
    std::vector<char> measured; // height is of a layout, not a guess
    std::set<quint64> rawShown; // replies whose raw output was asked for
    int idleNext = -1; // measured downwards from here
    QBasicTimer idle;
    bool unread = false; // text arrived below the visible part
    Counters counters;

    TokenPlace selected;
    TranscriptSelection selection;
    bool pressed = false;
    bool dragging = false;
    QPoint pressPos;
    FooterAction pressedAction = FooterAction::None;
    QPoint pointer {-1, -1};
    int hoveredIndex = -1;
    int hoveredPart = -1;
    TokenPlace hoveredToken;
    QBasicTimer hoverTimer;
};

} // namespace kaikou
