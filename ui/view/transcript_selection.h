#pragma once

#include "ui/model/chat_model.h"

#include <QString>

#include <cstdint>

namespace kaikou {

// A gap between bytes of a message's visible text.
struct TextPlace
{
    quint64 message = 0; // id; ids ascend down the transcript
    std::uint64_t byte = 0;

    friend auto operator<=>(const TextPlace&, const TextPlace&) = default; // NOLINT(modernize-use-nullptr)
};

// The bytes of a message's visible text: the user's words, or what was released of an answer. Notes have
// none.
[[nodiscard]] std::string_view visibleText(const Message& message);

// What is marked for copying, from the place of the press to that of the pointer, across messages.
class TranscriptSelection
{
public:
    void set(TextPlace anchor, TextPlace head);

    void moveHead(TextPlace head) { m_head = head; }

    void clear() { m_anchor = m_head = {}; }

    [[nodiscard]] bool empty() const { return m_anchor == m_head; }

    [[nodiscard]] TextPlace first() const { return m_anchor < m_head ? m_anchor : m_head; }

    [[nodiscard]] TextPlace last() const { return m_anchor < m_head ? m_head : m_anchor; }

    // Bytes [begin, end) of this message; empty range when it is outside.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> bytesOf(const Message& message) const;
    // The bytes themselves, messages separated by one line end.
    [[nodiscard]] std::string bytes(const ChatModel& chat) const;
    // Rows of every token in the selection, with a head row: tab-separated, bytes in hex.
    [[nodiscard]] QString table(const ChatModel& chat) const;

private:
    TextPlace m_anchor;
    TextPlace m_head;
};

// The same rows for a whole reply.
[[nodiscard]] QString replyTable(const Reply& reply);

} // namespace kaikou
