#pragma once

#include "ui/model/chat_model.h"

#include <QObject>

#include <optional>

namespace kaikou {

class GenerationBridge;

// Brings back the full distributions of a reply whose logits are gone: the model scores the stored ids again,
// and by the engine's promise the logits are those of the first time. GUI thread.
class Recompute : public QObject
{
    Q_OBJECT

public:
    Recompute(ChatModel& chat, GenerationBridge& bridge, QObject* parent = nullptr);

    // Whether the open model (its fingerprint) can do it: it wrote the reply, and the prompt's ids are known.
    [[nodiscard]] static bool possible(const Reply& reply, const QString& fingerprint);

    // One reply at a time; an earlier run is given up. Errors as submit.
    Result<void> start(quint64 reply);

    [[nodiscard]] bool running() const noexcept { return m_ticket.has_value(); }

signals:
    void done(quint64 reply);
    void failed(quint64 reply, const kaikou::Error& error);

private:
    void append(const QList<Token>& tokens);
    void finish(const Finished& finished);
    void fail(const Failed& broken);

    ChatModel& m_chat;
    GenerationBridge& m_bridge;
    std::optional<Ticket> m_ticket;
    quint64 m_reply = 0;
    std::vector<std::shared_ptr<const StepRecord>> m_records; // of the reply's tokens in order
};

} // namespace kaikou
