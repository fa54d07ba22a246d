#include "inference/base/cpu_features.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace kaikou;

namespace {

void writeFile(const std::filesystem::path& file, const std::string& text)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

void addProcessor(const std::filesystem::path& root, int processor, int package, int core)
{
    const auto topology = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(processor)) / "topology";
    writeFile(topology / "physical_package_id", std::to_string(package));
    writeFile(topology / "core_id", std::to_string(core));
}

} // namespace

class TstCpuFeatures : public QObject
{
    Q_OBJECT

private slots:
    void countsPhysicalCores();
    void respectsQuota_data();
    void respectsQuota();
    void respectsOldQuota();
    void unknownMachineHasOneCore();
};

void TstCpuFeatures::countsPhysicalCores()
{
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    for (int i = 0; i < 8; ++i)
        addProcessor(root, i, i / 4, i % 4 / 2); // two packages, two cores each, two threads a core
    QCOMPARE(usableCores(root, {0, 1, 2, 3, 4, 5, 6, 7}), 4U);
    QCOMPARE(usableCores(root, {0, 1}), 1U); // both on one core
    QCOMPARE(usableCores(root, {1, 2, 5}), 3U);
}

void TstCpuFeatures::respectsQuota_data()
{
    QTest::addColumn<QByteArray>("ofGroup");
    QTest::addColumn<QByteArray>("ofParent");
    QTest::addColumn<quint32>("cores");
    QTest::newRow("none") << QByteArray("max 100000") << QByteArray("max 100000") << 4U;
    QTest::newRow("one and a half") << QByteArray("150000 100000") << QByteArray("max 100000") << 2U;
    QTest::newRow("parent is tighter") << QByteArray("300000 100000") << QByteArray("100000 100000") << 1U;
    QTest::newRow("a tenth") << QByteArray("10000 100000") << QByteArray() << 1U;
    QTest::newRow("more than there is") << QByteArray("900000 100000") << QByteArray() << 4U;
    QTest::newRow("nonsense") << QByteArray("x y") << QByteArray("-1 0") << 4U;
}

void TstCpuFeatures::respectsQuota()
{
    QFETCH(QByteArray, ofGroup);
    QFETCH(QByteArray, ofParent);
    QFETCH(quint32, cores);
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    for (int i = 0; i < 4; ++i)
        addProcessor(root, i, 0, i);
    writeFile(root / "proc/self/cgroup", "0::/user.slice/kaikou\n");
    writeFile(root / "sys/fs/cgroup/user.slice/cpu.max", ofParent.toStdString());
    writeFile(root / "sys/fs/cgroup/user.slice/kaikou/cpu.max", ofGroup.toStdString());
    QCOMPARE(usableCores(root, {0, 1, 2, 3}), cores);
}

void TstCpuFeatures::respectsOldQuota()
{
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    for (int i = 0; i < 4; ++i)
        addProcessor(root, i, 0, i);
    writeFile(root / "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000");
    writeFile(root / "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
    QCOMPARE(usableCores(root, {0, 1, 2, 3}), 2U);
    writeFile(root / "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
    QCOMPARE(usableCores(root, {0, 1, 2, 3}), 4U);
}

void TstCpuFeatures::unknownMachineHasOneCore()
{
    const QTemporaryDir empty;
    const std::filesystem::path root = empty.path().toStdString();
    QCOMPARE(usableCores(root, {3, 9}), 2U); // no topology: a processor is a core
    QVERIFY(usableCores() >= 1U);
    QVERIFY(usableCores() <= std::max(std::thread::hardware_concurrency(), 1U));
}

KAIKOU_TEST(TstCpuFeatures)
#include "tst_cpu_features.moc"
