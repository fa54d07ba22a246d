// Branches of a conversation: what goes aside, what comes back, and the notes between.
#include "ui/model/chat_notes.h"
#include "ui/model/chat_session.h"

#include <algorithm>
#include <iterator>

namespace kaikou {

// The question or answer that the next message follows.
quint64 ChatSession::lastNode() const
{
    for (int i = m_chat.count() - 1; i >= 0; --i) {
        if (m_chat.at(i).kind != MessageKind::Note)
            return m_chat.at(i).id;
    }
    return 0;
}

// With the notes that belong before it.
quint64 ChatSession::addAnswer(Reply reply)
{
    ChatNotes notes;
    for (int i = 0; i < m_chat.count(); ++i)
        notes.pass(m_chat.at(i));
    Message message;
    message.id = m_chat.newReplyId();
    message.kind = MessageKind::Answer;
    std::vector<Message> added = notes.before(reply.setup, message.id);
    message.reply = std::move(reply);
    const quint64 id = message.id;
    added.push_back(std::move(message));
    m_chat.add(std::move(added));
    return id;
}

quint64 ChatSession::adopt(const QString& question, Reply reply)
{
    if (replying())
        return 0;
    int cut = m_chat.count();
    while (cut > 0 && m_chat.at(cut - 1).kind != MessageKind::Question)
        --cut;
    const std::string words = question.toStdString();
    const bool same = cut > 0 && m_chat.at(cut - 1).text == words;
    if (same) {
        putAside(cut);
    } else {
        cut = m_chat.count();
        const quint64 parent = lastNode();
        m_tree.add(m_chat.addQuestion(words), parent);
    }
    const quint64 parent = lastNode();
    const quint64 id = addAnswer(std::move(reply));
    m_tree.add(id, parent);
    countVariants(cut);
    emit replyAdopted(id);
    return id;
}

// Where the answer at `index` begins, with the notes before it.
int ChatSession::answerBegin(int index) const
{
    while (index > 0 && m_chat.at(index - 1).kind == MessageKind::Note)
        --index;
    return index;
}

void ChatSession::putAside(int first)
{
    for (Message& message : m_chat.take(first)) {
        if (message.kind != MessageKind::Note)
            m_tree.keep(std::move(message));
    }
}

// The held reply and its question were never there.
void ChatSession::withdraw(const Error& error)
{
    const Running running = *std::exchange(m_running, std::nullopt);
    const quint64 first = running.question != 0 ? running.question : running.reply;
    QString words;
    for (const Message& message : m_chat.take(answerBegin(m_chat.indexOf(first)))) {
        if (message.id == running.question)
            words = QString::fromStdString(message.text);
    }
    const quint64 parent = m_tree.parent(first);
    m_tree.remove(first);
    std::vector<quint64> path = m_tree.pathTo(m_tree.leafBelow(parent));
    std::erase_if(path, [this](quint64 id) { return m_chat.indexOf(id) >= 0; });
    present(path);
    countVariants(0);
    emit replyRefused(first, words, error);
}

// Messages of the tree, to the end of what is on screen.
void ChatSession::present(const std::vector<quint64>& ids)
{
    ChatNotes notes;
    for (int i = 0; i < m_chat.count(); ++i)
        notes.pass(m_chat.at(i));
    std::vector<Message> messages;
    for (const quint64 id : ids) {
        Message message = m_tree.takeBack(id);
        if (message.kind == MessageKind::Answer)
            std::ranges::move(notes.before(message.reply.setup, id), std::back_inserter(messages));
        notes.pass(message);
        messages.push_back(std::move(message));
    }
    const int first = m_chat.count();
    m_chat.add(std::move(messages));
    nameTokens();
    countVariants(first);
}

void ChatSession::countVariants(int first)
{
    for (int i = first; i < m_chat.count(); ++i) {
        const std::vector<quint64> same = m_tree.variants(m_chat.at(i).id);
        const auto place = std::ranges::find(same, m_chat.at(i).id) - same.begin();
        if (!same.empty())
            m_chat.setVariant(i, static_cast<int>(place) + 1, static_cast<int>(same.size()));
    }
}

void ChatSession::load(std::vector<std::pair<Message, quint64>> messages, quint64 leaf)
{
    stopNow();
    putAside(0);
    ChatTree before = std::exchange(m_tree, {});
    m_chat.clear();
    for (auto& [message, parent] : messages) {
        m_tree.add(message.id, parent);
        const Message* here = before.kept(message.id);
        const bool better = here != nullptr && !here->reply.unread;
        if (better)
            m_tree.keep(before.takeBack(message.id));
        else
            m_tree.keep(std::move(message));
    }
    present(m_tree.pathTo(leaf));
}

void ChatSession::show(quint64 variant)
{
    if (!m_tree.contains(variant) || replying() || m_chat.indexOf(variant) >= 0)
        return;
    const quint64 leaf = m_tree.leafBelow(variant);
    std::vector<quint64> path = m_tree.pathTo(leaf);
    // What is on screen already stays there.
    int keep = 0;
    std::size_t known = 0;
    while (known < path.size() && m_chat.indexOf(path[known]) >= 0)
        keep = m_chat.indexOf(path[known++]) + 1;
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(known));
    putAside(keep);
    present(path);
    emit pathChanged(leaf);
}

void ChatSession::showSibling(quint64 message, int step)
{
    const std::vector<quint64> same = m_tree.variants(message);
    const auto place = std::ranges::find(same, message) - same.begin() + step;
    if (place >= 0 && place < std::ssize(same))
        show(same[static_cast<std::size_t>(place)]);
}

} // namespace kaikou
