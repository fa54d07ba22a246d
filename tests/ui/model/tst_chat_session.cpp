#include "tests/support/fake_service.h"
#include "tests/support/scripted_service.h"
#include "tests/support/test_registry.h"
#include "ui/model/chat_model.h"
#include "ui/model/chat_session.h"
#include "ui/model/generation_bridge.h"

#include <QtTest>

#include <cmath>

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
    void regenerateKeepsTheOldAnswer();
    void editedQuestionIsASibling();
    void continuesFromWhatWasSaid();
    void takesAnotherToken();
    void heldReplyWaitsForTheDisk();
    void heldReplyThatIsRefusedIsWithdrawn();
    void loadsATree();
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

namespace {

QStringList texts(const ChatModel& chat)
{
    QStringList result;
    for (int i = 0; i < chat.count(); ++i) {
        const Message& message = chat.at(i);
        result += message.kind == MessageKind::Question ? QString::fromStdString(message.text)
            : message.kind == MessageKind::Answer       ? QString::fromStdString(message.reply.answer())
                                                        : QStringLiteral("*");
    }
    return result;
}

bool idsAscend(const ChatModel& chat)
{
    for (int i = 1; i < chat.count(); ++i) {
        if (chat.at(i).id <= chat.at(i - 1).id)
            return false;
    }
    return true;
}

} // namespace

void TstChatSession::regenerateKeepsTheOldAnswer()
{
    Fixture f;
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    f.service->script = {"答"};
    const auto first = *f.session.ask(QStringLiteral("问一"), {});
    QTRY_COMPARE(ended.count(), 1);
    f.service->script = {"旧"};
    const auto old = *f.session.ask(QStringLiteral("问二"), {});
    QTRY_COMPARE(ended.count(), 2);
    f.service->script = {"新"};
    Ask alone;
    alone.useEarlier = false;
    const auto fresh = *f.session.askAgain(alone);
    QTRY_COMPARE(ended.count(), 3);
    QCOMPARE(f.chat.at(f.chat.indexOf(fresh)).variant, 2);
    QCOMPARE(f.chat.at(f.chat.indexOf(fresh)).variants, 2);
    QCOMPARE(f.chat.at(f.chat.indexOf(first)).variants, 1);
    QCOMPARE(f.session.tree().variants(fresh), (std::vector<quint64> {old, fresh}));
    QVERIFY(idsAscend(f.chat));

    f.session.showSibling(fresh, -1);
    QCOMPARE(f.chat.indexOf(fresh), -1);
    QCOMPARE(texts(f.chat).back(), QStringLiteral("旧"));
    QCOMPARE(f.chat.at(f.chat.indexOf(old)).variant, 1);
    f.session.showSibling(old, -1); // there is none before: nothing happens
    QCOMPARE(texts(f.chat).back(), QStringLiteral("旧"));
    // What follows belongs to this branch alone.
    f.service->script = {"三"};
    QVERIFY(f.session.ask(QStringLiteral("问三"), {}).ok());
    QTRY_COMPARE(ended.count(), 4);
    QCOMPARE(f.lastTurns().turns.at(3).text, std::string("旧"));
    f.session.showSibling(old, 1);
    QCOMPARE(texts(f.chat).mid(2),
        (QStringList {QStringLiteral("问二"), QStringLiteral("*"), QStringLiteral("新")}));
    QVERIFY(idsAscend(f.chat));
    f.session.showSibling(fresh, -1);
    QCOMPARE(texts(f.chat).mid(2),
        (QStringList {
            QStringLiteral("问二"), QStringLiteral("旧"), QStringLiteral("问三"), QStringLiteral("三")}));
}

void TstChatSession::editedQuestionIsASibling()
{
    Fixture f;
    f.service->script = {"答"};
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    QVERIFY(f.session.ask(QStringLiteral("问一"), {}).ok());
    QTRY_COMPARE(ended.count(), 1);
    QVERIFY(f.session.ask(QStringLiteral("问二"), {}).ok());
    QTRY_COMPARE(ended.count(), 2);
    const quint64 question = f.chat.at(0).id;
    QVERIFY(f.session.askInstead(question, QStringLiteral("改一"), {}).ok());
    QTRY_COMPARE(ended.count(), 3);
    QCOMPARE(texts(f.chat), (QStringList {QStringLiteral("改一"), QStringLiteral("答")}));
    QCOMPARE(f.lastTurns().turns, (std::vector<Turn> {{Role::User, "改一"}}));
    QCOMPARE(f.chat.at(0).variant, 2);
    f.session.showSibling(f.chat.at(0).id, -1);
    QCOMPARE(texts(f.chat),
        (QStringList {
            QStringLiteral("问一"), QStringLiteral("答"), QStringLiteral("问二"), QStringLiteral("答")}));
}

void TstChatSession::continuesFromWhatWasSaid()
{
    Fixture f;
    f.service->script = {"一", "二"};
    f.service->finishByItself = false;
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    const auto reply = *f.session.ask(QStringLiteral("数"), {});
    QTRY_COMPARE(f.chat.reply(reply)->tokens.size(), 2U);
    f.session.stop();
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(openEnd(*f.chat.reply(reply)), 2);
    f.service->script = {"三"};
    f.service->saidBytes = 6;
    f.service->finishByItself = true;
    const auto more = *f.session.goOn(reply, 2, std::nullopt, {});
    QTRY_COMPARE(ended.count(), 2);
    QCOMPARE(f.service->requests.back().said.size(), 2U);
    QCOMPARE(f.lastTurns().turns, (std::vector<Turn> {{Role::User, "数"}}));
    QCOMPARE(std::string(f.chat.reply(more)->visible()), std::string("一二三"));
    QCOMPARE(f.chat.reply(more)->setup.said, 2);
    QCOMPARE(f.chat.at(f.chat.indexOf(more)).variants, 2);
    QCOMPARE(openEnd(*f.chat.reply(more)), 0); // the model ended it
}

void TstChatSession::takesAnotherToken()
{
    Fixture f;
    f.service->textModel = std::make_shared<test::FakeTextModel>();
    f.service->script = {"一", "二", "三"};
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    const auto reply = *f.session.ask(QStringLiteral("数"), {});
    QTRY_COMPARE(ended.count(), 1);
    f.service->script = {"。"};
    const auto other = *f.session.goOn(reply, 1, TokenId {65}, {});
    QTRY_COMPARE(ended.count(), 2);
    QCOMPARE(f.service->requests.back().said.size(), 2U);
    QCOMPARE(f.service->requests.back().said.at(1), TokenId {65});
    const Reply& made = *f.chat.reply(other);
    QVERIFY(made.tokens.at(1).stats.forced);
    QVERIFY(std::isnan(made.tokens.at(1).stats.pModel)); // this service kept no logits
    QCOMPARE(made.bytes.substr(0, 3), std::string("一"));
    QCOMPARE(made.bytes.substr(made.bytes.size() - 3), std::string("。"));
}

void TstChatSession::heldReplyWaitsForTheDisk()
{
    Fixture f;
    f.service->script = {"答"};
    f.session.setHeld(true);
    QSignalSpy prepared(&f.session, &ChatSession::replyPrepared);
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    const auto reply = *f.session.ask(QStringLiteral("问"), {});
    QCOMPARE(prepared.count(), 1);
    QVERIFY(f.service->requests.empty());
    QVERIFY(f.session.replying());
    f.session.release(reply);
    f.session.release(reply); // once is enough
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(f.service->requests.size(), 1U);
    QCOMPARE(std::string(f.chat.reply(reply)->visible()), std::string("答"));

    const auto stopped = *f.session.askAgain({});
    f.session.stop(); // before the disk had it
    QCOMPARE(ended.count(), 2);
    QCOMPARE(*f.chat.reply(stopped)->finish, FinishReason::Cancelled);
    f.session.release(stopped);
    QCOMPARE(f.service->requests.size(), 1U);
}

void TstChatSession::heldReplyThatIsRefusedIsWithdrawn()
{
    Fixture f;
    f.service->script = {"答"};
    f.session.setHeld(true);
    QSignalSpy ended(&f.session, &ChatSession::replyEnded);
    QSignalSpy refused(&f.session, &ChatSession::replyRefused);
    f.service->refuse = Error {ErrorCode::PromptTooLong, "needs 200, has 128", {}};
    f.session.release(*f.session.ask(QStringLiteral("很长"), {}));
    QCOMPARE(refused.count(), 1);
    QCOMPARE(refused.at(0).at(1).toString(), QStringLiteral("很长"));
    QCOMPARE(f.chat.count(), 0);
    QVERIFY(!f.session.replying());

    f.service->refuse.reset();
    f.session.release(*f.session.ask(QStringLiteral("问"), {}));
    QTRY_COMPARE(ended.count(), 1);
    f.service->refuse = Error {ErrorCode::QueueFull, "busy", {}};
    f.session.release(*f.session.askAgain({}));
    QCOMPARE(refused.count(), 2);
    QCOMPARE(texts(f.chat), (QStringList {QStringLiteral("问"), QStringLiteral("答")}));
    QCOMPARE(f.chat.at(1).variants, 1);
    f.session.release(*f.session.askInstead(f.chat.at(0).id, QStringLiteral("改"), {}));
    QCOMPARE(refused.at(2).at(1).toString(), QStringLiteral("改"));
    QCOMPARE(texts(f.chat), (QStringList {QStringLiteral("问"), QStringLiteral("答")}));
    QCOMPARE(f.chat.at(0).variants, 1);
}

void TstChatSession::loadsATree()
{
    Fixture f;
    std::vector<std::pair<Message, quint64>> messages;
    const auto add = [&](quint64 id, quint64 parent, MessageKind kind, const char* text) {
        Message message;
        message.id = id;
        message.kind = kind;
        message.text = text;
        message.reply.bytes = text;
        message.reply.releasedTo = message.reply.bytes.size();
        message.reply.state = ReplyState::Complete;
        message.reply.setup.fingerprint = QString::number(id == 40 ? 2 : 1);
        message.reply.setup.modelName = QStringLiteral("m");
        messages.emplace_back(std::move(message), parent);
    };
    add(10, 0, MessageKind::Question, "一");
    add(20, 10, MessageKind::Answer, "甲");
    add(30, 20, MessageKind::Question, "二");
    add(40, 30, MessageKind::Answer, "乙"); // by another model
    add(50, 10, MessageKind::Answer, "丙");
    f.session.load(messages, 40);
    QCOMPARE(texts(f.chat),
        (QStringList {QStringLiteral("一"), QStringLiteral("甲"), QStringLiteral("二"), QStringLiteral("*"),
            QStringLiteral("乙")}));
    QVERIFY(idsAscend(f.chat));
    QCOMPARE(f.chat.at(1).variants, 2);
    QSignalSpy path(&f.session, &ChatSession::pathChanged);
    f.session.showSibling(20, 1);
    QCOMPARE(path.at(0).at(0).toULongLong(), 50U);
    QCOMPARE(texts(f.chat), (QStringList {QStringLiteral("一"), QStringLiteral("丙")}));
}

KAIKOU_TEST(TstChatSession)
#include "tst_chat_session.moc"
