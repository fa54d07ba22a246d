#include "ui/model/chat_session.h"

#include "inference/chat/reply_guard.h"
#include "ui/model/chat_notes.h"
#include "ui/model/chosen_token.h"
#include "ui/model/generation_bridge.h"

#include <algorithm>

namespace kaikou {

namespace {

bool isTeacher(Family family)
{
    return family == Family::GptTeacher || family == Family::GptTeacherFirst;
}

Error noSuchMessage()
{
    return {ErrorCode::Internal, "the message is not on screen", {}};
}

// The first `count` tokens of a reply with their bytes.
Reply beginningOf(const Reply& reply, int count)
{
    Reply begun;
    begun.tokens.assign(reply.tokens.begin(), reply.tokens.begin() + count);
    if (count > 0)
        begun.bytes = reply.bytes.substr(0, begun.tokens.back().byteEnd);
    begun.releasedTo = begun.bytes.size();
    return begun;
}

// A token the user chose instead of the one that `reply` has at this place.
void appendChosen(Reply& begun, TokenId id, const Reply& reply, const TextModel& text)
{
    const auto place = static_cast<int>(begun.tokens.size());
    ReplyToken token = reply.tokens[begun.tokens.size()];
    token.id = id;
    token.byteBegin = begun.bytes.size();
    if (!text.isSpecial(id))
        begun.bytes += text.piece(id);
    token.byteEnd = begun.bytes.size();
    token.stats = statsOfChosen(stepView(reply, place), id);
    begun.tokens.push_back(std::move(token));
    begun.releasedTo = begun.bytes.size();
}

} // namespace

ChatSession::ChatSession(ChatModel& chat, GenerationBridge& bridge, QObject* parent)
    : QObject(parent)
    , m_chat(chat)
    , m_bridge(bridge)
{
    // The chat model hears every event first, so that replyEnded finds the finished reply.
    connect(&bridge, &GenerationBridge::started, &chat, &ChatModel::start);
    connect(&bridge, &GenerationBridge::tokensArrived, &chat, &ChatModel::append);
    connect(&bridge, &GenerationBridge::finished, &chat, &ChatModel::finish);
    connect(&bridge, &GenerationBridge::failed, &chat, &ChatModel::fail);
    connect(&bridge, &GenerationBridge::finished, this, &ChatSession::finish);
    connect(&bridge, &GenerationBridge::failed, this, &ChatSession::fail);
}

void ChatSession::setModel(const OpenedModel& model)
{
    stopNow();
    m_bridge.setService(model.service);
    m_model = model;
    nameTokens();
}

void ChatSession::setFallbackLines(std::vector<std::string> lines)
{
    m_fallback = std::move(lines);
}

Result<quint64> ChatSession::ask(const QString& text, const Ask& ask)
{
    return begin({m_chat.count(), text.toStdString(), {}}, ask);
}

Result<quint64> ChatSession::askAgain(const Ask& ask)
{
    int last = m_chat.count();
    while (last > 0 && m_chat.at(last - 1).kind != MessageKind::Question)
        --last;
    return begin({last, std::nullopt, {}}, ask);
}

Result<quint64> ChatSession::answerAgain(quint64 answer, const Ask& ask)
{
    const int index = m_chat.indexOf(answer);
    if (index < 0)
        return noSuchMessage();
    return begin({answerBegin(index), std::nullopt, {}}, ask);
}

Result<quint64> ChatSession::askInstead(quint64 question, const QString& text, const Ask& ask)
{
    const int index = m_chat.indexOf(question);
    if (index < 0)
        return noSuchMessage();
    return begin({index, text.toStdString(), {}}, ask);
}

Result<quint64> ChatSession::goOn(quint64 answer, int keep, std::optional<TokenId> next, const Ask& ask)
{
    const int index = m_chat.indexOf(answer);
    const Reply* reply = m_chat.reply(answer);
    const auto kept = static_cast<std::size_t>(keep);
    if (index < 0 || reply == nullptr || keep < 0 || kept + (next ? 1 : 0) > reply->tokens.size())
        return noSuchMessage();
    Beginning how {answerBegin(index), std::nullopt, beginningOf(*reply, keep)};
    if (next) {
        const auto text = m_model ? m_model->service->text() : nullptr;
        if (!text)
            return Error {ErrorCode::DeviceUnavailable, "no model is open", {}};
        appendChosen(how.begun, *next, *reply, *text);
    }
    return begin(std::move(how), ask);
}

void ChatSession::stop()
{
    if (m_running && m_running->ticket == Ticket {})
        stopNow();
    else if (m_running)
        m_bridge.cancel(m_running->ticket);
}

void ChatSession::newChat()
{
    stopNow();
    m_chat.clear();
    m_tree.clear();
}

void ChatSession::nameTokens()
{
    if (m_model)
        m_chat.useText(
            QString::fromStdString(m_model->service->capabilities().fingerprint), m_model->service->text());
}

Request ChatSession::requestWith(const QString& draft, const Ask& ask) const
{
    Turns turns = m_chat.turnsWith(draft.toStdString(), ask.useEarlier);
    turns.system = m_system;
    return requestFor(std::move(turns), ask);
}

bool ChatSession::hasQuestion() const
{
    return !lastQuestion().isEmpty();
}

QString ChatSession::lastQuestion() const
{
    for (int i = m_chat.count() - 1; i >= 0; --i) {
        if (m_chat.at(i).kind == MessageKind::Question)
            return QString::fromStdString(m_chat.at(i).text);
    }
    return {};
}

Request ChatSession::requestFor(Turns turns, const Ask& ask) const
{
    Request request;
    request.prompt = std::move(turns);
    request.sampling = ask.params.sampling;
    request.stops = ask.params.stops;
    request.positions = ask.params.positions;
    request.maxTokens = ask.params.maxTokens;
    request.trace = TraceLevel::Full;
    request.recordLimitBytes = ask.recordLimitBytes;
    request.seed = ask.seed;
    return request;
}

Request ChatSession::requestOf(const Beginning& how, const Ask& ask) const
{
    Turns turns = how.question ? m_chat.turnsWith(*how.question, ask.useEarlier, how.cut)
                               : m_chat.turns(ask.useEarlier, {}, how.cut);
    turns.system = m_system;
    Request request = requestFor(std::move(turns), ask);
    for (const ReplyToken& token : how.begun.tokens)
        request.said.push_back(token.id);
    return request;
}

ReplySetup ChatSession::setupOf(const Ask& ask) const
{
    const Capabilities can = m_model->service->capabilities();
    ReplySetup setup;
    setup.params = ask.params.sampling;
    setup.seed = ask.seed;
    setup.maxTokens = ask.params.maxTokens;
    setup.positions = ask.params.positions;
    setup.stops = ask.params.stops;
    setup.useEarlier = ask.useEarlier;
    setup.modelName = m_model->name;
    setup.fingerprint = QString::fromStdString(can.fingerprint);
    setup.backend = QString::fromStdString(can.backend);
    setup.family = can.family;
    setup.gptTeacher = isTeacher(setup.family) && ask.params.sampling.semantics == Semantics::GptTeacher;
    setup.text = m_model->service->text();
    return setup;
}

Result<quint64> ChatSession::begin(Beginning how, const Ask& ask)
{
    if (!m_model)
        return Error {ErrorCode::DeviceUnavailable, "no model is open", {}};
    Running running;
    if (m_held) {
        running.request = requestOf(how, ask);
    } else {
        KAIKOU_TRY(running.ticket, m_bridge.submit(requestOf(how, ask)));
    }
    const bool asked = how.question.has_value();
    putAside(how.cut);
    if (how.question) {
        const quint64 parent = lastNode();
        m_tree.add(m_chat.addQuestion(std::move(*how.question)), parent);
    }
    const quint64 question = lastNode();
    how.begun.setup = setupOf(ask);
    how.begun.setup.said = static_cast<int>(how.begun.tokens.size());
    const quint64 reply = addAnswer(std::move(how.begun));
    m_tree.add(reply, question);
    countVariants(how.cut);
    running.reply = reply;
    running.question = asked ? question : 0;
    m_running = std::move(running);
    if (m_running->ticket != Ticket {})
        m_chat.attach(reply, m_running->ticket);
    emit replyStarted(reply);
    if (m_held)
        emit replyPrepared(reply);
    return reply;
}

void ChatSession::release(quint64 reply)
{
    if (!m_running || m_running->reply != reply || m_running->ticket != Ticket {})
        return;
    const auto ticket = m_bridge.submit(std::move(m_running->request));
    if (!ticket) {
        withdraw(ticket.error());
        return;
    }
    m_running->ticket = *ticket;
    m_chat.attach(reply, *ticket);
}

void ChatSession::dropRecords(quint64 reply)
{
    m_tree.dropRecords(reply);
}

void ChatSession::stopNow()
{
    if (!m_running)
        return;
    Finished last;
    last.reason = FinishReason::Cancelled;
    if (const Reply* reply = m_chat.reply(m_running->reply))
        last.answerBytes = reply->releasedTo;
    if (m_running->ticket != Ticket {})
        m_bridge.abandon(m_running->ticket);
    m_chat.finishReply(m_running->reply, last);
    end();
}

void ChatSession::finish(const Finished& finished)
{
    if (!m_running || finished.ticket != m_running->ticket)
        return;
    const Reply* reply = m_chat.reply(m_running->reply);
    if (reply != nullptr && finished.reason != FinishReason::Cancelled && isEmptyReply(reply->answer()))
        m_chat.setFallback(
            m_running->reply, QString::fromStdString(fallbackSentence(m_fallback, reply->setup.seed)));
    end();
}

void ChatSession::fail(const Failed& failed)
{
    if (m_running && failed.ticket == m_running->ticket)
        end();
}

void ChatSession::end()
{
    const quint64 reply = m_running->reply;
    m_running.reset();
    emit replyEnded(reply);
}

} // namespace kaikou
