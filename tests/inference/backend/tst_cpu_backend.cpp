#include "inference/backend/cpu/memory_budget.h"
#include "inference/backend/registry.h"
#include "tests/inference/backend/model_rig.h"
#include "tests/inference/backend/random_checkpoint.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <filesystem>
#include <fstream>

using namespace kaikou;
using namespace kaikou::test;

namespace {

CpuBackendOptions withBudget(std::uint64_t bytes)
{
    CpuBackendOptions options;
    options.memoryBudget = bytes;
    options.threads = 1;
    return options;
}

ErrorCode codeOf(const Result<LogitsRows>& result)
{
    return result.ok() ? ErrorCode {} : result.error().code;
}

} // namespace

class TstCpuBackend : public QObject
{
    Q_OBJECT

private slots:
    void estimateIsWhatLoadTakes();
    void slotsShrinkToTheBudget();
    void refusesWithNumbers();
    void choosesCacheFormat();
    void refusesBadTensors_data();
    void refusesBadTensors();
    void loadReportsAndStops();
    void stepRefusesBadRows();
    void cancelledStepLeavesNoTrace();
    void readsMemoryLimits();
    void registryMakesByName();
};

void TstCpuBackend::estimateIsWhatLoadTakes()
{
    const auto checkpoint = randomCheckpoint({smallConfig()});
    CpuBackend backend(withBudget(1U << 30U));
    const auto estimate = backend.estimate(checkpoint, {});
    const auto model = backend.load(checkpoint, {}, {});
    QVERIFY(estimate.ok() && model.ok());
    QCOMPARE((*model)->info().memory.total(), estimate->total());
    QCOMPARE((*model)->info().slotCount, 8U);
    QCOMPARE((*model)->info().context, 160U);
    // 2 layers, keys and values, 2 heads of 12 f32, 160 positions, 8 slots.
    QCOMPARE(estimate->kv, std::uint64_t {2} * 2 * 2 * 12 * 4 * 160 * 8);
}

void TstCpuBackend::slotsShrinkToTheBudget()
{
    const auto checkpoint = randomCheckpoint({smallConfig()});
    LoadOptions options;
    options.slotCount = 3;
    const auto three = CpuBackend(withBudget(1U << 30U)).estimate(checkpoint, options);
    options.slotCount = 8;
    const auto model = CpuBackend(withBudget(three->total() + 1)).load(checkpoint, options, {});
    QVERIFY(model.ok());
    QCOMPARE((*model)->info().slotCount, 3U);
    QCOMPARE((*model)->info().memory.total(), three->total());
    for (int i = 0; i < 3; ++i)
        QVERIFY((*model)->openSlot(160).ok());
    QCOMPARE((*model)->openSlot(1).error().code, ErrorCode::OutOfMemory);
}

void TstCpuBackend::refusesWithNumbers()
{
    const auto checkpoint = randomCheckpoint({smallConfig()});
    LoadOptions options;
    options.slotCount = 1;
    const auto one = CpuBackend(withBudget(1U << 30U)).estimate(checkpoint, options);
    const auto model = CpuBackend(withBudget(one->total() - 1)).load(checkpoint, {}, {});
    QVERIFY(!model.ok());
    QCOMPARE(model.error().code, ErrorCode::OutOfMemory);
    QVERIFY(model.error().message.find(std::to_string(one->total())) != std::string::npos);
    QVERIFY(model.error().message.find(std::to_string(one->total() - 1)) != std::string::npos);
    options.context = 2'000'000;
    QCOMPARE(CpuBackend(withBudget(0)).load(checkpoint, options, {}).error().code, ErrorCode::ParameterRange);
}

void TstCpuBackend::choosesCacheFormat()
{
    const auto small = randomCheckpoint({smallConfig(), Dtype::BF16});
    const auto large = randomCheckpoint({smallConfig(), Dtype::BF16, true, false, 20'000'000});
    QCOMPARE(loadModel(small)->info().kv, KvType::F32);
    QCOMPARE(loadModel(large)->info().kv, KvType::F16);
    LoadOptions exact;
    exact.precision = Precision::Exact;
    QCOMPARE(loadModel(large, exact)->info().kv, KvType::F32);
    exact.kv = KvType::F16;
    QCOMPARE(loadModel(small, exact)->info().kv, KvType::F16);
}

void TstCpuBackend::refusesBadTensors_data()
{
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("code");
    QTest::newRow("missing") << 0 << int(ErrorCode::TensorMissing);
    QTest::newRow("shape") << 1 << int(ErrorCode::TensorShape);
    QTest::newRow("fewer bytes than its shape") << 2 << int(ErrorCode::TensorShape);
    QTest::newRow("dtype") << 3 << int(ErrorCode::FormatDtype);
    QTest::newRow("layers") << 4 << int(ErrorCode::ConfigInvalid);
    QTest::newRow("heads") << 5 << int(ErrorCode::ConfigInvalid);
    QTest::newRow("bias") << 6 << int(ErrorCode::TensorShape);
}

void TstCpuBackend::refusesBadTensors()
{
    QFETCH(int, fault);
    QFETCH(int, code);
    auto checkpoint = randomCheckpoint({smallConfig()});
    LayerWeights& layer = checkpoint.weights.layers[1];
    if (fault == 0)
        layer.down = {};
    else if (fault == 1)
        std::swap(layer.q.rows, layer.q.cols);
    else if (fault == 2)
        layer.up.bytes = layer.up.bytes.first(layer.up.bytes.size() - 1);
    else if (fault == 3)
        layer.up.dtype = Dtype::I32;
    else if (fault == 4)
        checkpoint.config.layers = 3;
    else if (fault == 5)
        checkpoint.config.kvHeads = 3;
    else
        layer.kBias = layer.attentionNorm;
    const auto model = CpuBackend(withBudget(0)).load(checkpoint, {}, {});
    QVERIFY(!model.ok());
    QCOMPARE(int(model.error().code), code);
    QCOMPARE(int(CpuBackend(withBudget(0)).estimate(checkpoint, {}).error().code), code);
}

void TstCpuBackend::loadReportsAndStops()
{
    const auto checkpoint = randomCheckpoint({smallConfig()});
    std::vector<double> reported;
    Progress progress;
    progress.report = [&](double fraction) { reported.push_back(fraction); };
    QVERIFY(CpuBackend(withBudget(0)).load(checkpoint, {}, progress).ok());
    QVERIFY(reported.size() > 5 && reported.size() <= 101);
    QVERIFY(std::is_sorted(reported.begin(), reported.end()));
    QCOMPARE(reported.back(), 1.0);

    std::stop_source source;
    progress.stop = source.get_token();
    progress.report = [&](double fraction) {
        if (fraction > 0.3)
            source.request_stop();
    };
    const auto stopped = CpuBackend(withBudget(0)).load(checkpoint, {}, progress);
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
}

void TstCpuBackend::stepRefusesBadRows()
{
    const auto model = loadModel(randomCheckpoint({smallConfig()}));
    const KvSlot a = *model->openSlot(2);
    const KvSlot b = *model->openSlot(8);
    const std::vector<TokenId> three {1, 2, 3};
    const std::vector<TokenId> unknown {53};
    QCOMPARE(codeOf(model->step(rowsFor(b, 0, unknown), {})), ErrorCode::TokenIdRange);
    QCOMPARE(codeOf(model->step(rowsFor(a, 0, three), {})), ErrorCode::PromptTooLong);
    QCOMPARE(codeOf(model->step(rowsFor(b, 1, three), {})), ErrorCode::Internal); // a gap
    QCOMPARE(codeOf(model->step(rowsFor(KvSlot {7}, 0, three), {})), ErrorCode::Internal); // closed
    std::vector<BatchRow> apart {{b, 0, 0, 1}, {a, 0, 0, 1}, {b, 1, 1, 1}};
    QCOMPARE(codeOf(model->step(apart, {})), ErrorCode::Internal);
    apart.pop_back();
    apart[0].ropePosition = 1000;
    QCOMPARE(codeOf(model->step(apart, {})), ErrorCode::Internal);
    QVERIFY(model->step(rowsFor(b, 0, three), {}).ok()); // nothing of the above was kept
    QCOMPARE(model->openSlot(161).error().code, ErrorCode::ParameterRange);
}

void TstCpuBackend::cancelledStepLeavesNoTrace()
{
    const auto checkpoint = randomCheckpoint({smallConfig()});
    const auto model = loadModel(checkpoint);
    const auto tokens = someTokens(20, 53, 1);
    const auto expected = logitsByChunks(*model, tokens, 20);
    const KvSlot slot = *model->openSlot(20);
    const auto first = std::span<const TokenId>(tokens).first(5);
    const auto rest = std::span<const TokenId>(tokens).subspan(5);
    QVERIFY(model->step(rowsFor(slot, 0, first), {}).ok());
    std::stop_source source;
    source.request_stop();
    QCOMPARE(codeOf(model->step(rowsFor(slot, 5, someTokens(15, 53, 9)), source.get_token())),
        ErrorCode::Cancelled);
    QCOMPARE(model->truncateKv(slot, 5), 5U);
    const auto result = model->step(rowsFor(slot, 5, rest, true), {});
    QVERIFY(result.ok());
    QVERIFY(sameBits(result->row(14), std::span<const float>(expected[19])));
}

void TstCpuBackend::readsMemoryLimits()
{
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    std::filesystem::create_directories(root / "proc");
    std::filesystem::create_directories(root / "sys/fs/cgroup");
    QCOMPARE(systemMemory(root).total, 0U);
    std::ofstream(root / "proc/meminfo") << "MemTotal:  8000 kB\nMemFree:  100 kB\nMemAvailable:  6000 kB\n";
    QCOMPARE(systemMemory(root).total, 8000U * 1024);
    QCOMPARE(systemMemory(root).available, 6000U * 1024);
    std::ofstream(root / "sys/fs/cgroup/memory.max") << "max\n";
    std::ofstream(root / "sys/fs/cgroup/memory.current") << "1024000\n";
    QCOMPARE(systemMemory(root).available, 6000U * 1024);
    std::ofstream(root / "sys/fs/cgroup/memory.max") << "2048000\n";
    QCOMPARE(systemMemory(root).total, 2000U * 1024);
    QCOMPARE(systemMemory(root).available, 1000U * 1024);
}

void TstCpuBackend::registryMakesByName()
{
    BackendRegistry registry = cpuOnlyRegistry();
    const auto backend = registry.make("cpu");
    QVERIFY(backend.ok());
    QCOMPARE((*backend)->info().name, std::string("cpu"));
    QCOMPARE(registry.make("cuda").error().code, ErrorCode::DeviceUnavailable);
    registry.add("cuda", [] { return Error {ErrorCode::NoDevice, "none", {}}; });
    QCOMPARE(registry.make("cuda").error().code, ErrorCode::NoDevice);
    QVERIFY(registry.make("cpu").ok());
}

KAIKOU_TEST(TstCpuBackend)
#include "tst_cpu_backend.moc"
