#include "ui/view/transcript_view.h"

#include "ui/view/theme.h"
#include "ui/view/transcript_access.h"
#include "ui/view/transcript_view_p.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QPaintEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>

namespace kaikou {

TranscriptView::TranscriptView(ChatModel* chat, QWidget* parent)
    : QAbstractScrollArea(parent)
{
    TranscriptAccess::install();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    viewport()->setMouseTracking(true);
    d = std::make_unique<Private>(this, chat);
    setAccessibleName(tr("Conversation"));
    connect(chat, &ChatModel::messagesInserted, this, [this](int first, int n) { d->onInserted(first, n); });
    connect(chat, &ChatModel::messagesRemoved, this, [this](int first, int n) { d->onRemoved(first, n); });
    connect(chat, &ChatModel::replyGrew, this, [this](int index, int first) { d->onGrew(index, first); });
    connect(chat, &ChatModel::messageChanged, this, [this](int index) { d->onChanged(index); });
    connect(chat, &ChatModel::reset, this, [this] { d->onReset(); });
    connect(d->pill, &QPushButton::clicked, this, &TranscriptView::scrollToEnd);
    d->onReset();
}

TranscriptView::~TranscriptView() = default;

void TranscriptView::setInvitation(Invitation invitation)
{
    d->invitation = invitation;
    d->layOutEmpty();
}

void TranscriptView::setStarters(const QList<Starter>& starters)
{
    d->starters = starters;
    d->starter = -1;
    d->layOutEmpty();
}

void TranscriptView::setDropHighlight(bool on)
{
    d->dropHighlight = on;
    viewport()->update();
}

void TranscriptView::setScale(ConfidenceScale scale)
{
    d->scale = scale;
    viewport()->update();
}

void TranscriptView::setColoured(bool on)
{
    d->coloured = on;
    viewport()->update();
}

void TranscriptView::setCurrentParams(const SampleParams& params)
{
    if (d->style.current == params)
        return;
    d->style.current = params;
    d->resyncFooters();
}

TokenPlace TranscriptView::selectedToken() const
{
    return d->selected;
}

void TranscriptView::selectToken(TokenPlace place)
{
    d->select(place);
    if (place.token >= 0)
        d->reveal(place);
}

void TranscriptView::scrollToEnd()
{
    d->toEnd();
}

std::pair<quint64, int> TranscriptView::place() const
{
    const int first = d->visibleRange().first;
    if (d->atEnd() || first < 0 || first >= d->chat->count())
        return {0, 0};
    return {d->chat->at(first).id, d->scroll() - d->topOf(first)};
}

void TranscriptView::setPlace(quint64 message, int offsetPx)
{
    const int index = d->chat->indexOf(message);
    if (index < 0) {
        d->toEnd();
        return;
    }
    // What lies above is laid out by and by; the second time the heights around the place are real.
    for (int pass = 0; pass < 2; ++pass) {
        d->scrollTo(d->topOf(index) + offsetPx);
        d->layOutVisible();
    }
    d->placePill();
}

QString TranscriptView::selectedText() const
{
    return QString::fromStdString(d->selection.bytes(*d->chat));
}

void TranscriptView::copy() const
{
    if (!d->selection.empty()) {
        QGuiApplication::clipboard()->setText(selectedText());
        return;
    }
    const Reply* reply = d->chat->reply(d->selected.reply);
    if (reply != nullptr)
        QGuiApplication::clipboard()->setText(QString::fromStdString(reply->answer()));
}

void TranscriptView::copyWithProbabilities() const
{
    const Reply* reply = d->chat->reply(d->selected.reply);
    if (!d->selection.empty())
        QGuiApplication::clipboard()->setText(d->selection.table(*d->chat));
    else if (reply != nullptr)
        QGuiApplication::clipboard()->setText(replyTable(*reply));
}

QString TranscriptView::emptyText() const
{
    if (d->starter < 0)
        return d->empty.spoken();
    const Starter& starter = d->starters[d->starter];
    return starter.caption.isEmpty() ? starter.question : starter.question + u" — " + starter.caption;
}

const ChatModel* TranscriptView::chat() const
{
    return d->chat;
}

QRect TranscriptView::messageRect(quint64 message) const
{
    const int index = d->chat->indexOf(message);
    if (index < 0)
        return {};
    return {0, d->topOf(index) - d->scroll(), viewport()->width(), d->heights.height(index)};
}

QRect TranscriptView::tokenRect(TokenPlace place) const
{
    const int index = d->chat->indexOf(place.reply);
    if (index < 0)
        return {};
    d->layOutVisible();
    const QRectF rect = d->block(index).tokenRect(place.token);
    return rect.isNull() ? QRect() : rect.translated(0, d->topOf(index) - d->scroll()).toAlignedRect();
}

TranscriptView::Counters TranscriptView::counters() const
{
    return d->counters;
}

void TranscriptView::paintEvent(QPaintEvent* event)
{
    d->layOutVisible();
    QPainter painter(viewport());
    d->paint(painter, event->rect());
}

void TranscriptView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    d->restyle();
    d->placePill();
}

void TranscriptView::scrollContentsBy(int /*dx*/, int dy)
{
    viewport()->scroll(0, dy);
    d->placePill();
}

void TranscriptView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::FontChange:
    case QEvent::StyleChange:
        d->restyle();
        break;
    case QEvent::LanguageChange:
        setAccessibleName(tr("Conversation"));
        d->pill->setText(tr("New text ↓"));
        d->restyle();
        break;
    case QEvent::PaletteChange:
        viewport()->update();
        break;
    default:
        break;
    }
}

void TranscriptView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == d->idle.timerId()) {
        d->measureIdly();
    } else if (event->timerId() == d->hoverTimer.timerId()) {
        d->hoverTimer.stop();
        d->showTip();
    } else {
        QAbstractScrollArea::timerEvent(event);
    }
}

} // namespace kaikou
