#include "tests/support/test_registry.h"
#include "ui/model/trouble.h"

#include <QtTest>

#include <cmath>

using namespace kaikou;

namespace {

Reply replyOf(const std::vector<std::string>& tokens, double entropy = 1.0)
{
    Reply reply;
    reply.state = ReplyState::Complete;
    reply.finish = FinishReason::Eos;
    StepRecord record;
    record.logits.vocab = 1000;
    const auto shared = std::make_shared<const StepRecord>(record);
    for (const std::string& bytes : tokens) {
        ReplyToken token;
        token.byteBegin = reply.bytes.size();
        reply.bytes += bytes;
        token.byteEnd = reply.bytes.size();
        token.stats.entropy = entropy;
        token.record = shared;
        reply.tokens.push_back(token);
    }
    reply.releasedTo = reply.bytes.size();
    return reply;
}

} // namespace

class TstTrouble : public QObject
{
    Q_OBJECT

private slots:
    void wellMeansNothing();
    void loops();
    void brokenText();
    void untrained();
    void noRoom();
};

void TstTrouble::wellMeansNothing()
{
    QVERIFY(!troubleOf(replyOf({"今", "天", "天", "气", "很", "好", "，", "去", "玩", "吧"})));
    QVERIFY(!troubleOf(replyOf({"哈", "哈"})));
    Reply running = replyOf(std::vector<std::string>(30, "好好"));
    running.state = ReplyState::Streaming;
    QVERIFY(!troubleOf(running));
}

void TstTrouble::loops()
{
    std::vector<std::string> tokens {"开", "头"};
    for (int i = 0; i < 4; ++i)
        tokens.insert(tokens.end(), {"我", "想", "睡", "觉", "，"});
    const auto trouble = troubleOf(replyOf(tokens));
    QVERIFY(trouble && trouble->kind == TroubleKind::Loop);
    QCOMPARE(trouble->detail, QStringLiteral("我想睡觉，"));
    QCOMPARE(trouble->count, 4);
}

void TstTrouble::brokenText()
{
    const auto trouble = troubleOf(replyOf(std::vector<std::string>(10, "\xE4")));
    QVERIFY(trouble && trouble->kind == TroubleKind::BrokenText);
    // A character in three tokens is whole text.
    QVERIFY(!troubleOf(replyOf({"\xE4", "\xBD", "\xA0", "\xE5", "\xA5", "\xBD", "\xE5", "\x90", "\x97"})));
}

void TstTrouble::untrained()
{
    std::vector<std::string> tokens;
    for (int i = 0; i < 12; ++i)
        tokens.push_back(std::string(1, static_cast<char>('a' + i)));
    const auto trouble = troubleOf(replyOf(tokens, 0.9 * std::log(1000.0)));
    QVERIFY(trouble && trouble->kind == TroubleKind::Untrained);
    QVERIFY(!troubleOf(replyOf(tokens, 0.5 * std::log(1000.0)))); // a bold story is no such thing
}

void TstTrouble::noRoom()
{
    Reply reply = replyOf({"好"});
    reply.finish = FinishReason::Context;
    reply.metrics.promptTokens = 500;
    const auto trouble = troubleOf(reply);
    QVERIFY(trouble && trouble->kind == TroubleKind::NoRoom);
    QCOMPARE(trouble->count, 500);
}

KAIKOU_TEST(TstTrouble)
#include "tst_trouble.moc"
