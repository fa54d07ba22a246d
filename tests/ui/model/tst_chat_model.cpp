#include "tests/support/test_registry.h"
#include "tests/ui/view/sample_chat.h"
#include "ui/model/chat_model.h"
#include "ui/model/token_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace kaikou::test {

class TstChatModel : public QObject
{
    Q_OBJECT

private slots:
    void replyFollowsItsEvents();
    void onlyKnownTicketsAndChoiceZeroCount();
    void turnsLeaveOutWhatDidNotSucceed();
    void turnsTakeTheLastGoodReply();
    void stoppedTextIsCutAtAnswerBytes();
    void teacherAnswersLoseTheirLead();
    void confidenceCountsVisibleTokens();
    void removalForgetsTickets();
    void tokenModelFollowsAStream();
};

void TstChatModel::replyFollowsItsEvents()
{
    ChatModel chat;
    QSignalSpy grew(&chat, &ChatModel::replyGrew);
    QSignalSpy changed(&chat, &ChatModel::messageChanged);
    chat.addQuestion("?");
    const quint64 id = play(chat, attentionScript().finish(), sampleSetup(), 10);
    QCOMPARE(chat.indexOf(id), 1);
    QCOMPARE(grew.count(), 3); // 23 tokens in batches of 10
    QCOMPARE(grew[1][1].toInt(), 10);
    QCOMPARE(changed.count(), 2); // started, finished
    const Reply& reply = *chat.reply(id);
    QCOMPARE(reply.state, ReplyState::Complete);
    QCOMPARE(reply.tokens.size(), std::size_t {23});
    QCOMPARE(std::string(reply.visible()),
        std::string("注意力机制是一种让模型在处理序列时，能够量化每个词的重要性的方法。"));
    QCOMPARE(std::string(reply.bytesOf(reply.tokens[11])), std::string("\xE9\x87"));
}

void TstChatModel::onlyKnownTicketsAndChoiceZeroCount()
{
    ChatModel chat;
    const Ticket ticket = nextTicket();
    const quint64 id = chat.beginReply(ticket, sampleSetup());
    Token token;
    token.ticket = nextTicket();
    token.bytes = "strange";
    chat.append({token});
    token.ticket = ticket;
    token.choice = 1;
    chat.append({token});
    QVERIFY(chat.reply(id)->tokens.empty());
    QCOMPARE(chat.reply(id)->state, ReplyState::Waiting);
}

void TstChatModel::turnsLeaveOutWhatDidNotSucceed()
{
    ChatModel chat;
    chat.addQuestion("good");
    play(chat, ReplyScript(nextTicket()).say("answer", 0.9).finish());
    chat.addQuestion("failed");
    play(chat, ReplyScript(nextTicket()).say("half", 0.9).fail(ErrorCode::NonFiniteLogits));
    chat.addQuestion("empty");
    play(chat, ReplyScript(nextTicket()).special(kEosId, 0.9).finish());
    chat.addQuestion("fallback");
    const quint64 id = play(chat, ReplyScript(nextTicket()).say("…", 0.9).finish());
    chat.setFallback(id, QStringLiteral("我不知道"));
    chat.addNote({NoteKind::Problem, QStringLiteral("note")});
    chat.addQuestion("stopped");
    play(chat, ReplyScript(nextTicket()).say("so far", 0.9).finish(FinishReason::Cancelled));
    chat.addQuestion("now");
    const Turns turns = chat.turns(true, "be kind");
    const std::vector<Turn> expected {{Role::User, "good"}, {Role::Assistant, "answer"},
        {Role::User, "stopped"}, {Role::Assistant, "so far"}, {Role::User, "now"}};
    QVERIFY(turns.turns == expected);
    QCOMPARE(turns.system, std::string("be kind"));
    const Turns alone = chat.turns(false);
    QVERIFY(alone.turns == std::vector<Turn>({{Role::User, "now"}}));
}

void TstChatModel::turnsTakeTheLastGoodReply()
{
    ChatModel chat;
    chat.addQuestion("q");
    play(chat, ReplyScript(nextTicket()).say("one", 0.9).finish());
    play(chat, ReplyScript(nextTicket()).say("two", 0.9).finish());
    play(chat, ReplyScript(nextTicket()).fail(ErrorCode::Internal));
    QVERIFY(chat.turns(true).turns == std::vector<Turn>({{Role::User, "q"}})); // asked again
    chat.addQuestion("next");
    QVERIFY(chat.turns(true).turns
        == std::vector<Turn>({{Role::User, "q"}, {Role::Assistant, "two"}, {Role::User, "next"}}));
}

void TstChatModel::stoppedTextIsCutAtAnswerBytes()
{
    ChatModel chat;
    const Ticket ticket = nextTicket();
    const quint64 id = chat.beginReply(ticket, sampleSetup());
    Token token;
    token.ticket = ticket;
    token.bytes = "你好用户:";
    token.releasedTo = 6; // the stop string is held back
    chat.append({token});
    QCOMPARE(std::string(chat.reply(id)->visible()), std::string("你好"));
    Finished finished;
    finished.ticket = ticket;
    finished.reason = FinishReason::Stop;
    finished.answerBytes = 6;
    chat.finish(finished);
    QCOMPARE(std::string(chat.reply(id)->visible()), std::string("你好"));
}

void TstChatModel::teacherAnswersLoseTheirLead()
{
    ChatModel chat;
    ReplySetup setup = sampleSetup();
    setup.family = Family::GptTeacher;
    chat.addQuestion("q");
    const auto say
        = [](const char* lead) { return ReplyScript(nextTicket()).say(lead, 0.9).say("答，案。", 0.9); };
    const quint64 id = play(chat, say("，\n").finish(), setup);
    QCOMPARE(std::string(chat.reply(id)->visible()), std::string("，\n答，案。")); // painted
    QCOMPARE(chat.reply(id)->answer(), std::string("答，案。"));
    chat.addQuestion("next");
    QCOMPARE(chat.turns(true).turns.at(1).text, std::string("答，案。"));
    const quint64 nothing = play(chat, ReplyScript(nextTicket()).say("。", 0.9).finish(), setup);
    QVERIFY(!chat.reply(nothing)->usable());
    QCOMPARE(
        chat.reply(play(chat, say("，").finish()))->answer(), std::string("，答，案。")); // other families
}

void TstChatModel::confidenceCountsVisibleTokens()
{
    ChatModel chat;
    const quint64 id
        = play(chat, ReplyScript(nextTicket()).say("a", 0.9).say("b", 0.4).special(kEosId, 0.2).finish());
    const auto confidence = confidenceOf(*chat.reply(id));
    QVERIFY(confidence);
    QCOMPARE(confidence->mean, 0.65);
    QCOMPARE(confidence->geometric, std::sqrt(0.36));
    QCOMPARE(confidence->lowest, 1);
    QCOMPARE(confidence->teacher, 0.5); // P_shaped, the end token included
    const quint64 empty = play(chat, ReplyScript(nextTicket()).special(kEosId, 0.2).finish());
    QVERIFY(!confidenceOf(*chat.reply(empty)));
    QVERIFY(bandOf(0.8) == Band::Medium && bandOf(0.81) == Band::High && bandOf(0.5) == Band::Low);
}

void TstChatModel::removalForgetsTickets()
{
    ChatModel chat;
    QSignalSpy removed(&chat, &ChatModel::messagesRemoved);
    QSignalSpy grew(&chat, &ChatModel::replyGrew);
    chat.addQuestion("q");
    const Ticket ticket = nextTicket();
    const quint64 id = chat.beginReply(ticket, sampleSetup());
    const quint64 kept = chat.addQuestion("later");
    chat.remove(0, 2);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(chat.indexOf(id), -1);
    QCOMPARE(chat.indexOf(kept), 0);
    Token token;
    token.ticket = ticket;
    chat.append({token});
    QCOMPARE(grew.count(), 0);
}

void TstChatModel::tokenModelFollowsAStream()
{
    ChatModel chat;
    TokenModel model(&chat);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Ticket ticket = nextTicket();
    const quint64 id = chat.beginReply(ticket, sampleSetup());
    model.setReply(id);
    QCOMPARE(model.rowCount(), 0);
    const ReplyScript script = attentionScript(ticket).finish();
    for (const Event& event : script.events()) {
        if (const auto* token = std::get_if<Token>(&event))
            chat.append({*token});
    }
    QCOMPARE(model.rowCount(), 23);
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    QCOMPARE(text(0, TokenModel::Text), QStringLiteral("注意力机制"));
    QCOMPARE(text(11, TokenModel::Text), QStringLiteral("⟨E9 87⟩"));
    QCOMPARE(text(22, TokenModel::Text), QStringLiteral("<|im_end|>"));
    QCOMPARE(model.index(5, TokenModel::Probability).data(TokenModel::ValueRole).toDouble(), 0.31);
    QCOMPARE(model.index(5, TokenModel::Surprisal).data(TokenModel::ValueRole).toDouble(), -std::log2(0.31));
    play(chat, attentionScript().finish()); // another reply changes nothing here
    QCOMPARE(model.rowCount(), 23);
    chat.remove(0, 1);
    QCOMPARE(model.replyId(), quint64 {0});
    QCOMPARE(model.rowCount(), 0);
}

} // namespace kaikou::test

using kaikou::test::TstChatModel;
KAIKOU_TEST(TstChatModel)
#include "tst_chat_model.moc"
