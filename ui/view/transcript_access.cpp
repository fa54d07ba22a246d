#include "ui/view/transcript_access.h"

#include "ui/model/chat_model.h"
#include "ui/view/message_access.h"
#include "ui/view/transcript_selection.h"
#include "ui/view/transcript_words.h"

#include <algorithm>

namespace kaikou {

namespace {

QAccessibleInterface* make(const QString& className, QObject* object)
{
    if (className != QLatin1String("kaikou::TranscriptView"))
        return nullptr;
    auto* view = qobject_cast<TranscriptView*>(object);
    return view == nullptr ? nullptr : new TranscriptAccess(view);
}

TranscriptAccess* accessOf(TranscriptView* view)
{
    if (!QAccessible::isActive())
        return nullptr;
    return dynamic_cast<TranscriptAccess*>(QAccessible::queryAccessibleInterface(view));
}

bool endsSentence(QChar c)
{
    constexpr QStringView kEnds = u"。！？；.!?;\n\u2028";
    return kEnds.contains(c);
}

} // namespace

SpokenText newSentences(const Reply& reply, int firstToken)
{
    const std::string_view all = reply.visible();
    const std::uint64_t known = reply.tokens[static_cast<std::size_t>(firstToken)].byteBegin;
    const QString before = QString::fromStdString(std::string(all.substr(0, std::min(known, all.size()))));
    const QString text = QString::fromStdString(std::string(all));
    const auto lastEnd = [](const QString& of) {
        const auto found = std::find_if(of.crbegin(), of.crend(), endsSentence);
        return static_cast<qsizetype>(of.crend() - found);
    };
    const qsizetype from = lastEnd(before);
    return {static_cast<int>(from), text.mid(from, std::max<qsizetype>(0, lastEnd(text) - from))};
}

TranscriptAccess::TranscriptAccess(TranscriptView* transcript)
    : QAccessibleWidget(transcript, QAccessible::List)
{
}

TranscriptAccess::~TranscriptAccess()
{
    for (const auto& [message, id] : m_children)
        QAccessible::deleteAccessibleInterface(id);
}

void TranscriptAccess::install()
{
    QAccessible::installFactory(&make); // a factory that is already there is not added twice
}

TranscriptView* TranscriptAccess::view() const
{
    return static_cast<TranscriptView*>(widget());
}

int TranscriptAccess::childCount() const
{
    return view()->chat()->count();
}

QAccessibleInterface* TranscriptAccess::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    const quint64 message = view()->chat()->at(index).id;
    const auto known = m_children.find(message);
    if (known != m_children.end())
        return QAccessible::accessibleInterface(known->second);
    auto* made = new MessageAccess(view(), view()->chat(), message);
    m_children[message] = QAccessible::registerAccessibleInterface(made);
    return made;
}

int TranscriptAccess::indexOfChild(const QAccessibleInterface* child) const
{
    const auto* message = dynamic_cast<const MessageAccess*>(child);
    return message == nullptr ? -1 : view()->chat()->indexOf(message->message());
}

QAccessibleInterface* TranscriptAccess::childAt(int x, int y) const
{
    const QPoint local = view()->viewport()->mapFromGlobal(QPoint(x, y));
    for (int i = 0; i < childCount(); ++i) {
        if (view()->messageRect(view()->chat()->at(i).id).contains(local))
            return child(i);
    }
    return nullptr;
}

QString TranscriptAccess::text(QAccessible::Text kind) const
{
    const TokenPlace place = view()->selectedToken();
    const Reply* reply = view()->chat()->reply(place.reply);
    if (kind == QAccessible::Value && reply != nullptr)
        return TranscriptWords::tokenLine(*reply, place.token);
    if (kind == QAccessible::Value && childCount() == 0)
        return view()->emptyText();
    return QAccessibleWidget::text(kind);
}

void TranscriptAccess::inserted(TranscriptView* view, int index)
{
    if (accessOf(view) == nullptr)
        return;
    QAccessibleEvent event(view, QAccessible::ObjectCreated);
    event.setChild(index);
    QAccessible::updateAccessibility(&event);
}

void TranscriptAccess::removed(TranscriptView* view, int index)
{
    TranscriptAccess* access = accessOf(view);
    if (access == nullptr)
        return;
    QAccessibleEvent event(view, QAccessible::ObjectDestroyed);
    event.setChild(index);
    QAccessible::updateAccessibility(&event);
    std::erase_if(access->m_children, [access](const auto& known) {
        if (access->view()->chat()->indexOf(known.first) >= 0)
            return false;
        QAccessible::deleteAccessibleInterface(known.second);
        return true;
    });
}

void TranscriptAccess::changed(TranscriptView* view, int index)
{
    if (accessOf(view) == nullptr)
        return;
    QAccessibleEvent event(view, QAccessible::NameChanged);
    event.setChild(index);
    QAccessible::updateAccessibility(&event);
}

void TranscriptAccess::grew(TranscriptView* view, const ChatModel& chat, int index, int firstToken)
{
    TranscriptAccess* access = accessOf(view);
    if (access == nullptr)
        return;
    const SpokenText spoken = newSentences(chat.at(index).reply, firstToken);
    QAccessibleInterface* item = access->child(index);
    if (spoken.text.isEmpty() || item == nullptr)
        return;
    QAccessibleTextInsertEvent event(item, spoken.offset, spoken.text);
    QAccessible::updateAccessibility(&event);
}

void TranscriptAccess::starterMoved(TranscriptView* view)
{
    if (accessOf(view) == nullptr)
        return;
    QAccessibleValueChangeEvent value(view, view->emptyText());
    QAccessible::updateAccessibility(&value);
}

void TranscriptAccess::tokenMoved(TranscriptView* view, const ChatModel& chat, TokenPlace place)
{
    TranscriptAccess* access = accessOf(view);
    const Reply* reply = chat.reply(place.reply);
    if (access == nullptr || reply == nullptr || place.token < 0)
        return;
    QAccessibleInterface* item = access->child(chat.indexOf(place.reply));
    const auto begin = reply->tokens[static_cast<std::size_t>(place.token)].byteBegin;
    const auto before = QString::fromStdString(std::string(reply->visible().substr(0, begin)));
    QAccessibleTextCursorEvent event(item, static_cast<int>(before.size()));
    QAccessible::updateAccessibility(&event);
    QAccessibleValueChangeEvent value(view, TranscriptWords::tokenLine(*reply, place.token));
    QAccessible::updateAccessibility(&value);
}

} // namespace kaikou
