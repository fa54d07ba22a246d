#include "app/composition.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"
#include "ui/model/chat_model.h"
#include "ui/model/distribution_model.h"
#include "ui/view/chat_list.h"
#include "ui/view/composer.h"
#include "ui/view/distribution_chart.h"
#include "ui/view/error_banner.h"
#include "ui/view/inspector_panel.h"
#include "ui/view/main_window.h"
#include "ui/view/transcript_view.h"

#include <QAction>
#include <QApplication>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

using namespace kaikou;

namespace {

constexpr int kPatience = 60000; // ms; a hang, not a speed

// The program from start to end over a real, small checkpoint; several in a row share a folder.
struct Program
{
    Composition composition;
    MainWindow& window;

    explicit Program(const QTemporaryDir& folder, bool file = true)
        : composition(*qobject_cast<QApplication*>(QCoreApplication::instance()), options(folder, file))
        , window(composition.window())
    {
        composition.start();
        window.activateWindow();
    }

    static QString checkpoint()
    {
        return QString::fromStdString(
            (test::sourceDir() / "tests/golden/models/gpt_teacher/out/best.safetensors").string());
    }

    static StartOptions options(const QTemporaryDir& folder, bool file)
    {
        StartOptions start;
        if (file)
            start.files = {checkpoint()};
        start.language = QStringLiteral("en");
        start.settingsFile = folder.filePath(QStringLiteral("kaikou.ini"));
        return start;
    }

    [[nodiscard]] const ChatModel& chat() const { return *window.transcript()->chat(); }

    [[nodiscard]] bool ready() const { return window.composer()->state() == Composer::State::Ready; }

    [[nodiscard]] const Reply& last() const { return *chat().reply(chat().lastAnswer()); }

    [[nodiscard]] DistributionModel* distribution() const
    {
        return qobject_cast<DistributionModel*>(window.inspector()->chart()->model());
    }
};

} // namespace

// What comes back after the program was closed, and what can still be asked of it.
class TstChatMemory : public QObject
{
    Q_OBJECT

private slots:
    void chatComesBackWithItsDistributions();
    void lastModelComesBackUnlessItEndedTheProgram();
};

void TstChatMemory::chatComesBackWithItsDistributions()
{
    const QTemporaryDir folder;
    std::vector<double> before;
    std::vector<TokenId> ids;
    QString topLabel;
    double topSample = 0.0;
    {
        Program p(folder);
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), kPatience);
        emit p.window.composer()->sendRequested(QStringLiteral("你好"));
        QTRY_COMPARE_WITH_TIMEOUT(p.chat().count(), 2, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), kPatience);
        for (const ReplyToken& token : p.last().tokens) {
            before.push_back(token.stats.pModel);
            ids.push_back(token.id);
        }
        QVERIFY(ids.size() > 3);
        p.window.inspectLast(2);
        QCOMPARE(p.distribution()->state(), DistributionModel::State::Ready);
        const QModelIndex top = p.distribution()->index(0, 0);
        topLabel = top.data(DistributionModel::LabelRole).toString();
        topSample = top.data(DistributionModel::SampleRole).toDouble();
        QVERIFY(p.window.close());
    }
    Program p(folder);
    QTRY_COMPARE_WITH_TIMEOUT(p.chat().count(), 2, kPatience); // the chat that was open last
    QTRY_VERIFY_WITH_TIMEOUT(p.ready(), kPatience);
    QCOMPARE(p.last().tokens.size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        QCOMPARE(p.last().tokens[i].id, ids[i]);
        QVERIFY(std::abs(p.last().tokens[i].stats.pModel - before[i]) <= 1e-5 * before[i]);
    }
    p.window.inspectLast(2);
    QCOMPARE(p.distribution()->state(), DistributionModel::State::Evicted);
    QVERIFY(p.distribution()->rowCount() >= 10); // the likeliest ones are on disk
    QCOMPARE(p.distribution()->index(0, 0).data(DistributionModel::LabelRole).toString(), topLabel);

    emit p.window.inspector()->recomputeRequested();
    QTRY_COMPARE_WITH_TIMEOUT(p.distribution()->state(), DistributionModel::State::Ready, kPatience);
    QCOMPARE(p.distribution()->summary().pModel, before[2]); // bit for bit what it was
    QCOMPARE(p.distribution()->index(0, 0).data(DistributionModel::SampleRole).toDouble(), topSample);
    QCOMPARE(p.distribution()->summary().pick, ids[2]); // the same dice give the same token

    // Another token at that place: the answer begins the same and goes on from there.
    const QModelIndex other = p.distribution()->index(
        p.distribution()->index(0, 0).data(DistributionModel::ChosenRole).toBool() ? 1 : 0, 0);
    const auto chosen = static_cast<TokenId>(other.data(DistributionModel::IdRole).toUInt());
    const double chosenModel = other.data(DistributionModel::ModelRole).toDouble();
    emit p.window.inspector()->alternativeChosen(chosen);
    QTRY_VERIFY_WITH_TIMEOUT(p.ready() && p.last().setup.said == 3, kPatience);
    QCOMPARE(p.last().tokens[0].id, ids[0]);
    QCOMPARE(p.last().tokens[1].id, ids[1]);
    QCOMPARE(p.last().tokens[2].id, chosen);
    QVERIFY(p.last().tokens[2].stats.forced);
    QCOMPARE(p.last().tokens[2].stats.pModel, chosenModel);
    // The prefix was reused: nothing of the prompt was computed again.
    QCOMPARE(p.last().metrics.cachedTokens, p.last().metrics.promptTokens);
    QCOMPARE(p.chat().at(p.chat().count() - 1).variants, 2);
}

void TstChatMemory::lastModelComesBackUnlessItEndedTheProgram()
{
    const QTemporaryDir folder;
    {
        Program p(folder);
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), kPatience);
        QVERIFY(p.window.close());
    }
    {
        Program p(folder, false);
        QTRY_VERIFY_WITH_TIMEOUT(p.ready(), kPatience);
        QVERIFY(p.window.windowTitle().contains(QStringLiteral("best")));
        QVERIFY(!p.window.banner()->isVisible());
        QVERIFY(p.window.close());
    }
    Settings(folder.filePath(QStringLiteral("kaikou.ini"))).setLoadingModel(Program::checkpoint());
    Program p(folder, false);
    QVERIFY(p.window.banner()->isVisible());
    QVERIFY(p.window.banner()->title().contains(QStringLiteral("best.safetensors")));
    QTest::qWait(200);
    QVERIFY(!p.window.windowTitle().contains(QStringLiteral("best")));
    QCOMPARE(Settings(folder.filePath(QStringLiteral("kaikou.ini"))).loadingModel(), QString());
}

KAIKOU_TEST(TstChatMemory)
#include "tst_chat_memory.moc"
