#include "ui/view/chat_list.h"

#include "ui/view/chat_list_view.h"
#include "ui/view/guarded_line_edit.h"
#include "ui/view/icons.h"
#include "ui/view/theme.h"
#include "ui/view/toned_label.h"
#include "ui/view/undo_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace kaikou {

namespace {

using namespace std::chrono_literals;

constexpr auto kTypingPause = 200ms;
constexpr auto kRefresh = 30s;
constexpr int kLeastField = 64; // pixels; its own wish grows with the font beyond a narrow list
constexpr qsizetype kShownTitle = 30; // characters of it in the undo strip

QString shortTitle(const QString& title)
{
    return title.size() <= kShownTitle ? title : QString(title.left(kShownTitle) + QStringLiteral("…"));
}

} // namespace

ChatList::ChatList(QWidget* parent)
    : QWidget(parent)
    , m_model(new ChatListModel(this))
    , m_search(new GuardedLineEdit(this))
    , m_new(new QToolButton(this))
    , m_view(new ChatListView(this))
    , m_state(new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Normal, m_view->viewport()))
    , m_undo(new UndoStrip(this))
{
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingPause);
    m_minute.setInterval(kRefresh);
    build();
    connectParts();
    restyle();
    retranslate();
}

void ChatList::build()
{
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(kLeastField);
    m_new->setAutoRaise(true);
    m_view->setModel(m_model);
    m_state->setWordWrap(true);
    m_state->setMinimumWidth(1);
    m_state->setForegroundRole(
        QPalette::WindowText); // the one that is toned; a viewport's children take Text
    m_state->setAlignment(Qt::AlignCenter);
    m_state->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* over = new QVBoxLayout(m_view->viewport());
    over->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    over->addWidget(m_state);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(space::kMedium, space::kMedium, space::kMedium, space::kSmall);
    head->setSpacing(space::kSmall);
    head->addWidget(m_search, 1);
    head->addWidget(m_new);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_view, 1);
    column->addWidget(m_undo);
}

void ChatList::connectParts()
{
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.trimmed().isEmpty())
            applySearch();
        else
            m_typing.start();
    });
    connect(&m_typing, &QTimer::timeout, this, &ChatList::applySearch);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        applySearch();
        focusLines();
    });
    connect(m_search, &GuardedLineEdit::downPressed, this, &ChatList::focusLines);
    connect(m_search, &GuardedLineEdit::escaped, this, [this] {
        if (m_search->text().isEmpty())
            m_view->setFocus();
        else
            m_search->clear();
    });
    connect(m_new, &QToolButton::clicked, this, &ChatList::newRequested);
    connect(m_view, &ChatListView::opened, this, &ChatList::open);
    connect(m_view, &ChatListView::escaped, m_search, &QLineEdit::clear);
    connect(m_view, &ChatListView::undoPressed, this, &ChatList::undo);
    connect(m_view, &ChatListView::deletePressed, this,
        [this](const QModelIndex& index) { remove(index.data(ChatListModel::IdRole).toLongLong()); });
    connect(m_view, &ChatListView::menuRequested, this, [this](const QModelIndex& index, const QPoint& at) {
        QMenu* menu = menuFor(index.data(ChatListModel::IdRole).toLongLong(),
            index.data(ChatListModel::MessageRole).toLongLong());
        if (menu != nullptr)
            menu->popup(at);
    });
    connect(m_model, &ChatListModel::titleEdited, this, &ChatList::renameRequested);
    connect(m_undo, &UndoStrip::undoRequested, this, &ChatList::undo);
    connect(m_undo, &UndoStrip::timeOver, this, [this] {
        m_deleted.clear();
        m_view->setUndoable(false);
    });
    connect(&m_minute, &QTimer::timeout, m_model, &ChatListModel::refresh);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_model, signal, this, &ChatList::refreshState);
}

QString ChatList::words() const
{
    return m_model->words();
}

void ChatList::setUndoTime(std::chrono::milliseconds time)
{
    m_undo->setTime(time);
}

void ChatList::setChats(const QList<StoredChat>& chats)
{
    m_model->setChats(chats);
    if (!m_view->currentIndex().isValid())
        select(m_model->open());
    refreshState();
}

void ChatList::showHits(const QList<SearchHit>& hits)
{
    m_model->showHits(hits);
}

void ChatList::endSearch()
{
    m_model->endSearch();
    refreshState();
}

void ChatList::setCurrent(qint64 chat)
{
    m_model->setOpen(chat);
    const QModelIndex current = m_view->currentIndex();
    if (current.data(ChatListModel::IdRole).toLongLong() != chat)
        select(chat);
}

void ChatList::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void ChatList::applySearch()
{
    m_typing.stop();
    const QString words = m_search->text().trimmed();
    if (words == m_model->words())
        return;
    if (words.isEmpty())
        leaveSearch();
    else
        m_model->startSearch(words);
    refreshState();
    emit searchChanged(words);
}

// The chat of the hit that was current stays current.
void ChatList::leaveSearch()
{
    const qint64 chat = m_view->currentIndex().data(ChatListModel::IdRole).toLongLong();
    m_model->startSearch({});
    select(chat != 0 ? chat : m_model->open());
}

void ChatList::focusLines()
{
    m_view->setFocus(Qt::OtherFocusReason);
}

void ChatList::select(qint64 chat, qint64 message)
{
    const QModelIndex index = m_model->indexOf(chat, message);
    if (!index.isValid() && !words().isEmpty())
        return; // not among the hits: the hit stays current
    m_view->setCurrentIndex(index);
    if (index.isValid())
        m_view->scrollTo(index);
}

void ChatList::open(const QModelIndex& index)
{
    if (!index.isValid())
        return; // went away while its menu was up
    const qint64 chat = index.data(ChatListModel::IdRole).toLongLong();
    const qint64 message = index.data(ChatListModel::MessageRole).toLongLong();
    if (message != 0)
        emit openMessageRequested(chat, message);
    else
        emit openRequested(chat);
}

QMenu* ChatList::menuFor(qint64 chat, qint64 message)
{
    const auto stored = m_model->chat(chat);
    if (!stored)
        return nullptr;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // The keys are shown, not bound: the list handles them.
    menu->addAction(tr("&Open"), this, [=, this] { open(m_model->indexOf(chat, message)); });
    menu->addAction(tr("&Rename") + QStringLiteral("\tF2"), this, [=, this] {
        select(chat, message);
        if (m_model->indexOf(chat, message).isValid())
            m_view->edit(m_view->currentIndex());
    });
    const bool pinned = stored->pinned;
    menu->addAction(pinned ? tr("Un&pin") : tr("&Pin"), this, [=, this] { pin(chat, !pinned); });
    menu->addAction(tr("&Export…"), this, [=, this] { emit exportRequested(chat); });
    menu->addSeparator();
    const QString del = QKeySequence(Qt::Key_Delete).toString(QKeySequence::NativeText);
    menu->addAction(tr("&Delete") + u'\t' + del, this, [=, this] { remove(chat); });
    return menu;
}

void ChatList::pin(qint64 chat, bool pinned)
{
    auto stored = m_model->chat(chat);
    if (!stored)
        return;
    stored->pinned = pinned;
    m_model->put(*stored);
    m_view->scrollTo(m_view->currentIndex());
    emit pinRequested(chat, pinned);
}

void ChatList::remove(qint64 chat)
{
    const auto stored = m_model->chat(chat);
    if (!stored)
        return;
    m_deleted.append(*stored);
    m_model->drop(chat);
    offerUndo();
    emit deleteRequested(chat);
}

void ChatList::offerUndo()
{
    m_view->setUndoable(!m_deleted.isEmpty());
    if (m_deleted.isEmpty()) {
        m_undo->withdraw();
        return;
    }
    const QString title = m_deleted.last().title.simplified();
    m_undo->offer(tr("“%1” was deleted").arg(shortTitle(title.isEmpty() ? tr("New chat") : title)));
}

void ChatList::undo()
{
    if (m_deleted.isEmpty())
        return;
    const StoredChat chat = m_deleted.takeLast();
    m_model->put(chat);
    focusLines(); // the button that has the focus may go
    select(chat.id);
    offerUndo();
    emit undoDeleteRequested(chat.id);
}

void ChatList::refreshState()
{
    const bool search = !m_model->words().isEmpty();
    const QString before = m_state->text();
    m_view->setEscapable(search);
    m_view->setAccessibleName(search ? tr("Search results") : tr("Chats"));
    m_state->setVisible(m_model->rowCount() == 0);
    if (!search)
        m_state->setText(tr("No chats yet. What you ask is kept here."));
    else if (m_model->searching())
        m_state->setText(tr("Searching …"));
    else
        m_state->setText(tr("Nothing found for “%1”.").arg(shortTitle(m_model->words())));
    if (m_state->text() != before)
        m_state->setAccessibleName(m_state->text());
}

void ChatList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
}

void ChatList::restyle()
{
    const int side = fontMetrics().height();
    m_new->setIcon(icon(Icon::NewChat, palette()));
    m_new->setIconSize(QSize(side, side));
}

void ChatList::retranslate()
{
    m_search->setPlaceholderText(tr("Search chats"));
    m_search->setAccessibleName(m_search->placeholderText());
    if (auto* clear = m_search->findChild<QToolButton*>()) {
        clear->setAccessibleName(tr("Clear the search"));
        clear->setToolTip(clear->accessibleName());
    }
    m_new->setAccessibleName(tr("New chat"));
    m_new->setToolTip(m_new->accessibleName());
    m_model->refresh();
    if (!m_deleted.isEmpty())
        offerUndo();
    refreshState();
}

void ChatList::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_model->refresh();
    m_minute.start();
}

void ChatList::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_minute.stop();
}

} // namespace kaikou
