#include "ui/model/record_keeper.h"

#include "ui/model/chat_model.h"

namespace kaikou {

RecordKeeper::RecordKeeper(ChatModel& chat, QObject* parent)
    : QObject(parent)
    , m_chat(chat)
{
    connect(&chat, &ChatModel::replyGrew, this, &RecordKeeper::grow);
    connect(&chat, &ChatModel::messageChanged, this, &RecordKeeper::settle);
    connect(this, &RecordKeeper::dropped, &chat, &ChatModel::dropRecords);
}

void RecordKeeper::setLimit(std::uint64_t bytes)
{
    m_store.setLimit(bytes);
    evict();
}

void RecordKeeper::pin(quint64 reply)
{
    if (reply == m_pinned)
        return;
    if (m_pinned != 0)
        m_store.unpin(m_pinned);
    m_pinned = reply;
    if (reply != 0) {
        m_store.touch(reply);
        m_store.pin(reply);
    }
    evict();
}

void RecordKeeper::clear()
{
    m_store.clear();
    m_pinned = 0;
    emit changed();
}

std::uint64_t RecordKeeper::used() const
{
    return m_store.used();
}

std::uint64_t RecordKeeper::limit() const
{
    return m_store.limit();
}

void RecordKeeper::grow(int index, int firstToken)
{
    const Message& message = m_chat.at(index);
    // What a continuation begins with is counted with its first own token.
    const int from = firstToken == message.reply.setup.said ? 0 : firstToken;
    for (auto i = static_cast<std::size_t>(from); i < message.reply.tokens.size(); ++i) {
        if (const auto& record = message.reply.tokens[i].record)
            m_store.add(message.id, record->logits.bytes());
    }
    m_store.pin(message.id); // it may still grow
    evict();
}

void RecordKeeper::adopt(quint64 reply)
{
    const int index = m_chat.indexOf(reply);
    if (index < 0)
        return;
    grow(index, 0);
    settle(index);
}

void RecordKeeper::settle(int index)
{
    const Message& message = m_chat.at(index);
    if (message.kind == MessageKind::Answer && !message.reply.running() && message.id != m_pinned)
        m_store.unpin(message.id);
}

void RecordKeeper::evict()
{
    for (const std::uint64_t reply : m_store.evict())
        emit dropped(reply);
    emit changed();
}

} // namespace kaikou
