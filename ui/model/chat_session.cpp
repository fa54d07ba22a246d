#include "ui/model/chat_session.h"

#include "inference/chat/reply_guard.h"
#include "ui/model/chat_model.h"
#include "ui/model/generation_bridge.h"

namespace kaikou {

namespace {

bool isTeacher(Family family)
{
    return family == Family::GptTeacher || family == Family::GptTeacherFirst;
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
    if (m_running) {
        // The old model's last words do not arrive any more: close the reply here.
        Finished last;
        last.ticket = m_running->ticket;
        last.reason = FinishReason::Cancelled;
        const Reply* reply = m_chat.reply(m_running->reply);
        last.answerBytes = reply ? reply->releasedTo : 0;
        m_bridge.setService(model.service);
        m_chat.finish(last);
        finish(last);
    } else {
        m_bridge.setService(model.service);
    }
    m_model = model;
}

void ChatSession::setFallbackLines(std::vector<std::string> lines)
{
    m_fallback = std::move(lines);
}

Result<quint64> ChatSession::ask(const QString& text, const Ask& ask)
{
    m_chat.addQuestion(text.toStdString());
    auto started = submit(ask);
    if (!started)
        m_chat.remove(m_chat.count() - 1, 1);
    return started;
}

Result<quint64> ChatSession::askAgain(const Ask& ask)
{
    return submit(ask);
}

void ChatSession::stop()
{
    if (m_running)
        m_bridge.cancel(m_running->ticket);
}

void ChatSession::newChat()
{
    if (m_running) {
        m_bridge.abandon(m_running->ticket);
        end();
    }
    m_chat.clear();
    m_lastFingerprint.clear();
}

Request ChatSession::requestWith(const QString& draft, const Ask& ask) const
{
    return requestFor(m_chat.turnsWith(draft.toStdString(), ask.useEarlier), ask);
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

Result<quint64> ChatSession::submit(const Ask& ask)
{
    if (!m_model)
        return Error {ErrorCode::DeviceUnavailable, "no model is open", {}};
    KAIKOU_TRY(const Ticket ticket, m_bridge.submit(requestFor(m_chat.turns(ask.useEarlier), ask)));
    removeLastAnswer();
    noteChanges(ask);
    ReplySetup setup;
    setup.params = ask.params.sampling;
    setup.seed = ask.seed;
    setup.maxTokens = ask.params.maxTokens;
    setup.positions = ask.params.positions;
    setup.modelName = m_model->name;
    setup.family = m_model->service->capabilities().family;
    setup.gptTeacher = isTeacher(setup.family) && ask.params.sampling.semantics == Semantics::GptTeacher;
    setup.text = m_model->service->text();
    m_running = Running {ticket, m_chat.beginReply(ticket, std::move(setup))};
    emit replyStarted(m_running->reply);
    return m_running->reply;
}

// With what was said about how it was asked; a note that another model answers from here on stays true.
void ChatSession::removeLastAnswer()
{
    for (int i = m_chat.count() - 1; i >= 0 && m_chat.at(i).kind != MessageKind::Question; --i) {
        const Message& message = m_chat.at(i);
        if (message.kind == MessageKind::Note && message.note.kind == NoteKind::ModelChanged)
            continue;
        m_lastEarlier = m_lastEarlier || message.note.kind == NoteKind::EarlierTurnsOff;
        m_chat.remove(i, 1);
    }
}

// Says in the transcript what is different from the turn before.
void ChatSession::noteChanges(const Ask& ask)
{
    const QString fingerprint = QString::fromStdString(m_model->service->capabilities().fingerprint);
    if (!m_lastFingerprint.isEmpty() && fingerprint != m_lastFingerprint)
        m_chat.addNote({NoteKind::ModelChanged, m_model->name});
    m_lastFingerprint = fingerprint;
    const bool hasEarlier = m_chat.turns(true).turns.size() > 1;
    if (!ask.useEarlier && m_lastEarlier && hasEarlier)
        m_chat.addNote({NoteKind::EarlierTurnsOff, {}});
    m_lastEarlier = ask.useEarlier;
}

void ChatSession::finish(const Finished& finished)
{
    if (!m_running || finished.ticket != m_running->ticket)
        return;
    const Reply* reply = m_chat.reply(m_running->reply);
    const bool cancelled = finished.reason == FinishReason::Cancelled;
    if (reply != nullptr && !cancelled && isEmptyReply(reply->answer()))
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
