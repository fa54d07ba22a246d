#include "ui/view/transcript_view.h"
#include "ui/view/transcript_view_p.h"
#include "ui/view/transcript_words.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace kaikou {

namespace {

constexpr int kHoverMs = 300;

}

ViewHit TranscriptView::Private::hit(QPoint viewportPos)
{
    ViewHit result;
    const auto [first, last] = visibleRange();
    if (last < first)
        return result;
    const int y = viewportPos.y() + scroll();
    result.index = std::clamp(heights.indexAt(y - topOf(0)), first, last);
    const Message& message = chat->at(result.index);
    const MessageBlock& shown = block(result.index);
    result.block = shown.hit(QPointF(viewportPos.x(), y - topOf(result.index)));
    if (message.kind != MessageKind::Note)
        result.place = {message.id, shown.textSpans().byteAt(result.block.gap)};
    return result;
}

void TranscriptView::Private::act(FooterAction action, int index)
{
    const Message& message = chat->at(index);
    switch (action) {
    case FooterAction::None:
        break;
    case FooterAction::JumpToLowest:
        if (const auto confidence = confidenceOf(message.reply))
            moveToken({message.id, confidence->lowest});
        break;
    case FooterAction::TakeSeed:
        emit q->seedClicked(message.reply.setup.seed);
        break;
    case FooterAction::SameDice:
    case FooterAction::NewDice:
        emit q->regenerateRequested(action == FooterAction::SameDice);
        break;
    case FooterAction::VariantBefore:
    case FooterAction::VariantAfter:
        emit q->siblingRequested(message.id, action == FooterAction::VariantAfter ? 1 : -1);
        break;
    case FooterAction::AgainstLoop:
        emit q->penaltyRequested();
        break;
    case FooterAction::NewChat:
        emit q->newChatRequested();
        break;
    case FooterAction::GoOn:
        emit q->goOnRequested(message.id);
        break;
    case FooterAction::ToggleRaw: {
        const bool show = !rawShown.contains(message.id);
        if (show)
            rawShown.insert(message.id);
        else
            rawShown.erase(message.id);
        MessageBlock& shown = block(index);
        shown.setRawShown(show, message, style);
        setHeight(index, shown.height());
        updateMessage(index);
        break;
    }
    }
}

void TranscriptView::Private::hover(QPoint viewportPos, Qt::KeyboardModifiers modifiers)
{
    const QPoint before = std::exchange(pointer, viewportPos);
    if (heights.count() == 0) {
        const EmptyState::Hit at = empty.hit(viewportPos);
        const bool link = at.openModel || at.starter >= 0;
        q->viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
        q->viewport()->update();
        return;
    }
    const ViewHit at = hit(viewportPos);
    const bool link = at.block.action != FooterAction::None;
    q->viewport()->setCursor(link ? Qt::PointingHandCursor
            : at.block.onText     ? Qt::IBeamCursor
                                  : Qt::ArrowCursor);
    const int part = link ? at.block.part : -1;
    if (part != hoveredPart || at.index != hoveredIndex) {
        if (hoveredPart >= 0 && hoveredIndex < heights.count())
            updateMessage(hoveredIndex);
        if (part >= 0)
            updateMessage(at.index);
        hoveredPart = part;
        hoveredIndex = at.index;
    }
    const TokenPlace token {at.block.token < 0 ? 0 : chat->at(at.index).id, at.block.token};
    if (token == hoveredToken && before != QPoint(-1, -1))
        return;
    hoveredToken = token;
    QToolTip::hideText();
    if (token.token < 0)
        hoverTimer.stop();
    else if (modifiers & Qt::ControlModifier)
        showTip();
    else
        hoverTimer.start(kHoverMs, q);
}

void TranscriptView::Private::showTip()
{
    const int index = chat->indexOf(hoveredToken.reply);
    if (index < 0 || hoveredToken.token < 0 || pressed)
        return;
    const MessageBlock& shown = block(index);
    const Cluster& cluster
        = shown.spans().clusters()[static_cast<std::size_t>(shown.spans().clusterOf(hoveredToken.token))];
    const QRect area
        = shown.tokenRect(hoveredToken.token).translated(0, topOf(index) - scroll()).toAlignedRect();
    QToolTip::showText(q->viewport()->mapToGlobal(QPoint(pointer.x(), area.bottom() - 8)),
        TranscriptWords::tokenTip(chat->at(index).reply, cluster.firstToken, cluster.tokens), q->viewport());
}

void TranscriptView::Private::selectWord(const ViewHit& at)
{
    if (at.place.message == 0 || !at.block.onText)
        return;
    const TokenSpans& spans = block(at.index).textSpans();
    if (at.block.token >= 0) {
        const CharRange chars = spans.charsOf(at.block.token);
        selection.set(
            {at.place.message, spans.byteAt(chars.begin)}, {at.place.message, spans.byteAt(chars.end)});
    } else {
        selection.set({at.place.message, 0}, {at.place.message, visibleText(chat->at(at.index)).size()});
    }
    q->viewport()->update();
}

void TranscriptView::Private::selectAll()
{
    if (chat->count() == 0)
        return;
    const Message& last = chat->at(chat->count() - 1);
    selection.set({chat->at(0).id, 0}, {last.id, visibleText(last).size()});
    q->viewport()->update();
}

void TranscriptView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    QToolTip::hideText();
    d->hoverTimer.stop();
    const QPoint pos = event->position().toPoint();
    if (d->heights.count() == 0) {
        const EmptyState::Hit at = d->empty.hit(pos);
        if (at.openModel)
            emit openModelRequested();
        else if (at.starter >= 0)
            emit starterChosen(at.starter);
        return;
    }
    d->pressed = true;
    d->pressPos = pos;
    const ViewHit at = d->hit(pos);
    d->pressedAction = at.block.action;
    if (d->pressedAction == FooterAction::None && at.place.message != 0) {
        d->selection.set(at.place, at.place);
        viewport()->update();
    }
}

void TranscriptView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint pos = event->position().toPoint();
    if (!d->pressed) {
        d->hover(pos, event->modifiers());
        return;
    }
    if (d->pressedAction != FooterAction::None)
        return;
    if (!d->dragging && (pos - d->pressPos).manhattanLength() < QApplication::startDragDistance())
        return;
    d->dragging = true;
    if (pos.y() < 0)
        d->scrollTo(d->scroll() - verticalScrollBar()->singleStep());
    else if (pos.y() > viewport()->height())
        d->scrollTo(d->scroll() + verticalScrollBar()->singleStep());
    const ViewHit at = d->hit(pos);
    if (at.place.message != 0)
        d->selection.moveHead(at.place);
    viewport()->update();
}

void TranscriptView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !d->pressed)
        return;
    d->pressed = false;
    const ViewHit at = d->hit(event->position().toPoint());
    if (d->pressedAction != FooterAction::None && at.block.action == d->pressedAction)
        d->act(d->pressedAction, at.index);
    else if (!d->dragging && at.block.token >= 0)
        d->select({d->chat->at(at.index).id, at.block.token});
    d->dragging = false;
    d->pressedAction = FooterAction::None;
}

void TranscriptView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && d->heights.count() > 0)
        d->selectWord(d->hit(event->position().toPoint()));
}

bool TranscriptView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        d->pointer = {-1, -1};
        d->hoveredToken = {};
        d->hoverTimer.stop();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TranscriptView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if (event->matches(QKeySequence::SelectAll)) {
        d->selectAll();
    } else if (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) {
        verticalScrollBar()->triggerAction(event->key() == Qt::Key_PageUp
                ? QAbstractSlider::SliderPageStepSub
                : QAbstractSlider::SliderPageStepAdd);
    } else {
        const bool command = event->modifiers() & (Qt::ControlModifier | Qt::AltModifier);
        const int key = event->key();
        if (command || (!d->starterKey(key) && !d->tokenKey(key) && !d->scrollKey(key)))
            event->ignore();
    }
}

void TranscriptView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    const Qt::FocusReason reason = event->reason();
    if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason)
        d->enter();
}

// What can be done with the message under the pointer.
void TranscriptView::Private::addMessageActions(QMenu& menu, int index)
{
    const Message& message = chat->at(index);
    const Reply* last = chat->count() > 0 ? chat->reply(chat->at(chat->count() - 1).id) : nullptr;
    if (message.kind == MessageKind::Note || (last != nullptr && last->running()))
        return;
    menu.addSeparator();
    const quint64 id = message.id;
    if (message.kind == MessageKind::Question) {
        menu.addAction(
            TranscriptView::tr("Edit and ask again"), q, [this, id] { emit q->editRequested(id); });
        return;
    }
    menu.addAction(TranscriptView::tr("Another answer"), q, [this, id] { emit q->answerAgainRequested(id); });
    if (openEnd(message.reply) > 0)
        menu.addAction(TranscriptWords::goOn(), q, [this, id] { emit q->goOnRequested(id); });
}

void TranscriptView::Private::fillMenu(QMenu& menu, int index)
{
    const bool any = !selection.empty() || selected.token >= 0;
    QAction* copyText = menu.addAction(
        selection.empty() ? TranscriptView::tr("Copy the answer") : TranscriptView::tr("Copy"), q,
        &TranscriptView::copy);
    QAction* copyTable = menu.addAction(
        TranscriptView::tr("Copy with probabilities"), q, &TranscriptView::copyWithProbabilities);
    copyText->setEnabled(any);
    copyTable->setEnabled(any);
    menu.addAction(TranscriptView::tr("Select all"), q, [this] { selectAll(); });
    if (index >= 0)
        addMessageActions(menu, index);
    if (selected.token < 0)
        return;
    menu.addSeparator();
    menu.addAction(TranscriptView::tr("Show what else it could have said"), q,
        [this] { emit q->alternativesRequested(selected.reply, selected.token); });
}

void TranscriptView::contextMenuEvent(QContextMenuEvent* event)
{
    if (d->heights.count() == 0)
        return;
    const bool mouse = event->reason() == QContextMenuEvent::Mouse;
    int index = d->chat->indexOf(d->selected.reply);
    if (mouse) {
        const ViewHit at = d->hit(event->pos());
        index = at.index;
        if (at.block.token >= 0)
            d->select({d->chat->at(at.index).id, at.block.token});
    }
    QMenu menu(this);
    d->fillMenu(menu, index);
    const QRectF token = d->selected.token < 0
        ? QRectF()
        : d->block(d->chat->indexOf(d->selected.reply))
              .tokenRect(d->selected.token)
              .translated(0, d->topOf(d->chat->indexOf(d->selected.reply)) - d->scroll());
    menu.exec(mouse ? event->globalPos() : viewport()->mapToGlobal(token.bottomLeft().toPoint()));
}

} // namespace kaikou
