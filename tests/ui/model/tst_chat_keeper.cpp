#include "tests/support/scripted_service.h"
#include "tests/support/test_registry.h"
#include "ui/model/chat_files.h"
#include "ui/model/chat_keeper.h"
#include "ui/model/generation_bridge.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace kaikou;
using kaikou::test::ScriptedService;

namespace {

// The program as far as chats are concerned, from start to end.
struct Program
{
    ChatModel chat;
    GenerationBridge bridge;
    ChatSession session {chat, bridge};
    ChatStore store;
    ChatKeeper keeper {store, chat, session};
    std::shared_ptr<ScriptedService> service = std::make_shared<ScriptedService>();
    QList<StoredChat> list;

    explicit Program(const QString& path)
        : store(path)
    {
        QObject::connect(
            &keeper, &ChatKeeper::chatsListed, &keeper, [this](const auto& chats) { list = chats; });
        session.setFallbackLines({"换个问法试试？"});
        OpenedModel model;
        model.service = service;
        model.name = QStringLiteral("scripted");
        session.setModel(model);
    }

    // Asks and waits for the end.
    quint64 say(const QString& question, std::vector<std::string> words, Ask ask = {})
    {
        service->script = std::move(words);
        QSignalSpy ended(&session, &ChatSession::replyEnded);
        const auto reply = session.ask(question, ask);
        if (!reply.ok() || !ended.wait())
            return 0;
        return *reply;
    }
};

QStringList texts(const ChatModel& chat)
{
    QStringList result;
    for (int i = 0; i < chat.count(); ++i) {
        const Message& message = chat.at(i);
        if (message.kind == MessageKind::Question)
            result += QString::fromStdString(message.text);
        else if (message.kind == MessageKind::Answer)
            result += QString::fromStdString(message.reply.answer());
    }
    return result;
}

} // namespace

class TstChatKeeper : public QObject
{
    Q_OBJECT

private slots:

    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void questionIsOnDiskFirst();
    void chatsComeBack();
    void branchesComeBack();
    void temporaryChatLeavesNothing();
    void draftsComeBack();
    void talksOnWithoutADisk();
    void openingAnotherChatKeepsTheRunningReply();
    void interruptedReplyCanGoOn();
    void deletedChatComesBack();
    void refusedQuestionLeavesNothing();
    void exportedChatComesBack();
    void badFilesAreRefused();
    void systemPromptBelongsToTheChat();

private:
    [[nodiscard]] QString path() const { return m_dir->filePath(QStringLiteral("chats.db")); }

    std::unique_ptr<QTemporaryDir> m_dir;
};

void TstChatKeeper::questionIsOnDiskFirst()
{
    Program p(path());
    p.service->script = {"答"};
    QSignalSpy written(&p.store, &ChatStore::written);
    QSignalSpy ended(&p.session, &ChatSession::replyEnded);
    QVERIFY(p.session.ask(QStringLiteral("问"), {}).ok());
    QVERIFY(p.service->requests.empty());
    while (written.isEmpty())
        QVERIFY(written.wait());
    QCOMPARE(p.service->requests.size(), 1U);
    QTRY_COMPARE(ended.count(), 1);
    QTRY_COMPARE(p.list.size(), 1);
    QCOMPARE(p.list.first().title, QStringLiteral("问"));
}

void TstChatKeeper::chatsComeBack()
{
    qint64 first = 0;
    Ask ask;
    ask.seed = 0xFEDCBA9876543210ULL;
    ask.params.sampling.temperature = 0.7F;
    ask.params.sampling.topK = 40;
    {
        Program p(path());
        QVERIFY(p.say(QStringLiteral("问一"), {"答", "一"}, ask) != 0);
        ask.useEarlier = false;
        QVERIFY(p.say(QStringLiteral("问二"), {"\xE4\xBD", "\xA0", "。"}, ask) != 0);
        first = p.keeper.current();
        p.keeper.newChat();
        QCOMPARE(p.chat.count(), 0);
        QVERIFY(p.say(QStringLiteral("别的"), {}) != 0); // empty: a fallback sentence
        p.keeper.flush();
    }
    Program p(path());
    QTRY_COMPARE(p.list.size(), 2);
    QCOMPARE(p.list.at(1).id, first);
    QSignalSpy opened(&p.keeper, &ChatKeeper::chatOpened);
    p.keeper.openChat(first);
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(texts(p.chat),
        (QStringList {
            QStringLiteral("问一"), QStringLiteral("答一"), QStringLiteral("问二"), QStringLiteral("你。")}));
    QCOMPARE(p.chat.at(3).note.kind, NoteKind::EarlierTurnsOff);
    const Reply& reply = *p.chat.reply(p.chat.lastAnswer());
    QCOMPARE(reply.setup.seed, 0xFEDCBA9876543210ULL);
    QCOMPARE(reply.setup.params.temperature, 0.7F);
    QCOMPARE(reply.setup.params.topK, 40);
    QCOMPARE(reply.setup.modelName, QStringLiteral("scripted"));
    QCOMPARE(reply.finish, std::optional(FinishReason::Eos));
    QCOMPARE(reply.tokens.size(), std::size_t {3});
    QCOMPARE(std::string(reply.bytesOf(reply.tokens[1])), std::string("\xA0"));
    QVERIFY(std::abs(reply.tokens[1].stats.pModel - 0.9) < 1e-6);
    // The conversation goes on from there.
    QVERIFY(p.say(QStringLiteral("问三"), {"答三"}) != 0);
    QCOMPARE(std::get<Turns>(p.service->requests.back().prompt).turns.size(), 5U);
    p.keeper.openChat(p.list.front().id == first ? p.list.back().id : p.list.front().id);
    QTRY_COMPARE(opened.count(), 2);
    QCOMPARE(p.chat.reply(p.chat.lastAnswer())->fallback, QStringLiteral("换个问法试试？"));
}

void TstChatKeeper::branchesComeBack()
{
    qint64 id = 0;
    quint64 old = 0;
    {
        Program p(path());
        old = p.say(QStringLiteral("问"), {"旧"});
        p.service->script = {"新", "的"};
        QSignalSpy ended(&p.session, &ChatSession::replyEnded);
        QVERIFY(p.session.askAgain({}).ok());
        QVERIFY(ended.wait());
        id = p.keeper.current();
        p.keeper.flush();
    }
    Program p(path());
    QSignalSpy opened(&p.keeper, &ChatKeeper::chatOpened);
    p.keeper.openChat(id);
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(texts(p.chat).back(), QStringLiteral("新的"));
    QCOMPARE(p.chat.at(1).variants, 2);
    p.session.showSibling(p.chat.lastAnswer(), -1);
    QCOMPARE(p.chat.lastAnswer(), old);
    QTRY_COMPARE(p.chat.reply(old)->tokens.size(), std::size_t {1}); // read from disk now
    QCOMPARE(texts(p.chat).back(), QStringLiteral("旧"));
    p.keeper.flush();
    Program again(path()); // the branch that was looked at last
    QSignalSpy shown(&again.keeper, &ChatKeeper::chatOpened);
    again.keeper.openChat(id);
    QTRY_COMPARE(shown.count(), 1);
    QCOMPARE(again.chat.lastAnswer(), old);
}

void TstChatKeeper::temporaryChatLeavesNothing()
{
    {
        Program p(path());
        p.keeper.newChat(true);
        p.keeper.setDraft({QStringLiteral("秘密草稿"), 4});
        QVERIFY(p.say(QStringLiteral("秘密问题"), {"秘密回答"}) != 0);
        QCOMPARE(p.keeper.current(), 0);
        p.keeper.flush();
    }
    const QStringList files = QDir(m_dir->path()).entryList(QDir::Files | QDir::Hidden);
    QVERIFY(!files.isEmpty());
    for (const QString& name : files) {
        QFile file(m_dir->filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains(QStringLiteral("秘密").toUtf8()));
    }
}

void TstChatKeeper::draftsComeBack()
{
    qint64 id = 0;
    {
        Program p(path());
        QVERIFY(p.say(QStringLiteral("问"), {"答"}) != 0);
        id = p.keeper.current();
        p.keeper.setDraft({QStringLiteral("没写完"), 2});
        p.keeper.newChat(); // leaves it on disk
        p.keeper.setDraft({QStringLiteral("新的"), 1});
        p.keeper.flush();
    }
    Program p(path());
    Draft draft;
    connect(&p.keeper, &ChatKeeper::draftRead, &p.keeper, [&](const Draft& read) { draft = read; });
    QTRY_COMPARE(draft.text, QStringLiteral("新的"));
    p.keeper.openChat(id);
    QTRY_COMPARE(draft.text, QStringLiteral("没写完"));
    QCOMPARE(draft.cursor, 2);
}

void TstChatKeeper::talksOnWithoutADisk()
{
    QFile block(m_dir->filePath(QStringLiteral("folder")));
    QVERIFY(block.open(QIODevice::WriteOnly)); // a file where the folder should be
    Program p(m_dir->filePath(QStringLiteral("folder/chats.db")));
    QVERIFY(p.say(QStringLiteral("问"), {"答"}) != 0);
    QVERIFY(!p.keeper.saving().saved);
    QVERIFY(p.say(QStringLiteral("再问"), {"再答"}) != 0);
    QCOMPARE(texts(p.chat).size(), 4);
}

void TstChatKeeper::openingAnotherChatKeepsTheRunningReply()
{
    Program p(path());
    QVERIFY(p.say(QStringLiteral("一"), {"甲"}) != 0);
    const qint64 first = p.keeper.current();
    p.keeper.newChat();
    p.service->script = {"说", "了"};
    p.service->finishByItself = false;
    const auto reply = p.session.ask(QStringLiteral("二"), {});
    QTRY_COMPARE(p.chat.reply(*reply)->tokens.size(), std::size_t {2});
    const qint64 second = p.keeper.current();
    QSignalSpy opened(&p.keeper, &ChatKeeper::chatOpened);
    p.keeper.openChat(first);
    QTRY_COMPARE(opened.count(), 1);
    QVERIFY(!p.session.replying());
    QCOMPARE(texts(p.chat), (QStringList {QStringLiteral("一"), QStringLiteral("甲")}));
    p.keeper.openChat(second);
    QTRY_COMPARE(opened.count(), 2);
    QCOMPARE(texts(p.chat), (QStringList {QStringLiteral("二"), QStringLiteral("说了")}));
    QCOMPARE(p.chat.reply(p.chat.lastAnswer())->finish, std::optional(FinishReason::Cancelled));
}

void TstChatKeeper::interruptedReplyCanGoOn()
{
    qint64 id = 0;
    {
        Program p(path());
        p.service->script = {"一", "二"};
        p.service->finishByItself = false;
        const auto reply = p.session.ask(QStringLiteral("数"), {});
        QTRY_COMPARE(p.chat.reply(*reply)->tokens.size(), std::size_t {2});
        id = p.keeper.current();
        p.keeper.flush(); // and then nothing more: as if it was killed
        p.session.disconnect(&p.keeper);
    }
    Program p(path());
    QSignalSpy opened(&p.keeper, &ChatKeeper::chatOpened);
    p.keeper.openChat(id);
    QTRY_COMPARE(opened.count(), 1);
    const quint64 reply = p.chat.lastAnswer();
    QCOMPARE(p.chat.reply(reply)->state, ReplyState::Interrupted);
    QCOMPARE(openEnd(*p.chat.reply(reply)), 2);
    p.service->script = {"三"};
    p.service->saidBytes = 6;
    QSignalSpy ended(&p.session, &ChatSession::replyEnded);
    QVERIFY(p.session.goOn(reply, 2, std::nullopt, {}).ok());
    QVERIFY(ended.wait());
    QCOMPARE(texts(p.chat).back(), QStringLiteral("一二三"));
}

void TstChatKeeper::deletedChatComesBack()
{
    Program p(path());
    QVERIFY(p.say(QStringLiteral("一"), {"甲"}) != 0);
    const qint64 id = p.keeper.current();
    QTRY_COMPARE(p.list.size(), 1);
    p.keeper.moveToTrash(id);
    QCOMPARE(p.chat.count(), 0);
    QTRY_COMPARE(p.list.size(), 0);
    p.keeper.restore(id);
    QTRY_COMPARE(p.list.size(), 1);
}

void TstChatKeeper::refusedQuestionLeavesNothing()
{
    Program p(path());
    p.service->refuse = Error {ErrorCode::PromptTooLong, "needs 200, has 128", {}};
    QSignalSpy refused(&p.session, &ChatSession::replyRefused);
    QVERIFY(p.session.ask(QStringLiteral("很长"), {}).ok());
    QVERIFY(refused.wait());
    QCOMPARE(p.keeper.current(), 0);
    p.service->refuse.reset();
    QVERIFY(p.say(QStringLiteral("问"), {"答"}) != 0);
    p.service->refuse = Error {ErrorCode::PromptTooLong, "needs 200, has 128", {}};
    QVERIFY(p.session.ask(QStringLiteral("很长"), {}).ok());
    QVERIFY(refused.wait());
    QTRY_COMPARE(p.list.size(), 1);
    const qint64 id = p.keeper.current();
    p.keeper.flush();
    Program again(path());
    QSignalSpy opened(&again.keeper, &ChatKeeper::chatOpened);
    again.keeper.openChat(id);
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(texts(again.chat), (QStringList {QStringLiteral("问"), QStringLiteral("答")}));
}

void TstChatKeeper::exportedChatComesBack()
{
    const QString file = m_dir->filePath(QStringLiteral("chat.json"));
    Program p(path());
    QVERIFY(p.say(QStringLiteral("问"), {"旧"}) != 0);
    p.service->script = {"\xE4\xBD", "\xA0"};
    QSignalSpy ended(&p.session, &ChatSession::replyEnded);
    QVERIFY(p.session.askAgain({}).ok());
    QVERIFY(ended.wait());
    const qint64 first = p.keeper.current();
    std::optional<LoadedChat> whole;
    connect(&p.keeper, &ChatKeeper::exported, &p.keeper, [&](const LoadedChat& chat) { whole = chat; });
    p.keeper.requestExport(0);
    QTRY_VERIFY(whole);
    QVERIFY(writeChatFile(file, *whole, {}, {}).ok());

    const auto document = readChatFile(file);
    QVERIFY(document.ok());
    p.keeper.importChat(importedChat(*document, [&] { return p.keeper.newId(); }));
    QTRY_VERIFY(p.keeper.current() != first);
    QCOMPARE(texts(p.chat), (QStringList {QStringLiteral("问"), QStringLiteral("你")}));
    QCOMPARE(p.chat.at(1).variants, 2);
    QCOMPARE(p.chat.at(1).reply.tokens.size(), std::size_t {2});
    QCOMPARE(p.chat.at(1).reply.finish, std::optional(FinishReason::Eos));
    QVERIFY(std::abs(p.chat.at(1).reply.tokens[0].stats.pModel - 0.9) < 1e-6);
    p.session.showSibling(p.chat.at(1).id, -1);
    QTRY_COMPARE(p.chat.at(1).reply.tokens.size(), std::size_t {1}); // the other branch came with its tokens
    // The same document again, apart from the new ids.
    whole.reset();
    p.keeper.requestExport(first);
    QTRY_VERIFY(whole);
    QCOMPARE(whole->chat.title, QStringLiteral("问"));
}

void TstChatKeeper::badFilesAreRefused()
{
    QVERIFY(!readChatFile(m_dir->filePath(QStringLiteral("none.json"))).ok());
    QFile file(m_dir->filePath(QStringLiteral("bad.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\":\"kaikou-chat\",\"version\":9}");
    file.close();
    QCOMPARE(readChatFile(file.fileName()).error().code, ErrorCode::FormatVersion);
    const auto refused = writeChatFile(m_dir->filePath(QStringLiteral("no/such/folder/a.json")), {}, {}, {});
    QCOMPARE(refused.error().code, ErrorCode::FileWrite);
}

void TstChatKeeper::systemPromptBelongsToTheChat()
{
    Program p(path());
    p.keeper.setSystemPrompt(QStringLiteral("说短一点"));
    QVERIFY(p.say(QStringLiteral("问"), {"答"}) != 0);
    QCOMPARE(std::get<Turns>(p.service->requests.back().prompt).system, std::string("说短一点"));
    const qint64 first = p.keeper.current();
    p.keeper.newChat();
    QVERIFY(p.say(QStringLiteral("问"), {"答"}) != 0);
    QVERIFY(std::get<Turns>(p.service->requests.back().prompt).system.empty());
    QSignalSpy opened(&p.keeper, &ChatKeeper::chatOpened);
    p.keeper.openChat(first);
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(p.keeper.systemPrompt(), QStringLiteral("说短一点"));
    QVERIFY(p.say(QStringLiteral("再问"), {"答"}) != 0);
    QCOMPARE(std::get<Turns>(p.service->requests.back().prompt).system, std::string("说短一点"));
}

KAIKOU_TEST(TstChatKeeper)
#include "tst_chat_keeper.moc"
