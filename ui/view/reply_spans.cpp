#include "ui/view/reply_spans.h"

#include "ui/model/reply.h"
#include "ui/model/token_label.h"

#include <algorithm>

namespace kaikou {

bool ReplySpans::sync(const Reply& reply)
{
    const qsizetype before = m_spans.text().size();
    while (m_next < reply.tokens.size()) {
        const ReplyToken& token = reply.tokens[m_next];
        if (token.byteBegin == token.byteEnd) {
            if (!showSpecial(reply, token))
                break;
            ++m_next;
            continue;
        }
        const std::uint64_t to = std::min(token.byteEnd, reply.releasedTo);
        if (to > m_shownTo) {
            const std::string_view fresh = std::string_view(reply.bytes).substr(m_shownTo, to - m_shownTo);
            if (m_partial)
                m_spans.extend(fresh);
            else
                m_spans.addToken(fresh, token.stats.pModel);
            m_shownTo = to;
            m_partial = true;
        }
        if (to < token.byteEnd)
            break; // the rest is held back, or a stop string took it away
        m_partial = false;
        ++m_next;
    }
    if (!reply.running())
        m_spans.close();
    return m_spans.text().size() != before;
}

// A special token stands behind all bytes before it; false = some of those are not shown (yet).
bool ReplySpans::showSpecial(const Reply& reply, const ReplyToken& token)
{
    if (token.byteBegin > m_shownTo)
        return false;
    // A token without bytes that is not special (a deleted space) takes no room.
    constexpr QChar kThinSpace(0x2009);
    const QString label = token.stats.special
        ? kThinSpace + tokenLabel(reply.setup.text.get(), token.id) + kThinSpace
        : QString();
    m_spans.addSpecial(label, token.stats.pModel);
    return true;
}

} // namespace kaikou
