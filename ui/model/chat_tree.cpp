#include "ui/model/chat_tree.h"

#include <algorithm>

namespace kaikou {

void ChatTree::add(quint64 id, quint64 parent)
{
    m_parents[id] = parent;
    std::vector<quint64>& siblings = m_children[parent];
    siblings.insert(std::ranges::upper_bound(siblings, id), id);
}

void ChatTree::clear()
{
    m_parents.clear();
    m_children.clear();
    m_aside.clear();
}

void ChatTree::remove(quint64 id)
{
    std::erase(m_children[parent(id)], id);
    std::vector<quint64> gone {id};
    while (!gone.empty()) {
        const quint64 node = gone.back();
        gone.pop_back();
        const auto children = m_children.extract(node);
        if (!children.empty())
            gone.insert(gone.end(), children.mapped().begin(), children.mapped().end());
        m_parents.erase(node);
        m_aside.erase(node);
    }
}

quint64 ChatTree::parent(quint64 id) const
{
    const auto found = m_parents.find(id);
    return found == m_parents.end() ? 0 : found->second;
}

std::vector<quint64> ChatTree::variants(quint64 id) const
{
    if (!contains(id))
        return {};
    return m_children.at(parent(id));
}

std::vector<quint64> ChatTree::pathTo(quint64 id) const
{
    std::vector<quint64> path;
    for (quint64 at = id; at != 0; at = parent(at))
        path.push_back(at);
    std::ranges::reverse(path);
    return path;
}

quint64 ChatTree::leafBelow(quint64 id) const
{
    quint64 leaf = id;
    for (auto next = m_children.find(leaf); next != m_children.end() && !next->second.empty();
         next = m_children.find(leaf))
        leaf = next->second.back();
    return leaf;
}

void ChatTree::keep(Message message)
{
    const quint64 id = message.id;
    m_aside[id] = std::move(message);
}

Message ChatTree::takeBack(quint64 id)
{
    const auto found = m_aside.find(id);
    if (found == m_aside.end())
        return {};
    Message message = std::move(found->second);
    m_aside.erase(found);
    return message;
}

const Message* ChatTree::kept(quint64 id) const
{
    const auto found = m_aside.find(id);
    return found == m_aside.end() ? nullptr : &found->second;
}

void ChatTree::dropRecords(quint64 id)
{
    const auto found = m_aside.find(id);
    if (found == m_aside.end())
        return;
    for (ReplyToken& token : found->second.reply.tokens)
        dropLogits(token);
}

} // namespace kaikou
