#include "tests/support/scripted_service.h"
#include "tests/support/test_registry.h"
#include "ui/model/chat_model.h"
#include "ui/model/chat_session.h"
#include "ui/model/generation_bridge.h"

#include <QtTest>

using namespace kaikou;
using kaikou::test::ScriptedService;

namespace {

struct Fixture
{
    ChatModel chat;
    GenerationBridge bridge;
    ChatSession session {chat, bridge};
    std::shared_ptr<ScriptedService> service = std::make_shared<ScriptedService>();

    Fixture()
    {
        session.setFallbackLines({"换个问法试试？"});
        open(service, QStringLiteral("first"));
    }

    void open(std::shared_ptr<CompletionService> opened, const QString& name)
    {
        OpenedModel model;
        model.service = std::move(opened);
        model.name = name;
        session.setModel(model);
    }

    [[nodiscard]] const Turns& lastTurns() const { return std::get<Turns>(service->requests.back().prompt); }
};

} // namespace

class TstChatSession : public QObject
{
    Q_OBJECT

private slots:
    void asksWithHistory();
    void refusalAddsNothing();
    void emptyReplyGetsASentence();
    void stopKeepsTheText();
    void regenerateReplacesTheLastAnswer();
    void regenerateRefusedKeepsTheAnswer();
    void newModelIsNoted();
    void modelChangeEndsARunningReply();
};

void TstChatSession::asksWithHistory()
{
    Fixture f;
    f.service->script = {"答", "一"};
    Ask ask;
    ask.seed = 42;
    ask.params.sampling.temperature = 0.5F;
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    QVERIFY(f.session.ask(QStringLiteral("问一"), ask).ok());
    QVERIFY(f.session.replying());
    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(!f.session.replying());
    QVERIFY(f.session.ask(QStringLiteral("问二"), ask).ok());
    QTRY_COMPARE(ended.count(), 2);
    const Request& request = f.service->requests.back();
    QCOMPARE(request.seed, 42U);
    QCOMPARE(request.trace, TraceLevel::Full);
    QCOMPARE(request.sampling.temperature, 0.5F);
    const std::vector<Turn> expected
        = {{Role::User, "问一"}, {Role::Assistant, "答一"}, {Role::User, "问二"}};
    QCOMPARE(f.lastTurns().turns, expected);

    ask.useEarlier = false;
    QVERIFY(f.session.ask(QStringLiteral("问三"), ask).ok());
    QTRY_COMPARE(ended.count(), 3);
    QCOMPARE(f.lastTurns().turns, (std::vector<Turn> {{Role::User, "问三"}}));
}

void TstChatSession::refusalAddsNothing()
{
    Fixture f;
    f.service->refuse = Error {ErrorCode::PromptTooLong, "needs 200, has 128", {}};
    const auto reply = f.session.ask(QStringLiteral("很长"), {});
    QVERIFY(!reply.ok());
    QCOMPARE(reply.error().code, ErrorCode::PromptTooLong);
    QCOMPARE(f.chat.count(), 0);
    QVERIFY(!f.session.replying());
}

void TstChatSession::emptyReplyGetsASentence()
{
    Fixture f;
    f.service->script = {};
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    const auto reply = f.session.ask(QStringLiteral("问"), {});
    QVERIFY(reply.ok());
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(f.chat.reply(*reply)->fallback, QStringLiteral("换个问法试试？"));
    f.service->script = {"好"};
    QVERIFY(f.session.ask(QStringLiteral("再问"), {}).ok());
    QTRY_COMPARE(ended.count(), 2);
    QCOMPARE(f.lastTurns().turns, (std::vector<Turn> {{Role::User, "再问"}})); // the empty turn stays out
}

void TstChatSession::stopKeepsTheText()
{
    Fixture f;
    f.service->script = {"一", "二"};
    f.service->finishByItself = false;
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    const auto reply = f.session.ask(QStringLiteral("数"), {});
    QTRY_COMPARE(f.chat.reply(*reply)->tokens.size(), 2U);
    f.session.stop();
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(*f.chat.reply(*reply)->finish, FinishReason::Cancelled);
    QCOMPARE(std::string(f.chat.reply(*reply)->visible()), std::string("一二"));
    QVERIFY(f.chat.reply(*reply)->fallback.isEmpty());
}

void TstChatSession::regenerateReplacesTheLastAnswer()
{
    Fixture f;
    f.service->script = {"答"};
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    QCOMPARE(f.chat.lastAnswer(), 0U);
    const auto first = f.session.ask(QStringLiteral("问一"), {});
    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(f.session.ask(QStringLiteral("问二"), {}).ok());
    QTRY_COMPARE(ended.count(), 2);
    f.service->script = {"新"};
    Ask alone;
    alone.useEarlier = false;
    for (int round = 3; round < 5; ++round) { // a second time the note is not doubled
        const auto again = f.session.askAgain(alone);
        QTRY_COMPARE(ended.count(), round);
        QCOMPARE(f.lastTurns().turns, (std::vector<Turn> {{Role::User, "问二"}}));
        QCOMPARE(f.chat.count(), 5); // two questions, two answers, the note that it was asked alone
        QCOMPARE(f.chat.at(3).note.kind, NoteKind::EarlierTurnsOff);
        QCOMPARE(f.chat.lastAnswer(), *again);
    }
    QVERIFY(f.session.askAgain({}).ok()); // with the earlier turns: that note would not be true any more
    QTRY_COMPARE(ended.count(), 5);
    QCOMPARE(f.chat.count(), 4);
    QCOMPARE(f.lastTurns().turns,
        (std::vector<Turn> {{Role::User, "问一"}, {Role::Assistant, "答"}, {Role::User, "问二"}}));
    QCOMPARE(std::string(f.chat.reply(f.chat.lastAnswer())->visible()), std::string("新"));
    QCOMPARE(std::string(f.chat.reply(*first)->visible()), std::string("答"));
}

void TstChatSession::regenerateRefusedKeepsTheAnswer()
{
    Fixture f;
    f.service->script = {"答"};
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    const auto first = f.session.ask(QStringLiteral("问"), {});
    QTRY_COMPARE(ended.count(), 1);
    f.service->refuse = Error {ErrorCode::QueueFull, "busy", {}};
    QVERIFY(!f.session.askAgain({}).ok());
    QCOMPARE(f.chat.count(), 2);
    QCOMPARE(f.chat.lastAnswer(), *first);
}

void TstChatSession::newModelIsNoted()
{
    Fixture f;
    f.service->script = {"答"};
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    QVERIFY(f.session.ask(QStringLiteral("问"), {}).ok());
    QTRY_COMPARE(ended.count(), 1);
    auto other = std::make_shared<ScriptedService>();
    other->can.fingerprint = "other";
    other->script = {"答"};
    f.open(other, QStringLiteral("second"));
    QVERIFY(f.session.ask(QStringLiteral("问"), {}).ok());
    QTRY_COMPARE(ended.count(), 2);
    bool noted = false;
    for (int i = 0; i < f.chat.count(); ++i) {
        const Message& message = f.chat.at(i);
        noted = noted
            || (message.kind == MessageKind::Note && message.note.kind == NoteKind::ModelChanged
                && message.note.detail == QStringLiteral("second"));
    }
    QVERIFY(noted);
}

void TstChatSession::modelChangeEndsARunningReply()
{
    Fixture f;
    f.service->script = {"一"};
    f.service->finishByItself = false;
    const auto reply = f.session.ask(QStringLiteral("问"), {});
    QTRY_COMPARE(f.chat.reply(*reply)->tokens.size(), 1U);
    f.open(std::make_shared<ScriptedService>(), QStringLiteral("second"));
    QVERIFY(!f.session.replying());
    QVERIFY(!f.chat.reply(*reply)->running());
    QCOMPARE(std::string(f.chat.reply(*reply)->visible()), std::string("一"));
}

KAIKOU_TEST(TstChatSession)
#include "tst_chat_session.moc"
