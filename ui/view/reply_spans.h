#pragma once

#include "ui/layout/token_spans.h"

namespace kaikou {

struct Reply;
struct ReplyToken;

// Follows a growing reply into a TokenSpans: exactly the released bytes, special tokens as chips.
class ReplySpans
{
public:
    // Takes over what is new since the last call; true = text was added.
    bool sync(const Reply& reply);

    [[nodiscard]] const TokenSpans& spans() const { return m_spans; }

private:
    [[nodiscard]] bool showSpecial(const Reply& reply, const ReplyToken& token);

    TokenSpans m_spans;
    std::size_t m_next = 0; // tokens wholly in m_spans
    std::uint64_t m_shownTo = 0; // bytes of the answer handed to m_spans
    bool m_partial = false; // token m_next is in m_spans with only its first bytes
};

} // namespace kaikou
