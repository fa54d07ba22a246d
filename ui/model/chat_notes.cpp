#include "ui/model/chat_notes.h"

namespace kaikou {

void ChatNotes::pass(const Message& message)
{
    if (message.kind != MessageKind::Answer)
        return;
    m_fingerprint = message.reply.setup.fingerprint;
    m_alone = !message.reply.setup.useEarlier;
    m_answered = m_answered || message.reply.usable();
}

std::vector<Message> ChatNotes::before(const ReplySetup& next, quint64 answer) const
{
    std::vector<Message> notes;
    const auto add = [&notes](NoteKind kind, const QString& detail) {
        Message message;
        message.kind = MessageKind::Note;
        message.note = {kind, detail};
        notes.push_back(std::move(message));
    };
    if (!m_fingerprint.isEmpty() && m_fingerprint != next.fingerprint)
        add(NoteKind::ModelChanged, next.modelName);
    if (!next.useEarlier && m_answered && !m_alone)
        add(NoteKind::EarlierTurnsOff, {});
    for (std::size_t i = 0; i < notes.size(); ++i)
        notes[i].id = answer - notes.size() + i;
    return notes;
}

} // namespace kaikou
