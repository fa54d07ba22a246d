#pragma once

#include "ui/model/chat_model.h"

#include <map>
#include <vector>

namespace kaikou {

// The whole of one conversation: which message follows which, and the messages that are not on screen.
// Messages with the same parent are variants of each other, one of them is on screen. A value without
// signals; ids are those of ChatModel, a child's is greater than its parent's.
class ChatTree
{
public:
    // parent: the answer a question follows, the question an answer belongs to; 0 = first of the chat.
    void add(quint64 id, quint64 parent);
    void clear();
    void remove(quint64 id); // with all that follows it

    [[nodiscard]] bool contains(quint64 id) const { return m_parents.contains(id); }

    [[nodiscard]] quint64 parent(quint64 id) const; // 0 = none
    [[nodiscard]] std::vector<quint64> variants(quint64 id) const; // with itself, oldest first
    [[nodiscard]] std::vector<quint64> pathTo(quint64 id) const; // root first
    // The end of the newest branch that goes through `id`.
    [[nodiscard]] quint64 leafBelow(quint64 id) const;

    // Messages off the path, with all they hold.
    void keep(Message message);
    [[nodiscard]] Message takeBack(quint64 id); // kept before

    [[nodiscard]] bool keeps(quint64 id) const { return m_aside.contains(id); }

    [[nodiscard]] const Message* kept(quint64 id) const;
    void dropRecords(quint64 id); // of a kept reply

private:
    std::map<quint64, quint64> m_parents;
    std::map<quint64, std::vector<quint64>>
        m_children; // of each parent, oldest first; 0 = the first messages
    std::map<quint64, Message> m_aside;
};

} // namespace kaikou
