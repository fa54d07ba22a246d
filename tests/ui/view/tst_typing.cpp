#include "tests/support/scripted_service.h"
#include "tests/support/test_registry.h"
#include "ui/model/chat_model.h"
#include "ui/model/generation_bridge.h"
#include "ui/model/language.h"
#include "ui/model/record_keeper.h"
#include "ui/view/composer.h"
#include "ui/view/main_window.h"

#include <QLabel>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <semaphore>

using namespace kaikou;
using kaikou::test::ScriptedService;

namespace {

// Counts who asks for a preview. One token per byte of the last turn; each preview waits for a permit.
class CountingText final : public TextModel
{
public:
    mutable std::atomic<int> onGuiThread = 0;
    mutable std::atomic<int> elsewhere = 0;
    mutable std::counting_semaphore<> permits {0};

    [[nodiscard]] Result<PromptInfo> preview(const Request& request) const override
    {
        if (QThread::currentThread() == QCoreApplication::instance()->thread()) {
            ++onGuiThread;
        } else {
            ++elsewhere;
            permits.acquire();
        }
        const Turns& turns = std::get<Turns>(request.prompt);
        PromptInfo info;
        for (const Turn& turn : turns.turns)
            info.ids.resize(info.ids.size() + turn.text.size());
        return info;
    }

    [[nodiscard]] std::string_view piece(TokenId) const override { return "x"; }

    [[nodiscard]] bool isSpecial(TokenId) const override { return false; }

    [[nodiscard]] const SpecialIds& specialIds() const override { return m_special; }

private:
    SpecialIds m_special;
};

// The real window over a scripted model.
struct Desk
{
    QTemporaryDir folder;
    Settings settings {folder.filePath(QStringLiteral("kaikou.ini"))};
    LanguageSwitcher language;
    ChatModel chat;
    GenerationBridge bridge;
    ChatSession session {chat, bridge};
    RecordKeeper records {chat};
    std::shared_ptr<ScriptedService> service = std::make_shared<ScriptedService>();
    std::shared_ptr<CountingText> text = std::make_shared<CountingText>();
    CheckpointLoader loader {[this](const ModelSource& source, const Progress&) -> Result<OpenedModel> {
        OpenedModel model;
        model.source = source;
        model.service = service;
        model.name = QStringLiteral("scripted");
        return model;
    }};
    MainWindow window {{settings, language, chat, session, bridge, records, loader, false}};

    Desk()
    {
        service->textModel = text;
        window.openModel(folder.filePath(QStringLiteral("model")));
    }

    ~Desk() { text->permits.release(1000); } // nobody waits for ever

    [[nodiscard]] QString hint() const
    {
        for (const QLabel* label : window.composer()->findChildren<QLabel*>()) {
            if (label->text().contains(QStringLiteral("token")))
                return label->text();
        }
        return {};
    }
};

} // namespace

// What typing costs the thread that the keys arrive on.
class TstTyping : public QObject
{
    Q_OBJECT

private slots:
    void previewsAreMadeElsewhere();
    void previewIsOfWhatWillBeSent();
};

void TstTyping::previewsAreMadeElsewhere()
{
    Desk desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    QTRY_COMPARE(desk.text->elsewhere.load(), 1); // of the empty draft; it waits for its permit
    QString draft;
    for (int i = 0; i < 200; ++i) {
        draft += QLatin1Char('a');
        desk.window.composer()->setDraft(draft);
        QCoreApplication::processEvents();
    }
    QCOMPARE(desk.text->onGuiThread.load(), 0);
    QCOMPARE(desk.text->elsewhere.load(), 1); // 200 keys, and none queued up behind it
    desk.text->permits.release(1000);
    QTRY_VERIFY2(desk.hint().contains(QStringLiteral("200 token")), qPrintable(desk.hint()));
    QVERIFY(desk.text->elsewhere.load() <= 4); // empty draft, what was typed since, the latest
    desk.service->script = {"ok"};
    emit desk.window.composer()->sendRequested(draft);
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    QCOMPARE(desk.text->onGuiThread.load(), 0); // sending previews nothing either
}

void TstTyping::previewIsOfWhatWillBeSent()
{
    Desk desk;
    desk.text->permits.release(1000);
    desk.service->script = {"four"};
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    emit desk.window.composer()->sendRequested(QStringLiteral("one"));
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    QTRY_COMPARE(desk.chat.count(), 2);
    desk.window.composer()->setDraft(QStringLiteral("fives"));
    QTRY_VERIFY2(desk.hint().contains(QStringLiteral("12 token")), qPrintable(desk.hint()));
    const Request previewed = desk.session.requestWith(QStringLiteral("fives"), {});
    QVERIFY(desk.session.ask(QStringLiteral("fives"), {}).ok());
    QCOMPARE(
        std::get<Turns>(previewed.prompt).turns, std::get<Turns>(desk.service->requests.back().prompt).turns);
}

KAIKOU_TEST(TstTyping)
#include "tst_typing.moc"
