#include "ui/view/theme.h"
#include "ui/view/transcript_access.h"
#include "ui/view/transcript_view_p.h"

#include <QElapsedTimer>
#include <QFontMetricsF>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace kaikou {

namespace {

constexpr int kTopPadding = 10;
constexpr int kBottomPadding = 20;
constexpr int kStickDistance = 8;
constexpr int kIdleSliceMs = 4;
constexpr int kKeptScreens = 3; // laid out above and below the visible part
constexpr qreal kColumnEms = 48.0; // widest comfortable column

} // namespace

TranscriptView::Private::Private(TranscriptView* view, ChatModel* model)
    : q(view)
    , chat(model)
    , pill(new QPushButton(TranscriptView::tr("New text ↓"), view))
{
    pill->setProperty("role", QStringLiteral("primary"));
    pill->setAccessibleName(TranscriptView::tr("Scroll to the new text"));
    pill->setFocusPolicy(Qt::NoFocus);
    pill->hide();
}

void TranscriptView::Private::restyle()
{
    const auto [first, last] = visibleRange();
    const bool stick = atEnd();
    const double share = last < first
        ? 0.0
        : static_cast<double>(scroll() - topOf(first)) / std::max(1, heights.height(first));

    const QFontMetricsF metrics(q->font());
    const int width = q->viewport()->width();
    style.text = {q->font(), std::ceil(metrics.height() * 0.4)};
    style.small = q->font();
    style.small.setPointSizeF(q->font().pointSizeF() * 0.88);
    const qreal margin = width < 520 ? space::kMedium + space::kSmall : space::kLarge + space::kMedium;
    style.width
        = std::floor(std::max(80.0, std::min(width - 2 * margin, kColumnEms * metrics.height() * 0.72)));
    style.left = std::floor((width - style.width) / 2);
    style.indent = style.width > 480 ? 40.0 : 0.0;

    std::vector<int> guesses;
    guesses.reserve(static_cast<std::size_t>(chat->count()));
    for (int i = 0; i < chat->count(); ++i)
        guesses.push_back(estimateHeight(chat->at(i), style));
    heights.assign(std::move(guesses));
    blocks.clear();
    blocks.resize(static_cast<std::size_t>(chat->count()));
    measured.assign(static_cast<std::size_t>(chat->count()), 0);
    idleNext = chat->count() - 1;
    q->verticalScrollBar()->setSingleStep(static_cast<int>(metrics.height() + style.text.leading));
    updateRange();
    if (stick)
        toEnd();
    else if (last >= first)
        scrollTo(topOf(first) + static_cast<int>(share * heights.height(first)));
    if (chat->count() > 0)
        idle.start(0, q);
    layOutEmpty();
}

void TranscriptView::Private::resyncFooters()
{
    const bool stick = atEnd();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!blocks[i])
            continue;
        blocks[i]->sync(chat->at(static_cast<int>(i)), style);
        setHeight(static_cast<int>(i), blocks[i]->height());
    }
    updateRange();
    if (stick)
        toEnd();
    q->viewport()->update();
}

MessageBlock& TranscriptView::Private::block(int index)
{
    auto& slot = blocks[static_cast<std::size_t>(index)];
    if (!slot) {
        slot = std::make_unique<MessageBlock>(chat->at(index), style);
        if (rawShown.contains(chat->at(index).id))
            slot->setRawShown(true, chat->at(index), style);
        counters.layouts += slot->flow().layouts();
    }
    if (measured[static_cast<std::size_t>(index)] == 0) {
        measured[static_cast<std::size_t>(index)] = 1;
        setHeight(index, slot->height());
    }
    return *slot;
}

int TranscriptView::Private::topOf(int index) const
{
    return kTopPadding + static_cast<int>(heights.top(index));
}

int TranscriptView::Private::scroll() const
{
    return q->verticalScrollBar()->value();
}

bool TranscriptView::Private::atEnd() const
{
    const QScrollBar* bar = q->verticalScrollBar();
    return bar->maximum() - bar->value() <= kStickDistance;
}

void TranscriptView::Private::setHeight(int index, int height)
{
    const int old = heights.height(index);
    if (old == height)
        return;
    const bool above = topOf(index) + old <= scroll();
    heights.set(index, height);
    updateRange();
    if (above)
        scrollTo(scroll() + height - old);
}

void TranscriptView::Private::updateRange()
{
    const int page = q->viewport()->height();
    const int content = kTopPadding + static_cast<int>(heights.total()) + kBottomPadding;
    q->verticalScrollBar()->setPageStep(page);
    q->verticalScrollBar()->setRange(0, std::max(0, content - page));
}

void TranscriptView::Private::scrollTo(int value)
{
    q->verticalScrollBar()->setValue(value);
}

void TranscriptView::Private::toEnd()
{
    scrollTo(q->verticalScrollBar()->maximum());
    layOutVisible();
    placePill();
}

std::pair<int, int> TranscriptView::Private::visibleRange() const
{
    if (heights.count() == 0)
        return {0, -1};
    const int top = scroll() - kTopPadding;
    return {heights.indexAt(top), heights.indexAt(top + q->viewport()->height())};
}

// Real heights for all that can be seen. A correction may bring other messages into view: again, a few times.
void TranscriptView::Private::layOutVisible()
{
    for (int round = 0; round < 4; ++round) {
        const bool stick = atEnd();
        const auto [first, last] = visibleRange();
        bool changed = false;
        for (int i = last; i >= first; --i) {
            changed = changed || measured[static_cast<std::size_t>(i)] == 0;
            block(i);
        }
        if (!changed)
            return;
        if (stick)
            scrollTo(q->verticalScrollBar()->maximum());
    }
}

void TranscriptView::Private::measureIdly()
{
    QElapsedTimer timer;
    timer.start();
    const bool stick = atEnd();
    while (idleNext >= 0 && timer.elapsed() < kIdleSliceMs) {
        const int index = idleNext--;
        if (measured[static_cast<std::size_t>(index)] == 0)
            block(index);
    }
    if (stick)
        scrollTo(q->verticalScrollBar()->maximum());
    if (idleNext < 0)
        idle.stop();
    trimCache();
}

void TranscriptView::Private::trimCache()
{
    const int margin = kKeptScreens * q->viewport()->height();
    const int first = heights.indexAt(scroll() - margin);
    const int last = heights.indexAt(scroll() + q->viewport()->height() + margin);
    for (int i = 0; i < heights.count(); ++i) {
        if (i < first || i > last)
            blocks[static_cast<std::size_t>(i)].reset();
    }
}

void TranscriptView::Private::onInserted(int first, int number)
{
    const bool stick = atEnd();
    bool asked = false;
    std::vector<int> guesses;
    for (int i = first; i < first + number; ++i) {
        guesses.push_back(estimateHeight(chat->at(i), style));
        asked = asked || chat->at(i).kind == MessageKind::Question;
    }
    const bool wasEmpty = heights.count() == 0;
    heights.insert(first, guesses);
    for (int i = first; i < first + number; ++i) {
        blocks.insert(blocks.begin() + i, nullptr);
        measured.insert(measured.begin() + i, 0);
    }
    offerAgain();
    idleNext = chat->count() - 1;
    idle.start(0, q);
    updateRange();
    if (stick || asked)
        toEnd();
    if (wasEmpty)
        q->viewport()->update();
    else
        updateMessage(first);
    TranscriptAccess::inserted(q, first);
}

void TranscriptView::Private::onRemoved(int first, int number)
{
    TranscriptAccess::removed(q, first);
    heights.remove(first, number);
    blocks.erase(blocks.begin() + first, blocks.begin() + first + number);
    measured.erase(measured.begin() + first, measured.begin() + first + number);
    offerAgain();
    idleNext = chat->count() - 1;
    if (chat->indexOf(selected.reply) < 0)
        select({});
    selection.clear();
    updateRange();
    q->viewport()->update();
}

void TranscriptView::Private::onReset()
{
    selection.clear();
    rawShown.clear();
    select({});
    style.again = chat->lastAnswer();
    restyle();
    toEnd();
}

void TranscriptView::Private::offerAgain()
{
    const quint64 before = std::exchange(style.again, chat->lastAnswer());
    if (before == style.again)
        return;
    for (const quint64 answer : {before, style.again}) {
        const int index = chat->indexOf(answer);
        if (index < 0)
            continue;
        auto& slot = blocks[static_cast<std::size_t>(index)];
        if (!slot) {
            measured[static_cast<std::size_t>(index)] = 0;
            continue;
        }
        slot->sync(chat->at(index), style);
        setHeight(index, slot->height());
    }
    q->viewport()->update();
}

bool TranscriptView::Private::follows(int index) const
{
    return !dragging && chat->at(index).id != selected.reply;
}

void TranscriptView::Private::onGrew(int index, int firstToken)
{
    const bool stick = atEnd() && follows(index);
    const auto [first, last] = visibleRange();
    auto& slot = blocks[static_cast<std::size_t>(index)];
    qreal changedFrom = 0.0;
    if (slot) {
        const int before = slot->flow().layouts();
        slot->sync(chat->at(index), style);
        counters.layouts += slot->flow().layouts() - before;
        changedFrom = slot->changedTop();
        setHeight(index, slot->height());
    } else if (index >= first && index <= last) {
        block(index);
    } else {
        measured[static_cast<std::size_t>(index)] = 0;
        heights.set(index, estimateHeight(chat->at(index), style));
        idleNext = std::max(idleNext, index);
    }
    updateRange();
    if (stick)
        scrollTo(q->verticalScrollBar()->maximum());
    updateMessage(index, changedFrom);
    unread = true;
    placePill();
    TranscriptAccess::grew(q, *chat, index, firstToken);
}

void TranscriptView::Private::onChanged(int index)
{
    const bool stick = atEnd() && follows(index);
    auto& slot = blocks[static_cast<std::size_t>(index)];
    if (slot) {
        const int before = slot->flow().layouts();
        slot->sync(chat->at(index), style);
        counters.layouts += slot->flow().layouts() - before;
        setHeight(index, slot->height());
    } else {
        measured[static_cast<std::size_t>(index)] = 0;
        idleNext = std::max(idleNext, index);
        idle.start(0, q);
    }
    updateRange();
    if (stick)
        scrollTo(q->verticalScrollBar()->maximum());
    updateMessage(index);
    placePill();
    TranscriptAccess::changed(q, index);
}

// From `fromY` of the message downwards: what follows may have moved.
void TranscriptView::Private::updateMessage(int index, qreal fromY)
{
    const int y = topOf(index) - scroll() + static_cast<int>(std::floor(fromY));
    const QRect below(0, y, q->viewport()->width(), q->viewport()->height() - y);
    q->viewport()->update(below.intersected(q->viewport()->rect()));
}

void TranscriptView::Private::placePill()
{
    unread = unread && !atEnd();
    pill->setVisible(unread);
    if (!unread)
        return;
    pill->adjustSize();
    const QRect area = q->viewport()->geometry();
    pill->move(area.center().x() - pill->width() / 2, area.bottom() - pill->height() - space::kLarge);
    pill->raise();
}

void TranscriptView::Private::layOutEmpty()
{
    empty.layOut(invitation, starters, q->font(), q->viewport()->size());
    starter = std::min(starter, static_cast<int>(empty.shownStarters()) - 1);
    q->viewport()->update();
}

void TranscriptView::Private::paint(QPainter& painter, const QRect& dirty)
{
    const Theme& theme = themeFor(q->palette());
    painter.fillRect(dirty, theme.page);
    if (heights.count() == 0) {
        empty.paint(painter, theme, dropHighlight, pointer, q->hasFocus() ? starter : -1);
        return;
    }
    const int top = scroll() - kTopPadding;
    const int last = heights.indexAt(top + dirty.bottom());
    for (int i = heights.indexAt(top + dirty.top()); i <= last; ++i) {
        const MessageBlock& shown = block(i);
        BlockPaint look;
        look.theme = &theme;
        look.scale = scale;
        look.coloured = coloured;
        const auto [begin, end] = selection.bytesOf(chat->at(i));
        if (begin < end)
            look.selected = {shown.textSpans().charAt(begin), shown.textSpans().charAt(end)};
        look.token = selected.reply == chat->at(i).id ? selected.token : -1;
        look.hoveredPart = hoveredIndex == i ? hoveredPart : -1;
        shown.paint(painter, QPointF(0, topOf(i) - scroll()), dirty, look);
        ++counters.paintedMessages;
    }
}

} // namespace kaikou
