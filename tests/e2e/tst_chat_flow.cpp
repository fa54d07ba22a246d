#include "app/composition.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"
#include "ui/model/chat_model.h"
#include "ui/model/consistency_model.h"
#include "ui/model/distribution_model.h"
#include "ui/view/composer.h"
#include "ui/view/confidence_legend.h"
#include "ui/view/consistency_view.h"
#include "ui/view/distribution_chart.h"
#include "ui/view/error_banner.h"
#include "ui/view/inspector_panel.h"
#include "ui/view/main_window.h"
#include "ui/view/message_block.h"
#include "ui/view/metrics_bar.h"
#include "ui/view/param_slider.h"
#include "ui/view/sampling_panel.h"
#include "ui/view/transcript_view.h"
#include "ui/view/transcript_words.h"

#include <QApplication>
#include <QInputMethodEvent>
#include <QRegularExpression>
#include <QSlider>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace kaikou;

namespace {

constexpr int kPatience = 60000; // ms; a hang, not a speed

QApplication& application()
{
    return *qobject_cast<QApplication*>(QCoreApplication::instance());
}

QString golden()
{
    return QString::fromStdString(
        (test::sourceDir() / "tests/golden/models/gpt_teacher/out/best.safetensors").string());
}

// A file that is no model, with a name as people give them.
QString badFile(const QTemporaryDir& folder)
{
    const QString path = folder.filePath(QStringLiteral("坏 模型.pt"));
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write("not a model at all");
    return path;
}

// The window as a user meets it, with settings of its own.
struct Program
{
    QTemporaryDir folder;
    Composition composition;
    MainWindow& window;

    explicit Program(const QString& model)
        : composition(application(), options(model))
        , window(composition.window())
    {
        composition.start();
        window.activateWindow();
    }

    StartOptions options(const QString& model) const
    {
        StartOptions start;
        if (!model.isEmpty())
            start.files = {model};
        start.language = QStringLiteral("en");
        start.settingsFile = folder.filePath(QStringLiteral("kaikou.ini"));
        return start;
    }

    [[nodiscard]] Composer::State state() const { return window.composer()->state(); }

    [[nodiscard]] const ChatModel& chat() const { return *window.transcript()->chat(); }

    [[nodiscard]] const Reply& lastReply() const { return chat().at(chat().count() - 1).reply; }

    // As an input method does it: composition, then the finished words.
    void type(const QString& text) const
    {
        QWidget* field = QApplication::focusWidget();
        QInputMethodEvent composing(text.left(1), {});
        QCoreApplication::sendEvent(field, &composing);
        QInputMethodEvent done;
        done.setCommitString(text);
        QCoreApplication::sendEvent(field, &done);
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const
    {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
};

} // namespace

class TstChatFlow : public QObject
{
    Q_OBJECT

private slots:
    void talk_data();
    void talk();
    void badFileKeepsTheModel();
    void badStartFileFallsBack();
    void builtInByName();
    void gaugeCountsTheChat();
    void namesWhatTheTokenizerDoesNotKnow();
    void smallWindowShowsEverything();
    void damagedSettingsAreTold();
    void quitsWhileBusy();
};

void TstChatFlow::talk_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("answer"); // as GPT_teacher's own program says it; empty = random weights
    QTest::newRow("small random checkpoint") << golden() << QString();
    if (const auto shared = test::sharedDir()) {
        QTest::newRow("trained checkpoint")
            << QString::fromStdString((*shared / "models/gpt_teacher/best.pt").string())
            << QStringLiteral("注意力机制通过计算查询和键的相关性分配权重，让模型动态关注最相关的部分。");
    }
}

// Open, type, stream, inspect a token, move a slider, stop, self-consistency, quit: with the keyboard alone.
void TstChatFlow::talk()
{
    QFETCH(QString, model);
    QFETCH(QString, answer);
    Program program(model);
    MainWindow& window = program.window;
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
    QVERIFY2(window.metrics()->text().contains(QStringLiteral("cpu"), Qt::CaseInsensitive),
        qPrintable(window.metrics()->text()));

    // Type and stream.
    program.type(QStringLiteral("什么是注意力机制？"));
    QCOMPARE(window.composer()->draft(), QStringLiteral("什么是注意力机制？"));
    program.press(Qt::Key_Return);
    QCOMPARE(window.composer()->draft(), QString());
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
    QVERIFY(!program.lastReply().tokens.empty());
    if (!answer.isEmpty())
        QCOMPARE(QString::fromStdString(std::string(program.lastReply().visible())), answer);
    QVERIFY(window.metrics()->text().contains(QStringLiteral("tokens/s")));

    // Inspect.
    program.press(Qt::Key_F6);
    const TokenPlace place = window.transcript()->selectedToken();
    QVERIFY(place.token >= 0);
    auto* bars = qobject_cast<DistributionModel*>(window.inspector()->chart()->model());
    QCOMPARE(bars->state(), DistributionModel::State::Ready);
    QCOMPARE(bars->step()->token, program.lastReply().tokens[static_cast<std::size_t>(place.token)].id);
    QVERIFY(window.inspector()->sentence().contains(QStringLiteral("rank")));
    program.press(Qt::Key_Left);
    program.press(Qt::Key_Home);

    // Move a slider: the bars change, the model does not run.
    const std::size_t tokens = program.lastReply().tokens.size();
    const double before = bars->index(0).data(DistributionModel::SampleRole).toDouble();
    const double raw = bars->index(0).data(DistributionModel::ModelRole).toDouble();
    window.sampling()->temperature()->slider()->setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 9; ++i) // far enough that top-p keeps more than the first token
        program.press(Qt::Key_PageUp);
    QVERIFY(bars->index(0).data(DistributionModel::SampleRole).toDouble() != before);
    QCOMPARE(bars->index(0).data(DistributionModel::ModelRole).toDouble(), raw);
    QCOMPARE(program.state(), Composer::State::Ready);
    QCOMPARE(program.lastReply().tokens.size(), tokens);

    // Stop. A small model may be done before the key arrives; it is asked until it is caught.
    bool stopped = false;
    for (int round = 0; round < 20 && !stopped; ++round) {
        program.press(Qt::Key_L, Qt::ControlModifier);
        program.type(QStringLiteral("再说一次"));
        program.press(Qt::Key_Return);
        program.press(Qt::Key_Escape);
        QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
        stopped = program.lastReply().finish == FinishReason::Cancelled;
    }
    QVERIFY(stopped);

    // Self-consistency.
    program.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    auto* groups = window.findChild<ConsistencyModel*>();
    QTRY_VERIFY_WITH_TIMEOUT(groups->done() == 5 && !groups->running(), kPatience);
    QCOMPARE(groups->total(), 5);
    int answers = 0;
    for (int row = 0; row < groups->rowCount(); ++row)
        answers += groups->index(row, 0).data(ConsistencyModel::CountRole).toInt();
    QCOMPARE(answers, 5);
    QVERIFY2(window.consistency()->verdictText().contains(QStringLiteral("of 5")),
        qPrintable(window.consistency()->verdictText()));

    QVERIFY(window.action(ActionId::Consistency)->isEnabled()); // and may be run again
    QVERIFY(!window.action(ActionId::Stop)->isEnabled());
    QVERIFY(!window.metrics()->text().contains(QStringLiteral("sampling")));

    program.press(Qt::Key_Q, Qt::ControlModifier);
    QTRY_VERIFY(!window.isVisible());
}

void TstChatFlow::badFileKeepsTheModel()
{
    Program program(golden());
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
    const QString bad = badFile(program.folder);
    program.window.composer()->setDraft(QStringLiteral("我的话"));
    program.window.openModel(bad);
    QTRY_VERIFY_WITH_TIMEOUT(!program.window.banner()->isHidden(), kPatience);
    QVERIFY(program.window.banner()->title().contains(QStringLiteral("坏 模型.pt")));
    QCOMPARE(program.state(), Composer::State::Ready);
    QCOMPARE(program.window.composer()->draft(), QStringLiteral("我的话"));
}

// Started with a file that cannot be opened, the program says so and talks all the same.
void TstChatFlow::badStartFileFallsBack()
{
    const QTemporaryDir folder;
    Program program(badFile(folder));
    QTRY_VERIFY_WITH_TIMEOUT(!program.window.banner()->isHidden(), kPatience);
#ifdef KAIKOU_EMBEDDED_MODEL
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
    QVERIFY(program.window.banner()->text().contains(QStringLiteral("built-in model answers")));
#endif
    QVERIFY(!program.window.banner()->isHidden());
    QVERIFY2(program.window.banner()->title().contains(QStringLiteral("坏 模型.pt")),
        qPrintable(program.window.banner()->title()));
}

void TstChatFlow::builtInByName()
{
    Program program(QStringLiteral("builtin"));
#ifdef KAIKOU_EMBEDDED_MODEL
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
    QVERIFY(program.window.banner()->isHidden());
    QVERIFY(program.window.metrics()->text().contains(QStringLiteral("cpu"), Qt::CaseInsensitive));
#else
    QTRY_VERIFY_WITH_TIMEOUT(!program.window.banner()->isHidden(), kPatience);
    QVERIFY2(program.window.banner()->title().contains(QStringLiteral("the built-in model")),
        qPrintable(program.window.banner()->title()));
#endif
}

// With an empty box and the earlier turns on, the gauge shows what the conversation takes of the context.
void TstChatFlow::gaugeCountsTheChat()
{
#ifdef KAIKOU_EMBEDDED_MODEL
    Program program(QStringLiteral("builtin"));
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
    const auto used = [&program] {
        static const QRegularExpression gauge(QStringLiteral("context (\\d+)/"));
        return gauge.match(program.window.metrics()->text()).captured(1).toUInt();
    };
    QTRY_VERIFY_WITH_TIMEOUT(used() > 0, kPatience);
    const unsigned empty = used();
    emit program.window.composer()->sendRequested(QStringLiteral("什么是注意力机制？"));
    QTRY_VERIFY_WITH_TIMEOUT(program.chat().count() == 2 && !program.lastReply().running(), kPatience);
    const Reply& reply = program.lastReply();
    QVERIFY(reply.usable());
    QTRY_VERIFY_WITH_TIMEOUT(used() > reply.metrics.promptTokens, kPatience);
    program.window.composer()->setUseEarlierTurns(false);
    QTRY_COMPARE_WITH_TIMEOUT(used(), empty, kPatience);
#endif
}

// GPT_teacher's tokenizer has few letters: what became <unk> is named below the answer.
void TstChatFlow::namesWhatTheTokenizerDoesNotKnow()
{
    Program program(golden());
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), Composer::State::Ready, kPatience);
    emit program.window.composer()->sendRequested(QStringLiteral("Ж你好Ж"));
    QTRY_VERIFY_WITH_TIMEOUT(program.chat().count() == 2 && !program.lastReply().running(), kPatience);
    const auto& prompt = program.lastReply().prompt;
    QVERIFY(prompt != nullptr);
    QVERIFY(!prompt->unknown.empty());
    QVERIFY(std::ranges::count(prompt->unknownCharacters, std::string("Ж")) == 1);
    const QString words = TranscriptWords::unknownCharacters(prompt->unknownCharacters);
    QVERIFY2(words.contains(QStringLiteral("'Ж'")), qPrintable(words));
    bool shown = false;
    for (const FooterPart& part : footerParts(program.lastReply(), std::nullopt, false, false))
        shown = shown || part.text == words;
    QVERIFY(shown);
}

// The smallest size the window takes still shows all of its parts.
void TstChatFlow::smallWindowShowsEverything()
{
    const QTemporaryDir folder;
    StartOptions options;
    options.files = {golden()};
    options.language = QStringLiteral("en");
    options.settingsFile = folder.filePath(QStringLiteral("kaikou.ini"));
    Composition composition(application(), options);
    MainWindow& window = composition.window();
    window.resize(640, 480); // so small that the panels share one place
    composition.start();
    QTRY_COMPARE_WITH_TIMEOUT(window.composer()->state(), Composer::State::Ready, kPatience);
    emit window.composer()->sendRequested(QStringLiteral("你好"));
    QTRY_COMPARE_WITH_TIMEOUT(window.composer()->state(), Composer::State::Ready, kPatience);
    window.inspectLast(0);
    window.resize(1, 1);
    QTest::qWait(300); // the docks move
    QVERIFY2(window.height() <= 480 && window.width() <= 760,
        qPrintable(QStringLiteral("%1 x %2").arg(window.width()).arg(window.height())));
    auto* legend = window.findChild<ConfidenceLegend*>();
    QVERIFY(legend->width() >= legend->minimumSizeHint().width());
    const auto below = [&window](const QWidget* widget) {
        return widget->mapTo(&window, QPoint(0, widget->height())).y();
    };
    const int bar = window.metrics()->mapTo(&window, QPoint()).y();
    QVERIFY(below(window.composer()) <= bar);
    QVERIFY(below(window.inspector()) <= bar);
}

void TstChatFlow::damagedSettingsAreTold()
{
    const QTemporaryDir folder;
    StartOptions options;
    options.language = QStringLiteral("en");
    options.settingsFile = folder.filePath(QStringLiteral("kaikou.ini"));
    QFile file(options.settingsFile);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[appearance\ntheme dark\n");
    file.close();
    Composition composition(application(), options);
    composition.start();
    QVERIFY(!composition.window().banner()->isHidden());
    QVERIFY(composition.window().banner()->title().contains(QStringLiteral("settings")));
    QVERIFY(composition.window().banner()->text().contains(QStringLiteral("kaikou.ini.bad-")));
}

void TstChatFlow::quitsWhileBusy()
{
    for (int round = 0; round < 5; ++round) {
        Program loading(golden());
        loading.window.close();
    }
    Program generating(golden());
    QTRY_COMPARE_WITH_TIMEOUT(generating.state(), Composer::State::Ready, kPatience);
    emit generating.window.composer()->sendRequested(QStringLiteral("说吧"));
    generating.window.close();
}

KAIKOU_TEST(TstChatFlow)
#include "tst_chat_flow.moc"
