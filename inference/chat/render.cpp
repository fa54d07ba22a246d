#include "inference/chat/render.h"

#include "inference/chat/form_text.h"

namespace kaikou {

namespace {

// Collects segments; neighbours of equal origin are kept apart, which costs nothing.
class Renderer
{
public:
    void add(std::string_view text, TokenSource source, std::int32_t turn = -1)
    {
        if (!text.empty())
            m_segments.push_back({std::string(text), {source, turn}});
    }

    void systemLine(std::string_view text, std::int32_t turn = -1)
    {
        add(text, TokenSource::Text, turn);
        if (!text.empty())
            breakLine(turn);
    }

    void labelled(std::string_view label, const Turn& turn, std::int32_t index)
    {
        add(label, TokenSource::Form, index);
        add(turn.text, TokenSource::Text, index);
    }

    void breakLine(std::int32_t turn)
    {
        if (!m_segments.empty() && !m_segments.back().text.ends_with('\n'))
            add("\n", TokenSource::Form, turn);
    }

    std::vector<Segment> take() { return std::move(m_segments); }

private:
    std::vector<Segment> m_segments;
};

// 用户:Q1\n助手:A1\n用户:Q2\n助手: - an assistant's turn at the end is gone on with.
void renderUserAssistant(Renderer& out, const Turn& turn, std::int32_t index, bool last)
{
    switch (turn.role) {
    case Role::System:
        out.systemLine(turn.text, index);
        return;
    case Role::User:
        out.labelled(kUserLabel, turn, index);
        out.add("\n", TokenSource::Form, index);
        if (last)
            out.add(kAssistantLabel, TokenSource::Form);
        return;
    case Role::Assistant:
        out.labelled(kAssistantLabel, turn, index);
        if (!last)
            out.add("\n", TokenSource::Form, index);
        return;
    }
}

void renderContinuation(Renderer& out, const Turn& turn, std::int32_t index)
{
    if (turn.role != Role::Assistant)
        out.breakLine(index);
    out.add(turn.text, TokenSource::Text, index);
}

} // namespace

std::vector<Exchange> exchangesOf(const std::vector<Turn>& turns)
{
    std::vector<Exchange> exchanges;
    bool emptyReply = false;
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const bool reply = turns[i].role == Role::Assistant;
        const bool afterReply = i > 0 && turns[i - 1].role == Role::Assistant;
        if (i == 0 || (!reply && afterReply)) {
            if (emptyReply)
                exchanges.pop_back();
            exchanges.push_back({i, i});
        }
        exchanges.back().end = i + 1;
        emptyReply = reply && turns[i].text.empty();
    }
    return exchanges;
}

std::vector<Segment> render(
    const Turns& turns, const std::vector<Exchange>& exchanges, std::size_t firstExchange, ChatForm form)
{
    Renderer out;
    out.systemLine(turns.system);
    for (std::size_t e = firstExchange; e < exchanges.size(); ++e) {
        for (std::size_t i = exchanges[e].begin; i < exchanges[e].end; ++i) {
            const auto index = static_cast<std::int32_t>(i);
            if (form == ChatForm::UserAssistant)
                renderUserAssistant(out, turns.turns[i], index, i + 1 == turns.turns.size());
            else
                renderContinuation(out, turns.turns[i], index);
        }
    }
    return out.take();
}

std::string textOf(const std::vector<Segment>& segments)
{
    std::string text;
    for (const Segment& segment : segments)
        text += segment.text;
    return text;
}

} // namespace kaikou
