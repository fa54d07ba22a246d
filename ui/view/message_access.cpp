#include "ui/view/message_access.h"

#include "ui/view/transcript_selection.h"
#include "ui/view/transcript_words.h"

#include <algorithm>

namespace kaikou {

namespace {

const QString kAgain = QStringLiteral("again");

}

MessageAccess::MessageAccess(TranscriptView* view, const ChatModel* chat, quint64 message)
    : m_view(view)
    , m_chat(chat)
    , m_message(message)
{
}

const Message* MessageAccess::find() const
{
    const int index = m_chat ? m_chat->indexOf(m_message) : -1;
    return index < 0 ? nullptr : &m_chat->at(index);
}

QString MessageAccess::wholeText() const
{
    const Message* message = find();
    if (message == nullptr)
        return {};
    if (message->kind == MessageKind::Note)
        return TranscriptWords::note(message->note);
    if (message->kind == MessageKind::Answer && !message->reply.fallback.isEmpty())
        return message->reply.fallback;
    return QString::fromStdString(std::string(visibleText(*message)));
}

bool MessageAccess::isValid() const
{
    return m_view && find() != nullptr;
}

QAccessibleInterface* MessageAccess::parent() const
{
    return QAccessible::queryAccessibleInterface(m_view);
}

QAccessibleInterface* MessageAccess::child(int /*index*/) const
{
    return nullptr;
}

QAccessibleInterface* MessageAccess::childAt(int /*x*/, int /*y*/) const
{
    return nullptr;
}

int MessageAccess::indexOfChild(const QAccessibleInterface* /*child*/) const
{
    return -1;
}

QString MessageAccess::text(QAccessible::Text kind) const
{
    const Message* message = find();
    if (message == nullptr)
        return {};
    if (kind == QAccessible::Name)
        return TranscriptWords::messageName(*message, m_chat->indexOf(m_message), m_chat->count());
    if (kind == QAccessible::Value)
        return wholeText();
    const auto confidence = message->kind == MessageKind::Answer ? confidenceOf(message->reply)
                                                                 : std::optional<ReplyConfidence>();
    if (kind == QAccessible::Description && confidence)
        return TranscriptWords::chip(message->reply, *confidence);
    return {};
}

void MessageAccess::setText(QAccessible::Text /*kind*/, const QString& /*text*/) { }

QRect MessageAccess::rect() const
{
    if (!isValid())
        return {};
    const QRect local = m_view->messageRect(m_message);
    return {m_view->viewport()->mapToGlobal(local.topLeft()), local.size()};
}

QAccessible::State MessageAccess::state() const
{
    QAccessible::State result;
    result.readOnly = true;
    result.selectableText = true;
    result.multiLine = true;
    const Message* message = find();
    result.busy = message != nullptr && message->kind == MessageKind::Answer && message->reply.running();
    result.offscreen = m_view && !m_view->viewport()->rect().intersects(m_view->messageRect(m_message));
    return result;
}

void* MessageAccess::interface_cast(QAccessible::InterfaceType type)
{
    if (type == QAccessible::TextInterface)
        return static_cast<QAccessibleTextInterface*>(this);
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
}

void MessageAccess::selection(int /*selectionIndex*/, int* startOffset, int* endOffset) const
{
    *startOffset = *endOffset = 0;
}

// The selection belongs to the whole transcript and to the user; readers do not set it.
void MessageAccess::addSelection(int /*startOffset*/, int /*endOffset*/) { }

void MessageAccess::removeSelection(int /*selectionIndex*/) { }

void MessageAccess::setSelection(int /*selectionIndex*/, int /*startOffset*/, int /*endOffset*/) { }

int MessageAccess::cursorPosition() const
{
    const TokenPlace place = m_view ? m_view->selectedToken() : TokenPlace();
    const Message* message = find();
    if (message == nullptr || place.reply != m_message || place.token < 0)
        return 0;
    const auto begin = message->reply.tokens[static_cast<std::size_t>(place.token)].byteBegin;
    return static_cast<int>(
        QString::fromStdString(std::string(message->reply.visible().substr(0, begin))).size());
}

void MessageAccess::setCursorPosition(int position)
{
    const Message* message = find();
    if (message == nullptr || message->kind != MessageKind::Answer)
        return;
    const auto& tokens = message->reply.tokens;
    const auto byte = static_cast<std::uint64_t>(wholeText().left(position).toUtf8().size());
    const auto behind
        = std::ranges::find_if(tokens, [byte](const ReplyToken& token) { return token.byteEnd > byte; });
    if (behind != tokens.end())
        m_view->selectToken({m_message, static_cast<int>(behind - tokens.begin())});
}

QString MessageAccess::text(int startOffset, int endOffset) const
{
    return wholeText().mid(startOffset, endOffset - startOffset);
}

int MessageAccess::characterCount() const
{
    return static_cast<int>(wholeText().size());
}

QRect MessageAccess::characterRect(int /*offset*/) const
{
    return rect(); // finer places would need the layout of a message that may be far away
}

int MessageAccess::offsetAtPoint(const QPoint& /*point*/) const
{
    return -1;
}

void MessageAccess::scrollToSubstring(int startIndex, int /*endIndex*/)
{
    setCursorPosition(startIndex);
}

QString MessageAccess::attributes(int /*offset*/, int* startOffset, int* endOffset) const
{
    *startOffset = 0;
    *endOffset = characterCount();
    return {};
}

QStringList MessageAccess::actionNames() const
{
    const Message* message = find();
    const bool again = message != nullptr && message->id == m_chat->lastAnswer() && !message->reply.running();
    return again ? QStringList(kAgain) : QStringList();
}

void MessageAccess::doAction(const QString& action)
{
    if (m_view && actionNames().contains(action))
        emit m_view->regenerateRequested(false);
}

QStringList MessageAccess::keyBindingsForAction(const QString& /*action*/) const
{
    return {};
}

QString MessageAccess::localizedActionName(const QString& /*action*/) const
{
    return TranscriptWords::again();
}

} // namespace kaikou
