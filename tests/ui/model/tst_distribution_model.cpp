#include "tests/support/test_registry.h"
#include "ui/model/distribution_model.h"
#include "ui/model/token_label.h"

#include <QAbstractItemModelTester>
#include <QtTest>

#include <cmath>
#include <vector>

using namespace kaikou;

namespace {

// The logits of sampling.md's golden table A, then a tail that no filter keeps.
std::vector<float> logits(std::size_t vocab)
{
    std::vector<float> values(vocab, -20.0F);
    const float head[] = {2.0F, 1.0F, 0.0F, -1.0F};
    std::copy(std::begin(head), std::end(head), values.begin());
    return values;
}

StepView step(std::size_t vocab, TokenId token, double u)
{
    auto record = std::make_shared<StepRecord>();
    record->token = token;
    record->logits = RawLogits::keep(logits(vocab), RecordForm::F32);
    record->stats.u = u;
    StepView view;
    view.record = record;
    view.stats = record->stats;
    view.token = token;
    view.count = 1;
    return view;
}

QVariant at(const DistributionModel& model, int row, int role)
{
    return model.data(model.index(row), role);
}

} // namespace

class TstDistributionModel : public QObject
{
    Q_OBJECT

private slots:
    void showsTheGolden();
    void slidersReshapeInPlace();
    void namesWhatCutAToken();
    void othersCarryTheRest();
    void chosenTokenIsAlwaysListed();
    void evictedKeepsTheNumbers();
    void refusedParametersAreNamed();
    void labels_data();
    void labels();
    void percents();
};

void TstDistributionModel::showsTheGolden()
{
    DistributionModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(step(4, 1, 0.7));
    QCOMPARE(model.state(), DistributionModel::State::Ready);
    QCOMPARE(model.rowCount(), 4);
    // sampling.md §6.4: entropy, effective choices and surprisal of [2, 1, 0, -1].
    QVERIFY(std::abs(at(model, 0, DistributionModel::ModelRole).toDouble() - 0.643914) < 1e-6);
    QVERIFY(std::abs(model.summary().entropy - 0.947537) < 1e-6);
    QVERIFY(std::abs(model.summary().choices - 2.579349) < 1e-6);
    QVERIFY(std::abs(model.summary().surprisalBits - 2.077755) < 1e-6);
    QCOMPARE(model.summary().rank, 2);
    QVERIFY(at(model, 1, DistributionModel::ChosenRole).toBool());
    // u = 0.7 lies behind .643914 and before .880797: the second token.
    QCOMPARE(model.summary().pick, TokenId(1));
    QVERIFY(at(model, 1, DistributionModel::PickRole).toBool());
    QCOMPARE(model.accessibleRow(0).left(9), QStringLiteral("1: #0, 64"));
}

void TstDistributionModel::slidersReshapeInPlace()
{
    DistributionModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(step(4, 0, 0.5));
    QSignalSpy moved(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    SampleParams params;
    params.temperature = 0.5F;
    model.setParams(params);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(resets.count(), 0);
    QVERIFY(std::abs(at(model, 0, DistributionModel::ModelRole).toDouble() - 0.643914) < 1e-6);
    QVERIFY(std::abs(at(model, 0, DistributionModel::SampleRole).toDouble() - 0.864955) < 1e-5);
    params.temperature = 0.0F;
    model.setParams(params);
    QVERIFY(model.summary().greedy);
    QCOMPARE(at(model, 0, DistributionModel::SampleRole).toDouble(), 1.0);
    QCOMPARE(model.summary().rank, 1);
}

void TstDistributionModel::namesWhatCutAToken()
{
    DistributionModel model;
    SampleParams params;
    params.topK = 3;
    params.topP = 0.8F;
    model.setParams(params);
    model.show(step(4, 0, 0.1));
    QCOMPARE(at(model, 0, DistributionModel::RemovedRole).toInt(), static_cast<int>(StageKind::Raw));
    QCOMPARE(at(model, 3, DistributionModel::RemovedRole).toInt(), static_cast<int>(StageKind::TopK));
    QCOMPARE(at(model, 2, DistributionModel::RemovedRole).toInt(), static_cast<int>(StageKind::TopP));
    QCOMPARE(model.summary().kept, 2);
    QCOMPARE(model.stage(StageKind::TopK)->left, 3);
    QCOMPARE(model.stage(StageKind::TopP)->left, 2);
    QVERIFY(!model.stage(StageKind::MinP));
    QVERIFY(model.accessibleRow(3).contains(stageName(StageKind::TopK)));
}

void TstDistributionModel::othersCarryTheRest()
{
    DistributionModel model;
    model.show(step(500, 0, 0.1));
    QCOMPARE(model.rowCount(), DistributionModel::kRows + 1);
    const int last = model.rowCount() - 1;
    QVERIFY(at(model, last, DistributionModel::OthersRole).toBool());
    QCOMPARE(at(model, last, DistributionModel::CountRole).toInt(), 500 - DistributionModel::kRows);
    double sum = 0.0;
    for (int row = 0; row <= last; ++row)
        sum += at(model, row, DistributionModel::ModelRole).toDouble();
    QVERIFY(std::abs(sum - 1.0) < 1e-6);
}

void TstDistributionModel::chosenTokenIsAlwaysListed()
{
    DistributionModel model;
    model.show(step(500, 321, 0.999999));
    int found = -1;
    for (int row = 0; row < model.rowCount(); ++row) {
        if (at(model, row, DistributionModel::ChosenRole).toBool())
            found = row;
    }
    QCOMPARE(at(model, found, DistributionModel::IdRole).toUInt(), 321U);
    QCOMPARE(at(model, found, DistributionModel::RankRole).toInt(), 322); // ties rank by id
}

void TstDistributionModel::evictedKeepsTheNumbers()
{
    StepView view = step(4, 1, 0.7);
    view.record.reset();
    view.stats.pModel = 0.25;
    view.stats.rank = 2;
    view.stats.entropy = 1.0;
    DistributionModel model;
    model.show(view);
    QCOMPARE(model.state(), DistributionModel::State::Evicted);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.summary().surprisalBits, 2.0);
    QCOMPARE(model.summary().rank, 2);
    model.clear();
    QCOMPARE(model.state(), DistributionModel::State::Empty);
}

void TstDistributionModel::refusedParametersAreNamed()
{
    DistributionModel model;
    SampleParams params;
    params.topP = 1.5F;
    model.setParams(params);
    model.show(step(4, 0, 0.1));
    QCOMPARE(model.state(), DistributionModel::State::Failed);
    QCOMPARE(model.error().code, ErrorCode::ParameterRange);
    params.topP = 0.9F;
    model.setParams(params);
    QCOMPARE(model.state(), DistributionModel::State::Ready);
}

void TstDistributionModel::labels_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("label");
    QTest::newRow("word") << QByteArray("机器") << QStringLiteral("机器");
    QTest::newRow("space") << QByteArray(" the ") << QStringLiteral("␣the␣");
    QTest::newRow("line break") << QByteArray("\n") << QStringLiteral("↵");
    QTest::newRow("part of a character") << QByteArray("\xE9\x87") << QStringLiteral("⟨E9 87⟩");
    QTest::newRow("emoji") << QByteArray("😀") << QStringLiteral("😀");
    QTest::newRow("control") << QByteArray("\x01") << QStringLiteral("⟨U+0001⟩");
}

void TstDistributionModel::labels()
{
    QFETCH(QByteArray, bytes);
    QTEST(tokenLabel(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))), "label");
}

void TstDistributionModel::percents()
{
    QCOMPARE(percent(0.0), QStringLiteral("0 %"));
    QCOMPARE(percent(1.0), QStringLiteral("100 %"));
    QCOMPARE(percent(0.99999), QStringLiteral("99.9 %"));
    QCOMPARE(percent(0.643914), QStringLiteral("64 %"));
    QCOMPARE(percent(0.00000001), QStringLiteral("< 0.01 %"));
    QCOMPARE(percent(0.0034), QStringLiteral("0.34 %"));
}

KAIKOU_TEST(TstDistributionModel)
#include "tst_distribution_model.moc"
