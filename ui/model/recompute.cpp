#include "ui/model/recompute.h"

#include "ui/model/generation_bridge.h"

namespace kaikou {

Recompute::Recompute(ChatModel& chat, GenerationBridge& bridge, QObject* parent)
    : QObject(parent)
    , m_chat(chat)
    , m_bridge(bridge)
{
    connect(&bridge, &GenerationBridge::tokensArrived, this, &Recompute::append);
    connect(&bridge, &GenerationBridge::finished, this, &Recompute::finish);
    connect(&bridge, &GenerationBridge::failed, this, &Recompute::fail);
}

bool Recompute::possible(const Reply& reply, const QString& fingerprint)
{
    return !reply.running() && !reply.tokens.empty() && reply.prompt && !reply.prompt->ids.empty()
        && !fingerprint.isEmpty() && reply.setup.fingerprint == fingerprint;
}

Result<void> Recompute::start(quint64 id)
{
    const Reply* reply = m_chat.reply(id);
    if (reply == nullptr || !reply->prompt)
        return Error {ErrorCode::PromptEmpty, "the prompt of this answer is not known", {}};
    Request request;
    request.prompt = reply->prompt->ids;
    for (const ReplyToken& token : reply->tokens)
        request.said.push_back(token.id);
    request.mode = Mode::Score;
    request.sampling = reply->setup.params;
    request.stops = reply->setup.stops;
    request.positions = reply->setup.positions;
    request.seed = reply->setup.seed;
    request.trace = TraceLevel::Full;
    KAIKOU_TRY(const Ticket ticket, m_bridge.submit(std::move(request)));
    if (m_ticket)
        m_bridge.abandon(*m_ticket);
    m_ticket = ticket;
    m_reply = id;
    m_records.clear();
    return {};
}

void Recompute::append(const QList<Token>& tokens)
{
    for (const Token& token : tokens) {
        if (m_ticket && token.ticket == *m_ticket)
            m_records.push_back(token.record);
    }
}

void Recompute::finish(const Finished& finished)
{
    if (!m_ticket || finished.ticket != *m_ticket)
        return;
    m_ticket.reset();
    m_chat.setRecords(m_reply, std::exchange(m_records, {}));
    emit done(m_reply);
}

void Recompute::fail(const Failed& broken)
{
    if (!m_ticket || broken.ticket != *m_ticket)
        return;
    m_ticket.reset();
    m_records.clear();
    emit failed(m_reply, broken.error);
}

} // namespace kaikou
