#include "tests/support/scripted_service.h"
#include "tests/support/test_registry.h"
#include "ui/model/consistency_model.h"
#include "ui/model/distribution_model.h"
#include "ui/model/generation_bridge.h"
#include "ui/view/consistency_view.h"
#include "ui/view/distribution_chart.h"
#include "ui/view/error_banner.h"
#include "ui/view/inspector_panel.h"
#include "ui/view/metrics_bar.h"
#include "ui/view/param_slider.h"
#include "ui/view/sampling_panel.h"
#include "ui/view/seed_field.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QSlider>
#include <QtTest>

using namespace kaikou;

namespace {

StepView sampleStep()
{
    std::vector<float> logits(100, -8.0F);
    for (int i = 0; i < 8; ++i)
        logits[static_cast<std::size_t>(i)] = 2.0F - static_cast<float>(i) * 0.5F;
    auto record = std::make_shared<StepRecord>();
    record->logits = RawLogits::keep(logits, RecordForm::F32);
    record->stats.u = 0.4;
    StepView view;
    view.record = record;
    view.stats = record->stats;
    view.index = 1;
    view.count = 3;
    return view;
}

} // namespace

class TstPanels : public QObject
{
    Q_OBJECT

private slots:
    void slidersChangeParameters();
    void panelShowsAndResets();
    void effectsSpeakOfTheStep();
    void rulesWithoutAStageSaySo();
    void stopsRoundTrip();
    void seedIsNewUnlessLocked();
    void inspectorFollowsTheModel();
    void chartIsAnAccessibleList();
    void consistencyCountsAnswers();
    void consistencyCanBeCancelled();
    void bannerSaysWhatWhereAndNext();
    void metricsAreShown();
};

void TstPanels::slidersChangeParameters()
{
    DistributionModel model;
    SamplingPanel panel(&model);
    QSignalSpy changed(&panel, &SamplingPanel::paramsChanged);
    panel.setParams({});
    panel.temperature()->slider()->setValue(70); // linear: 0.70 of 0..2
    QCOMPARE(changed.count(), 1);
    QCOMPARE(panel.params().sampling.temperature, 0.7F);
    panel.temperature()->slider()->setValue(0);
    QCOMPARE(panel.params().sampling.temperature, 0.0F);
    panel.temperature()->slider()->setValue(200);
    QCOMPARE(panel.params().sampling.temperature, 2.0F);
    QTest::keyClick(panel.topK()->slider(), Qt::Key_Right);
    QCOMPARE(panel.params().sampling.topK, 1);
}

void TstPanels::panelShowsAndResets()
{
    DistributionModel model;
    SamplingPanel panel(&model);
    ReplyParams defaults;
    defaults.sampling.temperature = 0.5F;
    defaults.sampling.topK = 50;
    defaults.sampling.semantics = Semantics::Vllm;
    defaults.maxTokens = 128;
    panel.setDefaults(defaults, QStringLiteral("because"));
    panel.reset();
    QCOMPARE(panel.params(), defaults);
    QVERIFY(std::abs(panel.temperature()->value() - 0.5) < 1e-9);
    QCOMPARE(panel.topK()->value(), 50.0);
    panel.topK()->slider()->setValue(7);
    QCOMPARE(panel.params().sampling.semantics, Semantics::Vllm);
    QCOMPARE(panel.params().maxTokens, 128U);
    panel.reset();
    QCOMPARE(panel.params(), defaults);
}

void TstPanels::effectsSpeakOfTheStep()
{
    DistributionModel model;
    SamplingPanel panel(&model);
    QVERIFY(panel.topK()->effect().isEmpty());
    connect(&panel, &SamplingPanel::paramsChanged, &model,
        [&](const ReplyParams& params) { model.setParams(params.sampling); });
    model.show(sampleStep());
    panel.topK()->slider()->setValue(7);
    QVERIFY2(panel.topK()->effect().contains(QStringLiteral("7 of 100")), qPrintable(panel.topK()->effect()));
    QCOMPARE(model.summary().kept, 7);
    panel.temperature()->slider()->setValue(0);
    QVERIFY2(panel.topK()->effect().contains(QStringLiteral("greedy")), qPrintable(panel.topK()->effect()));
    model.clear();
    QVERIFY(panel.topK()->effect().isEmpty());
}

// sampling.md §2: GPT_teacher has a repetition penalty but no min-p; LitGPT has neither.
void TstPanels::rulesWithoutAStageSaySo()
{
    DistributionModel model;
    SamplingPanel panel(&model);
    ReplyParams params;
    params.sampling.minP = 0.1F;
    panel.setParams(params);
    model.show(sampleStep());
    QVERIFY(panel.minP()->slider()->isEnabled());
    params.sampling.semantics = Semantics::GptTeacher;
    panel.setParams(params);
    QVERIFY(!panel.minP()->slider()->isEnabled());
    QCOMPARE(panel.minP()->effect(), QStringLiteral("GPT_teacher has no Min-p: this does nothing."));
    QVERIFY(panel.minP()->slider()->accessibleDescription().contains(QStringLiteral("does nothing")));
    QCOMPARE(panel.params().sampling.minP, 0.1F); // kept for the rules that know it
    QVERIFY(panel.repetition()->slider()->isEnabled());
    QVERIFY(panel.topK()->slider()->isEnabled());
    model.clear();
    QVERIFY(!panel.minP()->effect().isEmpty()); // also while no token is selected
    params.sampling.semantics = Semantics::LitGpt;
    panel.setParams(params);
    QVERIFY(!panel.repetition()->slider()->isEnabled());
    QCOMPARE(panel.minP()->effect(), QStringLiteral("LitGPT has no Min-p: this does nothing."));
    params.sampling.semantics = Semantics::Standard;
    panel.setParams(params);
    QVERIFY(panel.minP()->slider()->isEnabled());
    QVERIFY(panel.minP()->effect().isEmpty());
}

void TstPanels::stopsRoundTrip()
{
    DistributionModel model;
    SamplingPanel panel(&model);
    ReplyParams params;
    params.stops.strings = {"。", "\n用户"};
    params.stops.automatic = false;
    panel.setParams(params);
    panel.topK()->slider()->setValue(3); // reads every widget back
    QCOMPARE(panel.params().stops, params.stops);
}

void TstPanels::seedIsNewUnlessLocked()
{
    SeedField seed;
    const std::uint64_t first = seed.next();
    QVERIFY(seed.next() != first);
    QVERIFY(first >> 63 == 0);
    seed.setSeed(42);
    QVERIFY(seed.locked());
    QCOMPARE(seed.next(), 42U);
    QCOMPARE(seed.next(), 42U);
    seed.setLocked(false);
    QVERIFY(seed.next() != 42U);
}

void TstPanels::inspectorFollowsTheModel()
{
    DistributionModel model;
    InspectorPanel panel(&model);
    QVERIFY(panel.sentence().isEmpty());
    StepView step = sampleStep();
    step.made.temperature = 0.3F;
    model.show(step);
    QVERIFY2(panel.sentence().contains(QStringLiteral("token 2 of 3")), qPrintable(panel.sentence()));
    QSignalSpy moves(&panel, &InspectorPanel::moveRequested);
    QSignalSpy originals(&panel, &InspectorPanel::originalParamsRequested);
    for (QAbstractButton* button : panel.findChildren<QAbstractButton*>()) {
        if (!button->isHidden())
            button->click();
    }
    QCOMPARE(moves.count(), 2);
    QCOMPARE(moves[0][0].toInt() + moves[1][0].toInt(), 0);
    QCOMPARE(originals.count(), 1); // made with T 0.3, shown with T 1
}

void TstPanels::chartIsAnAccessibleList()
{
    DistributionModel model;
    DistributionChart chart(&model);
    chart.resize(320, 500);
    model.show(sampleStep());
    QVERIFY(!chart.accessibleName().isEmpty());
    QVERIFY(model.index(0).data(Qt::AccessibleTextRole).toString().startsWith(QStringLiteral("1: #0")));
    chart.setCurrentIndex(model.index(0));
    QTest::keyClick(&chart, Qt::Key_Down);
    QCOMPARE(chart.currentIndex().row(), 1);
    const QImage before = chart.grab().toImage();
    SampleParams sharp;
    sharp.temperature = 0.2F;
    model.setParams(sharp);
    QVERIFY(chart.grab().toImage() != before);
    QCOMPARE(chart.currentIndex().row(), 1); // a slider does not throw the reader out of the list
}

void TstPanels::consistencyCountsAnswers()
{
    GenerationBridge bridge;
    auto service = std::make_shared<test::ScriptedService>();
    service->perChoice = {{"四"}, {"四"}, {"四"}, {"四"}, {}};
    bridge.setService(service);
    ConsistencyModel model(bridge);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    ConsistencyView view(&model);
    QVERIFY(model.run({}, QStringLiteral("二加二？"), 5, {}).ok());
    QVERIFY(model.running());
    QTRY_VERIFY(!model.running());
    QCOMPARE(service->requests.back().choices, 5U);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(0, 0).data(ConsistencyModel::CountRole).toInt(), 4);
    QCOMPARE(model.index(0, 0).data(ConsistencyModel::TextRole).toString(), QStringLiteral("四"));
    QVERIFY(model.index(1, 0).data(ConsistencyModel::EmptyRole).toBool());
    QCOMPARE(model.rowCount(model.index(0, 0)), 4);
    QVERIFY2(view.verdictText().contains(QStringLiteral("4 of 5")), qPrintable(view.verdictText()));
    // sampling.md §10.3: Wilson interval of 4/5.
    QVERIFY(std::abs(model.verdict()->interval.low - 0.376) < 5e-4);
    QVERIFY(std::abs(model.verdict()->interval.high - 0.964) < 5e-4);
}

void TstPanels::consistencyCanBeCancelled()
{
    GenerationBridge bridge;
    auto service = std::make_shared<test::ScriptedService>();
    service->finishByItself = false;
    bridge.setService(service);
    ConsistencyModel model(bridge);
    QVERIFY(model.run({}, QStringLiteral("?"), 5, {}).ok());
    model.cancel();
    QTRY_VERIFY(!model.running());
    QCOMPARE(model.done(), 5);
    QVERIFY(!model.verdict().has_value());
    service->refuse = Error {ErrorCode::QueueFull, "full", {}};
    QCOMPARE(model.run({}, QStringLiteral("?"), 5, {}).error().code, ErrorCode::QueueFull);
}

void TstPanels::bannerSaysWhatWhereAndNext()
{
    ErrorBanner banner;
    QVERIFY(banner.isHidden());
    banner.showError(QStringLiteral("Could not open best.pt"),
        {ErrorCode::FormatTruncated, "header needs 8 bytes", "最佳.pt+3"}, QStringLiteral("Again"));
    QVERIFY(!banner.isHidden());
    for (const QString& part : {QStringLiteral("best.pt"), QStringLiteral("cut off"), QStringLiteral("again"),
             QStringLiteral("最佳.pt+3"), QStringLiteral("203")})
        QVERIFY2(banner.text().contains(part), qPrintable(part));
    QSignalSpy action(&banner, &ErrorBanner::actionRequested);
    banner.findChildren<QPushButton*>().front()->click();
    QCOMPARE(action.count(), 1);
    QVERIFY(banner.isHidden());
}

void TstPanels::metricsAreShown()
{
    MetricsBar bar;
    Metrics metrics;
    metrics.ttftMs = 12.4;
    metrics.tpotMs = 0.91;
    metrics.tokensPerSecond = 1099.0;
    metrics.promptTokens = 20;
    metrics.cachedTokens = 17;
    bar.setReply(metrics, 99);
    bar.setContext(40, 128);
    bar.setRecords(3 << 20, 256ULL << 20);
    for (const QString& part : {QStringLiteral("12 ms"), QStringLiteral("0.91 ms"), QStringLiteral("17/20"),
             QStringLiteral("99"), QStringLiteral("40/128"), QStringLiteral("256")})
        QVERIFY2(bar.text().contains(part), qPrintable(bar.text()));
}

KAIKOU_TEST(TstPanels)
#include "tst_panels.moc"
