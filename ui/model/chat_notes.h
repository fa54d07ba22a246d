#pragma once

#include "ui/model/chat_model.h"

#include <vector>

namespace kaikou {

// What the program says between the messages of one conversation: derived from how neighbouring replies were
// asked for, so that it is the same after a restart and on every branch.
class ChatNotes
{
public:
    void pass(const Message& message); // the next one of the path

    // The notes that stand before an answer at this place; their ids lie just below the answer's.
    [[nodiscard]] std::vector<Message> before(const ReplySetup& next, quint64 answer) const;

private:
    QString m_fingerprint; // of the last answer's model
    bool m_alone = false; // the last answer had no earlier turns
    bool m_answered = false; // there is an answer that may be part of a prompt
};

} // namespace kaikou
