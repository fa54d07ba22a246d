#include "tests/support/test_registry.h"
#include "tests/ui/view/sample_chat.h"
#include "ui/model/language.h"
#include "ui/view/composer.h"
#include "ui/view/confidence_legend.h"
#include "ui/view/theme.h"
#include "ui/view/transcript_view.h"

#include <QApplication>
#include <QDir>
#include <QVBoxLayout>

namespace kaikou::test {

// Renders the talking half of the window in its states. With KAIKOU_SHOTS set to a folder the pictures are
// kept there for the eye.
class TstLooks : public QObject
{
    Q_OBJECT

private slots:

    // The offscreen platform says this of itself.
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void states_data();
    void states();
};

namespace {

// Transcript, legend and composer as the window stacks them.
struct Stage
{
    ChatModel chat;
    QWidget window;
    TranscriptView transcript {&chat};
    ConfidenceLegend legend;
    Composer composer;

    Stage()
    {
        auto* column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(&transcript, 1);
        column->addWidget(&legend);
        column->addWidget(&composer);
    }
};

void talk(Stage& stage)
{
    stage.transcript.setInvitation(TranscriptView::Invitation::Ask);
    stage.composer.setState(Composer::State::Ready);
    stage.chat.addQuestion("什么是注意力机制？");
    play(stage.chat, attentionScript().finish());
}

void fill(Stage& stage, const QString& state)
{
    ChatModel& chat = stage.chat;
    if (state == QStringLiteral("open"))
        return;
    stage.composer.setState(Composer::State::Ready);
    stage.transcript.setInvitation(TranscriptView::Invitation::Ask);
    if (state == QStringLiteral("ask")) {
        stage.transcript.setStarters(starters(QStringLiteral("builtin"), QLocale().language()));
        return;
    }
    if (state == QStringLiteral("talk")) {
        talk(stage);
        SampleParams now = sampleSetup().params;
        now.temperature = 1.5F;
        stage.transcript.setCurrentParams(now);
        stage.transcript.selectToken({chat.at(1).id, 5});
    } else if (state == QStringLiteral("long")) {
        talk(stage);
        chat.addQuestion("请详细解释温度、top-k 和 top-p 各自的作用，以及它们为什么会改变回答。\nPlease also "
                         "say it in English, "
                         "with a long sentence that has to wrap somewhere in the bubble.");
        play(stage.chat, longScript(400));
        stage.composer.setState(Composer::State::Generating);
    } else if (state == QStringLiteral("notes")) {
        talk(stage);
        chat.addNote({NoteKind::ModelChanged, QStringLiteral("llama-tiny")});
        chat.addQuestion("1+1");
        const quint64 empty = play(chat, ReplyScript(nextTicket()).special(kEosId, 0.41).finish());
        chat.setFallback(empty, QStringLiteral("这个问题我还没有学过，换个说法试试？"));
        chat.addQuestion("再说一次");
        play(chat, ReplyScript(nextTicket()).special(kEosId, 0.88).finish());
        chat.addQuestion("温度是什么");
        auto setup = sampleSetup();
        setup.gptTeacher = true;
        play(chat,
            ReplyScript(nextTicket())
                .say("温度", 0.9)
                .say("越高", 0.55)
                .say("，", 0.3)
                .fail(ErrorCode::NonFiniteLogits),
            setup);
        chat.addNote({NoteKind::Problem,
            QStringLiteral("The question is longer than the context: it needs 210 tokens, 128 are there.")});
        chat.addQuestion("top-p?");
        play(chat, attentionScript().finish(FinishReason::Length), setup);
    }
}

} // namespace

void TstLooks::states_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("chinese");
    for (const char* state : {"open", "ask", "talk", "long", "notes"}) {
        for (const bool dark : {false, true}) {
            for (const QSize size : {QSize(700, 500), QSize(1300, 900)})
                QTest::addRow("%s-%s-%d", state, dark ? "dark" : "light", size.width())
                    << QString::fromLatin1(state) << dark << size << false;
        }
    }
    for (const char* state : {"open", "ask", "talk", "notes"})
        QTest::addRow("%s-zh", state) << QString::fromLatin1(state) << false << QSize(700, 500) << true;
}

void TstLooks::states()
{
    QFETCH(QString, state);
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    QFETCH(bool, chinese);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light);
    Stage stage;
    stage.window.resize(size);
    stage.window.show();
    fill(stage, state);
    // Switched while the window stands: every text follows.
    LanguageSwitcher language;
    language.use(chinese ? LanguageChoice::Chinese : LanguageChoice::English);
    QTest::qWait(20); // language, then layout, then paint
    if (chinese)
        QCOMPARE(stage.transcript.accessibleName(), QStringLiteral("对话"));
    const QImage picture = stage.window.grab().toImage();
    QCOMPARE(picture.size(), size);
    // Painted at all, and in the theme's colours: the page covers most of the transcript.
    const QColor page = (dark ? darkTheme() : lightTheme()).page;
    int pagePixels = 0;
    int sampled = 0;
    for (int y = 4; y < stage.transcript.height(); y += 7) {
        for (int x = 4; x < size.width() - 20; x += 7, ++sampled)
            pagePixels += picture.pixelColor(x, y) == page ? 1 : 0;
    }
    QVERIFY2(pagePixels * 100 > sampled * 45, qPrintable(QString::number(pagePixels * 100 / sampled)));
    const QString folder = qEnvironmentVariable("KAIKOU_SHOTS");
    if (!folder.isEmpty())
        QVERIFY(picture.save(
            QDir(folder).filePath(QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".png"))));
}

} // namespace kaikou::test

using kaikou::test::TstLooks;
KAIKOU_TEST(TstLooks)
#include "tst_looks.moc"
