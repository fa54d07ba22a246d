#include "ui/view/transcript_access.h"
#include "ui/view/transcript_view_p.h"

#include <QScrollBar>

#include <algorithm>

namespace kaikou {

namespace {

constexpr int kRevealMargin = 24;

}

void TranscriptView::Private::select(TokenPlace place)
{
    if (place == selected)
        return;
    for (const quint64 id : {selected.reply, place.reply}) {
        const int index = chat->indexOf(id);
        if (index >= 0 && index < heights.count())
            updateMessage(index);
    }
    selected = place;
    emit q->tokenSelected(place.reply, place.token);
    TranscriptAccess::tokenMoved(q, *chat, place);
}

void TranscriptView::Private::reveal(TokenPlace place)
{
    const int index = chat->indexOf(place.reply);
    if (index < 0)
        return;
    layOutVisible();
    const QRectF rect = block(index).tokenRect(place.token);
    const int top = topOf(index) + static_cast<int>(rect.top()) - kRevealMargin;
    const int bottom = topOf(index) + static_cast<int>(rect.bottom()) + kRevealMargin;
    if (top < scroll())
        scrollTo(top);
    else if (bottom > scroll() + q->viewport()->height())
        scrollTo(bottom - q->viewport()->height());
}

void TranscriptView::Private::moveToken(TokenPlace place)
{
    if (place.token < 0)
        return;
    select(place);
    reveal(place);
}

// The first or last token that can be seen of the first answer at or behind `index` in direction `step`.
TokenPlace TranscriptView::Private::edgeOfAnswer(int index, int step, bool last)
{
    for (int i = index; i >= 0 && i < chat->count(); i += step) {
        if (chat->at(i).kind != MessageKind::Answer)
            continue;
        const TokenSpans& spans = block(i).spans();
        for (int k = 0; k < spans.tokenCount(); ++k) {
            const int token = last ? spans.tokenCount() - 1 - k : k;
            if (!block(i).tokenRect(token).isNull())
                return {chat->at(i).id, token};
        }
    }
    return {};
}

TokenPlace TranscriptView::Private::neighbour(TokenPlace from, int step)
{
    const int index = chat->indexOf(from.reply);
    if (index < 0)
        return {};
    const int count = block(index).spans().tokenCount();
    for (int token = from.token + step; token >= 0 && token < count; token += step) {
        if (!block(index).tokenRect(token).isNull())
            return {from.reply, token};
    }
    return edgeOfAnswer(index + step, step, step < 0);
}

TokenPlace TranscriptView::Private::onOtherLine(TokenPlace from, int step)
{
    const int index = chat->indexOf(from.reply);
    if (index < 0)
        return {};
    const MessageBlock& shown = block(index);
    const QRectF rect = shown.tokenRect(from.token);
    const QPointF target(rect.center().x(), rect.center().y() + step * rect.height());
    const int token = shown.nearestToken(target);
    if (token >= 0 && !shown.tokenRect(token).isNull())
        return {from.reply, token};
    return edgeOfAnswer(index + step, step, step < 0);
}

void TranscriptView::Private::enter()
{
    if (heights.count() == 0 && starter < 0)
        starterKey(Qt::Key_Home);
    if (selected.token < 0)
        moveToken(edgeOfAnswer(chat->count() - 1, -1, false));
}

bool TranscriptView::Private::tokenKey(int key)
{
    if (selected.token < 0)
        return false;
    const int index = chat->indexOf(selected.reply);
    switch (key) {
    case Qt::Key_Left:
        moveToken(neighbour(selected, -1));
        return true;
    case Qt::Key_Right:
        moveToken(neighbour(selected, +1));
        return true;
    case Qt::Key_Up:
        moveToken(onOtherLine(selected, -1));
        return true;
    case Qt::Key_Down:
        moveToken(onOtherLine(selected, +1));
        return true;
    case Qt::Key_Home:
        moveToken(edgeOfAnswer(index, +1, false));
        return true;
    case Qt::Key_End:
        moveToken(edgeOfAnswer(index, -1, true));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        emit q->alternativesRequested(selected.reply, selected.token);
        return true;
    case Qt::Key_Escape:
        select({});
        return true;
    default:
        return false;
    }
}

// The keys of an empty conversation: which question to ask.
bool TranscriptView::Private::starterKey(int key)
{
    const auto count = static_cast<int>(empty.shownStarters());
    if (heights.count() > 0 || count == 0)
        return false;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        starter = std::max(starter - 1, 0);
        break;
    case Qt::Key_Right:
    case Qt::Key_Down:
        starter = std::min(starter + 1, count - 1);
        break;
    case Qt::Key_Home:
        starter = 0;
        break;
    case Qt::Key_End:
        starter = count - 1;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (starter >= 0)
            emit q->starterChosen(starter);
        return true;
    default:
        return false;
    }
    TranscriptAccess::starterMoved(q);
    q->viewport()->update();
    return true;
}

bool TranscriptView::Private::scrollKey(int key)
{
    QScrollBar* bar = q->verticalScrollBar();
    switch (key) {
    case Qt::Key_Up:
        scrollTo(bar->value() - bar->singleStep());
        return true;
    case Qt::Key_Down:
        scrollTo(bar->value() + bar->singleStep());
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        enter();
        return true;
    case Qt::Key_Home:
        scrollTo(0);
        return true;
    case Qt::Key_End:
        toEnd();
        return true;
    case Qt::Key_Escape:
        selection.clear();
        q->viewport()->update();
        emit q->leaveRequested();
        return true;
    default:
        return false;
    }
}

} // namespace kaikou
