#include "ui/model/chat_model.h"

#include <algorithm>
#include <iterator>
#include <span>

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
    if (message.id == 0)
        message.id = nextId();
    const quint64 id = message.id;
    m_messages.push_back(std::move(message));
    emit messagesInserted(count() - 1, 1);
    return id;
}

quint64 ChatModel::nextId()
{
    return m_next ? m_next() : ++m_lastId;
}

quint64 ChatModel::lastAnswer() const
{
    for (int i = count() - 1; i >= 0; --i) {
        if (at(i).kind != MessageKind::Note)
            return at(i).kind == MessageKind::Answer ? at(i).id : 0;
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

quint64 ChatModel::newReplyId()
{
    nextId();
    nextId();
    return nextId();
}

void ChatModel::attach(quint64 reply, Ticket ticket)
{
    m_running[ticket] = reply;
}

quint64 ChatModel::beginReply(Ticket ticket, ReplySetup setup)
{
    Message message;
    message.id = newReplyId();
    message.kind = MessageKind::Answer;
    message.reply.setup = std::move(setup);
    const quint64 id = insert(std::move(message));
    attach(id, ticket);
    return id;
}

void ChatModel::setVariant(int index, int variant, int variants)
{
    Message& message = m_messages[static_cast<std::size_t>(index)];
    if (message.variant == variant && message.variants == variants)
        return;
    message.variant = variant;
    message.variants = variants;
    emit messageChanged(index);
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
        dropLogits(token);
    emit messageChanged(index);
}

void ChatModel::useText(const QString& fingerprint, const std::shared_ptr<const TextModel>& text)
{
    for (int i = 0; i < count(); ++i) {
        ReplySetup& setup = m_messages[static_cast<std::size_t>(i)].reply.setup;
        if (setup.text || fingerprint.isEmpty() || setup.fingerprint != fingerprint)
            continue;
        setup.text = text;
        emit messageChanged(i);
    }
}

void ChatModel::setRecords(quint64 reply, const std::vector<std::shared_ptr<const StepRecord>>& records)
{
    const int index = indexOf(reply);
    if (index < 0)
        return;
    std::vector<ReplyToken>& tokens = m_messages[static_cast<std::size_t>(index)].reply.tokens;
    for (std::size_t i = 0; i < std::min(tokens.size(), records.size()); ++i) {
        if (!records[i])
            continue;
        auto record = std::make_shared<StepRecord>(*records[i]);
        record->stats.u = tokens[i].stats.u;
        tokens[i].record = std::move(record);
    }
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

std::vector<Message> ChatModel::take(int first)
{
    std::vector<Message> taken;
    const auto begin = m_messages.begin() + first;
    std::ranges::move(begin, m_messages.end(), std::back_inserter(taken));
    const auto number = static_cast<int>(taken.size());
    for (const Message& message : taken)
        std::erase_if(m_running, [&message](const auto& running) { return running.second == message.id; });
    m_messages.erase(begin, m_messages.end());
    if (number > 0)
        emit messagesRemoved(first, number);
    return taken;
}

void ChatModel::add(std::vector<Message> messages)
{
    if (messages.empty())
        return;
    const int first = count();
    m_lastId = std::max(m_lastId, messages.back().id);
    std::ranges::move(messages, std::back_inserter(m_messages));
    emit messagesInserted(first, static_cast<int>(messages.size()));
}

void ChatModel::clear()
{
    m_messages.clear();
    m_running.clear();
    emit reset();
}

Turns ChatModel::turns(bool useEarlier, std::string system, int end) const
{
    const int stop = end < 0 ? count() : end;
    Turns result;
    result.system = std::move(system);
    if (useEarlier)
        result.turns = answered(false, stop);
    // The last question is what is asked now, whatever was answered to it before.
    const auto from = m_messages.rbegin() + (count() - stop);
    const auto last = std::find_if(from, m_messages.rend(),
        [](const Message& message) { return message.kind == MessageKind::Question; });
    if (last != m_messages.rend())
        result.turns.push_back({Role::User, last->text});
    return result;
}

Turns ChatModel::turnsWith(std::string question, bool useEarlier, int end) const
{
    Turns result;
    if (useEarlier)
        result.turns = answered(true, end < 0 ? count() : end);
    result.turns.push_back({Role::User, std::move(question)});
    return result;
}

// Questions with the last usable reply to each; those without one stay out.
std::vector<Turn> ChatModel::answered(bool lastToo, int end) const
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
    for (const Message& message : std::span(m_messages).first(static_cast<std::size_t>(end))) {
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
        appendToken(reply, token);
    }
    for (const auto& [index, first] : grown)
        emit replyGrew(index, first);
}

void ChatModel::finish(const Finished& finished)
{
    const auto found = m_running.find(finished.ticket);
    if (finished.choice == 0 && found != m_running.end())
        finishReply(found->second, finished);
}

void ChatModel::finishReply(quint64 id, const Finished& finished)
{
    const int index = indexOf(id);
    if (index < 0)
        return;
    std::erase_if(m_running, [id](const auto& running) { return running.second == id; });
    Reply& reply = m_messages[static_cast<std::size_t>(index)].reply;
    kaikou::finishReply(reply, finished);
    emit messageChanged(index);
}

void ChatModel::fail(const Failed& failed)
{
    const auto found = m_running.find(failed.ticket);
    if (found != m_running.end())
        failReply(found->second, failed.error);
}

void ChatModel::failReply(quint64 id, const Error& error)
{
    const int index = indexOf(id);
    if (index < 0)
        return;
    std::erase_if(m_running, [id](const auto& running) { return running.second == id; });
    Reply& reply = m_messages[static_cast<std::size_t>(index)].reply;
    reply.state = ReplyState::Failed;
    reply.error = error;
    emit messageChanged(index);
}

} // namespace kaikou
