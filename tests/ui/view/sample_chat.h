#pragma once

#include "tests/support/fake_service.h"
#include "ui/model/chat_model.h"

namespace kaikou::test {

inline constexpr auto kEosId = TokenId {2};

inline Ticket nextTicket()
{
    static std::uint64_t last = 1'000'000;
    return Ticket {++last};
}

inline ReplySetup sampleSetup()
{
    ReplySetup setup;
    setup.params.temperature = 0.7F;
    setup.params.topP = 0.9F;
    setup.seed = 8'041'297'355'012'664;
    setup.modelName = QStringLiteral("gpt_teacher");
    setup.text = std::make_shared<FakeTextModel>();
    return setup;
}

// Hands a script to the model as the bridge would, `batch` tokens per signal. Gives the reply's id.
inline quint64 play(
    ChatModel& chat, const ReplyScript& script, ReplySetup setup = sampleSetup(), int batch = 16)
{
    const quint64 id = chat.beginReply(ticketOf(script.events().front()), std::move(setup));
    QList<Token> waiting;
    const auto flush = [&] {
        if (!waiting.isEmpty())
            chat.append(std::exchange(waiting, {}));
    };
    for (const Event& event : script.events()) {
        if (const auto* token = std::get_if<Token>(&event)) {
            waiting.append(*token);
            if (waiting.size() >= batch)
                flush();
            continue;
        }
        flush();
        if (const auto* started = std::get_if<Started>(&event))
            chat.start(*started);
        if (const auto* finished = std::get_if<Finished>(&event))
            chat.finish(*finished);
        if (const auto* failed = std::get_if<Failed>(&event))
            chat.fail(*failed);
    }
    flush();
    return id;
}

// 注意力机制 with a split character, all five colour steps and an end token.
inline ReplyScript attentionScript(Ticket ticket = nextTicket())
{
    ReplyScript script(ticket);
    script.say("注意力机制", 0.99).say("是", 0.97).say("一种", 0.86).say("让", 0.62).say("模型", 0.93);
    script.say("在", 0.31).say("处理", 0.88).say("序列", 0.74).say("时", 0.97).say("，", 0.99);
    script.say("能够", 0.44).say("\xE9\x87", 0.7).say("\x8F", 0.95).say("化", 0.15).say("每个", 0.52);
    script.say("词", 0.81).say("的", 0.98).say("重要", 0.91).say("性", 0.99).say("的", 0.96);
    script.say("方法", 0.78).say("。", 0.97).special(kEosId, 0.93);
    return script;
}

// An English and Chinese text of `tokens` tokens with paragraphs, deterministic.
inline ReplyScript longScript(int tokens, Ticket ticket = nextTicket())
{
    static const char* const kWords[]
        = {"模型", " attention", "的", "概率", "，", " token", "温度", "越高", " the", "分布", "越", "平",
            "。", " model", "选择", "下一个", "词", "\n", "因为", " softmax", "更", "均匀"};
    ReplyScript script(ticket);
    std::uint64_t state = 12345;
    for (int i = 0; i < tokens; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        script.say(kWords[(state >> 33) % std::size(kWords)],
            0.02 + 0.97 * static_cast<double>((state >> 40) % 1000) / 1000);
    }
    return script;
}

} // namespace kaikou::test
