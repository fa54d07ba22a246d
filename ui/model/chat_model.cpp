#include "ui/model/chat_model.h"

#include <algorithm>

namespace kaikou {

ChatModel::ChatModel(QObject* parent)
    : QObject(parent)
{
}

int ChatModel::indexOf(quint64 id) const
{
    // Ids ascend with the index.
    const auto found = std::ranges::lower_bound(m_messages, id, {}, &Message::id);
    if (found == m_messages.end() || found->id != id)
        return -1;
    return static_cast<int>(found - m_messages.begin());
}

const Reply* ChatModel::reply(quint64 id) const
{
    const int index = indexOf(id);
    if (index < 0 || at(index).kind != MessageKind::Answer)
        return nullptr;
    return &at(index).reply;
}

quint64 ChatModel::insert(Message message)
{
    message.id = m_nextId++;
    const quint64 id = message.id;
    m_messages.push_back(std::move(message));
    emit messagesInserted(count() - 1, 1);
    return id;
}

quint64 ChatModel::lastAnswer() const
{
    for (auto message = m_messages.rbegin(); message != m_messages.rend(); ++message) {
        if (message->kind != MessageKind::Note)
            return message->kind == MessageKind::Answer ? message->id : 0;
    }
    return 0;
}

quint64 ChatModel::addQuestion(std::string text)
{
    Message message;
    message.kind = MessageKind::Question;
    message.text = std::move(text);
    return insert(std::move(message));
}

quint64 ChatModel::addNote(Note note)
{
    Message message;
    message.kind = MessageKind::Note;
    message.note = std::move(note);
    return insert(std::move(message));
}

quint64 ChatModel::beginReply(Ticket ticket, ReplySetup setup)
{
    Message message;
    message.kind = MessageKind::Answer;
    message.reply.setup = std::move(setup);
    m_running[ticket] = m_nextId;
    return insert(std::move(message));
}

void ChatModel::setFallback(quint64 reply, QString sentence)
{
    const int index = indexOf(reply);
    if (index < 0)
        return;
    m_messages[static_cast<std::size_t>(index)].reply.fallback = std::move(sentence);
    emit messageChanged(index);
}

void ChatModel::dropRecords(quint64 reply)
{
    const int index = indexOf(reply);
    if (index < 0)
        return;
    for (ReplyToken& token : m_messages[static_cast<std::size_t>(index)].reply.tokens)
        token.record = nullptr;
    emit messageChanged(index);
}

void ChatModel::remove(int first, int number)
{
    const auto begin = m_messages.begin() + first;
    for (auto it = begin; it != begin + number; ++it)
        std::erase_if(m_running, [&it](const auto& running) { return running.second == it->id; });
    m_messages.erase(begin, begin + number);
    emit messagesRemoved(first, number);
}

void ChatModel::clear()
{
    m_messages.clear();
    m_running.clear();
    emit reset();
}

Turns ChatModel::turns(bool useEarlier, std::string system) const
{
    Turns result;
    result.system = std::move(system);
    if (useEarlier)
        result.turns = answered(false);
    // The last question is what is asked now, whatever was answered to it before.
    const auto last = std::find_if(m_messages.rbegin(), m_messages.rend(),
        [](const Message& message) { return message.kind == MessageKind::Question; });
    if (last != m_messages.rend())
        result.turns.push_back({Role::User, last->text});
    return result;
}

Turns ChatModel::turnsWith(std::string question, bool useEarlier) const
{
    Turns result;
    if (useEarlier)
        result.turns = answered(true);
    result.turns.push_back({Role::User, std::move(question)});
    return result;
}

// Questions with the last usable reply to each; those without one stay out.
std::vector<Turn> ChatModel::answered(bool lastToo) const
{
    std::vector<Turn> turns;
    const Message* question = nullptr;
    const Message* answer = nullptr;
    const auto flush = [&turns, &question, &answer] {
        if (question != nullptr && answer != nullptr) {
            turns.push_back({Role::User, question->text});
            turns.push_back({Role::Assistant, answer->reply.answer()});
        }
    };
    for (const Message& message : m_messages) {
        if (message.kind == MessageKind::Question) {
            flush();
            question = &message;
            answer = nullptr;
        } else if (message.kind == MessageKind::Answer && message.reply.usable()) {
            answer = &message;
        }
    }
    if (lastToo)
        flush();
    return turns;
}

int ChatModel::indexOfTicket(Ticket ticket) const
{
    const auto found = m_running.find(ticket);
    return found == m_running.end() ? -1 : indexOf(found->second);
}

void ChatModel::start(const Started& started)
{
    const int index = indexOfTicket(started.ticket);
    if (index < 0)
        return;
    Reply& reply = m_messages[static_cast<std::size_t>(index)].reply;
    reply.prompt = started.prompt;
    reply.metrics.promptTokens = started.promptTokens;
    reply.metrics.cachedTokens = started.cachedTokens;
    emit messageChanged(index);
}

void ChatModel::append(const QList<Token>& tokens)
{
    std::map<int, int> grown; // index of the message -> first new token
    for (const Token& token : tokens) {
        const int index = token.choice == 0 ? indexOfTicket(token.ticket) : -1;
        if (index < 0)
            continue;
        Reply& reply = m_messages[static_cast<std::size_t>(index)].reply;
        grown.try_emplace(index, static_cast<int>(reply.tokens.size()));
        // A special token's bytes are empty; its place in the answer is the end so far.
        const std::uint64_t begin = reply.bytes.size();
        reply.bytes += token.bytes;
        reply.tokens.push_back({token.id, begin, reply.bytes.size(), token.stats, token.record});
        reply.releasedTo = std::min<std::uint64_t>(token.releasedTo, reply.bytes.size());
        reply.state = ReplyState::Streaming;
    }
    for (const auto& [index, first] : grown)
        emit replyGrew(index, first);
}

void ChatModel::finish(const Finished& finished)
{
    const int index = finished.choice == 0 ? indexOfTicket(finished.ticket) : -1;
    if (index < 0)
        return;
    m_running.erase(finished.ticket);
    Reply& reply = m_messages[static_cast<std::size_t>(index)].reply;
    reply.state = ReplyState::Complete;
    reply.finish = finished.reason;
    reply.stopString = finished.stopString;
    reply.metrics = finished.metrics;
    reply.releasedTo = std::min<std::uint64_t>(finished.answerBytes, reply.bytes.size());
    emit messageChanged(index);
}

void ChatModel::fail(const Failed& failed)
{
    const int index = indexOfTicket(failed.ticket);
    if (index < 0)
        return;
    m_running.erase(failed.ticket);
    Reply& reply = m_messages[static_cast<std::size_t>(index)].reply;
    reply.state = ReplyState::Failed;
    reply.error = failed.error;
    emit messageChanged(index);
}

} // namespace kaikou
