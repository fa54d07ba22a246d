#include "tests/support/test_registry.h"
#include "ui/model/checkpoint_loader.h"

#include <QElapsedTimer>
#include <QtTest>

#include <atomic>
#include <chrono>

using namespace kaikou;

namespace {

// Answers "slow…" only when it is told to stop or let go, everything else at once.
struct FakeOpen
{
    std::shared_ptr<std::atomic<bool>> release = std::make_shared<std::atomic<bool>>(false);

    Result<OpenedModel> operator()(const ModelSource& source, const Progress& progress) const
    {
        progress(0.25);
        while (source.path.startsWith(QStringLiteral("slow")) && !release->load()) {
            if (progress.stop.stop_requested())
                return Error {ErrorCode::Cancelled, "stopped", {}};
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        if (source.path == QStringLiteral("bad"))
            return Error {ErrorCode::FileEmpty, "0 bytes", "bad"};
        OpenedModel model;
        model.source = source;
        model.name = source.path;
        return model;
    }
};

} // namespace

class TstCheckpointLoader : public QObject
{
    Q_OBJECT

private slots:
    void opens();
    void fails();
    void cancelsAtOnce();
    void laterOpenReplacesEarlier();
    void quitsWhileLoading();
};

void TstCheckpointLoader::opens()
{
    CheckpointLoader loader {FakeOpen {}};
    QSignalSpy progressed(&loader, &CheckpointLoader::progressed);
    QString name;
    connect(&loader, &CheckpointLoader::opened, this, [&](const OpenedModel& model) { name = model.name; });
    loader.open({QStringLiteral("a"), {}});
    QVERIFY(loader.busy());
    QTRY_COMPARE(name, QStringLiteral("a"));
    QVERIFY(!loader.busy());
    QCOMPARE(progressed.count(), 1);
    QCOMPARE(progressed[0][0].toDouble(), 0.25);
}

void TstCheckpointLoader::fails()
{
    CheckpointLoader loader {FakeOpen {}};
    std::optional<Error> error;
    connect(&loader, &CheckpointLoader::failed, this,
        [&](const ModelSource&, const Error& what) { error = what; });
    loader.open({QStringLiteral("bad"), {}});
    QTRY_VERIFY(error.has_value());
    QCOMPARE(error->code, ErrorCode::FileEmpty);
    QVERIFY(!loader.busy());
}

void TstCheckpointLoader::cancelsAtOnce()
{
    CheckpointLoader loader {FakeOpen {}};
    QSignalSpy cancelled(&loader, &CheckpointLoader::cancelled);
    QSignalSpy opened(&loader, &CheckpointLoader::opened);
    loader.open({QStringLiteral("slow"), {}});
    loader.cancel();
    QCOMPARE(cancelled.count(), 1); // without waiting for the thread
    QVERIFY(!loader.busy());
    QTest::qWait(50);
    QCOMPARE(cancelled.count(), 1);
    QCOMPARE(opened.count(), 0);
}

void TstCheckpointLoader::laterOpenReplacesEarlier()
{
    FakeOpen open;
    CheckpointLoader loader {open};
    QStringList names;
    connect(&loader, &CheckpointLoader::opened, this, [&](const OpenedModel& model) { names += model.name; });
    loader.open({QStringLiteral("slow"), {}});
    loader.open({QStringLiteral("b"), {}});
    QTRY_COMPARE(names, QStringList {QStringLiteral("b")});
    open.release->store(true);
    QTest::qWait(50);
    QCOMPARE(names, QStringList {QStringLiteral("b")});
}

void TstCheckpointLoader::quitsWhileLoading()
{
    for (int round = 0; round < 50; ++round) {
        CheckpointLoader loader {FakeOpen {}};
        loader.open({QStringLiteral("slow"), {}});
        loader.open({QStringLiteral("slow too"), {}});
    }
}

KAIKOU_TEST(TstCheckpointLoader)
#include "tst_checkpoint_loader.moc"
