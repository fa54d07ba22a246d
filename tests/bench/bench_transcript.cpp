// The transcript's speed, as desktop.md T1 asks for it: opening 10,000 messages, streaming into them,
// recolouring. No display needed; prints one line per number. bench_transcript [tokens per second …]
#include "ui/model/chat_model.h"
#include "ui/view/theme.h"
#include "ui/view/transcript_view.h"

#include <QApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

using namespace kaikou;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMessages = 10'000;
constexpr int kTokensPerAnswer = 20; // 5,000 answers: 100,000 tokens
constexpr int kFrames = 600; // of 16 ms

double msSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Chinese and English tokens of one to three characters with probabilities of every band.
Token randomToken(std::mt19937& dice, std::uint64_t begin)
{
    static const char* const kWords[] = {"的", "模型", "概率", "一个", "词元", "，", "。", " the", " model",
        "温度", "采样", "注意力", " of", "好", "在", "我们", " token", "了", "不", "\n"};
    Token token;
    token.id = static_cast<TokenId>(dice() % 2800);
    token.bytes = kWords[dice() % std::size(kWords)];
    token.byteBegin = begin;
    token.releasedTo = begin + token.bytes.size();
    token.stats.pModel = token.stats.pShaped = token.stats.pSample
        = static_cast<double>(dice() % 1000) / 1000.0;
    token.stats.rank = 1;
    return token;
}

std::vector<Message> conversation(std::mt19937& dice)
{
    std::vector<Message> messages;
    for (quint64 i = 0; i < kMessages; ++i) {
        Message message;
        message.id = 10 * (i + 1);
        message.kind = i % 2 == 0 ? MessageKind::Question : MessageKind::Answer;
        message.text = "温度是什么？请举一个例子。";
        if (message.kind == MessageKind::Answer) {
            for (int t = 0; t < kTokensPerAnswer; ++t)
                appendToken(message.reply, randomToken(dice, message.reply.bytes.size()));
            message.reply.state = ReplyState::Complete;
            message.reply.finish = FinishReason::Eos;
        }
        messages.push_back(std::move(message));
    }
    return messages;
}

void paint(TranscriptView& view)
{
    view.viewport()->repaint();
}

void stream(ChatModel& chat, TranscriptView& view, int perSecond, std::mt19937& dice)
{
    static std::uint64_t next = 0;
    const Ticket ticket {++next};
    const quint64 id = chat.beginReply(ticket, {});
    std::vector<double> frames;
    double owed = 0.0;
    for (int frame = 0; frame < kFrames; ++frame) {
        owed += perSecond * 0.016;
        QList<Token> tokens;
        std::uint64_t at = chat.reply(id)->bytes.size();
        for (; owed >= 1.0; owed -= 1.0) {
            tokens.append(randomToken(dice, at));
            tokens.last().ticket = ticket;
            at = tokens.last().releasedTo;
        }
        const auto begin = Clock::now();
        chat.append(tokens);
        QCoreApplication::processEvents();
        paint(view);
        frames.push_back(msSince(begin));
    }
    Finished end;
    end.ticket = ticket;
    end.answerBytes = chat.reply(id)->bytes.size();
    chat.finish(end);
    std::ranges::sort(frames);
    double sum = 0.0;
    for (const double ms : frames)
        sum += ms;
    std::printf("stream %6d tokens/s: mean %.2f ms, p99 %.2f ms, worst %.2f ms a frame\n", perSecond,
        sum / kFrames, frames[kFrames * 99 / 100], frames.back());
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    applyTheme(app, ThemeMode::Light, 1.0);
    std::mt19937 dice(1);
    ChatModel chat;
    TranscriptView view(&chat);
    view.resize(900, 800);
    view.show();
    QCoreApplication::processEvents();
    std::vector<Message> messages = conversation(dice);

    auto begin = Clock::now();
    chat.add(std::move(messages));
    view.scrollToEnd();
    paint(view);
    std::printf("open %d messages, %d tokens: %.1f ms\n", kMessages, kMessages / 2 * kTokensPerAnswer,
        msSince(begin));

    int layouts = view.counters().layouts;
    begin = Clock::now();
    view.resize(700, 800);
    QCoreApplication::processEvents();
    paint(view);
    std::printf("resize: %.1f ms, %d layouts\n", msSince(begin), view.counters().layouts - layouts);

    std::vector<int> speeds {1000, 5000, 20000};
    if (argc > 1)
        speeds.clear();
    for (int i = 1; i < argc; ++i)
        speeds.push_back(std::atoi(argv[i]));
    for (const int speed : speeds)
        stream(chat, view, speed, dice);

    layouts = view.counters().layouts;
    begin = Clock::now();
    view.setColoured(false);
    paint(view);
    view.setColoured(true);
    paint(view);
    std::printf("recolour twice: %.2f ms, %d layouts\n", msSince(begin), view.counters().layouts - layouts);
    return 0;
}
