#include "cuda/device_probe.h"
#include "tests/support/test_registry.h"

#include <vector>

using namespace kaikou;
using namespace kaikou::cuda;

namespace {

struct FakeDevice
{
    int factsError = 0, launchError = 0;
    std::uint64_t memoryFree = 0;
};

// One machine as a driver describes it; the table's functions are plain pointers, hence the static.
struct FakeMachine
{
    int versionError = 0, version = 13000, countError = 0;
    std::vector<FakeDevice> devices;
    int launches = 0;
};

FakeMachine s_machine;

const FakeDevice& fakeDevice(int device)
{
    return s_machine.devices.at(static_cast<std::size_t>(device));
}

const GpuApi kFake {
    [](int* version) {
        *version = s_machine.version;
        return s_machine.versionError;
    },
    [](int* count) {
        if (s_machine.countError == 0)
            *count = static_cast<int>(s_machine.devices.size());
        return s_machine.countError;
    },
    [](int device, DeviceFacts* facts) {
        facts->name = "GPU " + std::to_string(device);
        facts->memoryFree = fakeDevice(device).memoryFree;
        return fakeDevice(device).factsError;
    },
    [](int device) {
        ++s_machine.launches;
        return fakeDevice(device).launchError;
    },
    [](int) { return "the runtime's own words"; },
};

} // namespace

class TstDeviceProbe : public QObject
{
    Q_OBJECT

private slots:
    void reason_data();
    void reason();
    void takesMostFreeMemory();
    void oneBrokenDeviceDoesNotHideAGoodOne();
};

void TstDeviceProbe::reason_data()
{
    QTest::addColumn<int>("versionError");
    QTest::addColumn<int>("version");
    QTest::addColumn<int>("countError");
    QTest::addColumn<int>("factsError");
    QTest::addColumn<int>("launchError");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("word");

    QTest::newRow("no driver: version 0") << 0 << 0 << 35 << 0 << 0 << 503 << "no NVIDIA driver";
    QTest::newRow("no driver: error 35") << 35 << 0 << 35 << 0 << 0 << 503 << "no NVIDIA driver";
    QTest::newRow("driver too old") << 0 << 12080 << 35 << 0 << 0 << 504 << "580 or newer";
    QTest::newRow("updated, not restarted") << 0 << 13000 << 803 << 0 << 0 << 505 << "restart";
    QTest::newRow("no device") << 0 << 13000 << 100 << 0 << 0 << 506 << "no usable GPU";
    QTest::newRow("invalid device") << 0 << 13000 << 101 << 0 << 0 << 506 << "no usable GPU";
    QTest::newRow("no kernel image") << 0 << 13000 << 0 << 0 << 209 << 507 << "not supported by this build";
    QTest::newRow("exclusive mode") << 0 << 13000 << 0 << 46 << 0 << 508 << "another program";
    QTest::newRow("memory full") << 0 << 13000 << 0 << 0 << 2 << 501 << "no free memory";
    QTest::newRow("unknown error") << 0 << 13000 << 999 << 0 << 0 << 502 << "does not answer";
}

void TstDeviceProbe::reason()
{
    QFETCH(int, versionError);
    QFETCH(int, version);
    QFETCH(int, countError);
    QFETCH(int, factsError);
    QFETCH(int, launchError);
    s_machine = {versionError, version, countError, {FakeDevice {factsError, launchError, 1}}};
    const ProbeResult result = probeDevices(kFake);
    QVERIFY(result.problem.has_value());
    QTEST(static_cast<int>(*result.problem), "code");
    QFETCH(QString, word);
    QVERIFY2(QString::fromStdString(result.message).contains(word), result.message.c_str());
    QVERIFY(!result.detail.empty());
    QCOMPARE(result.device, -1);
    if (factsError != 0 || countError != 0)
        QCOMPARE(s_machine.launches, 0); // a device that does not answer is left alone
}

void TstDeviceProbe::takesMostFreeMemory()
{
    s_machine = {0, 13000, 0, {{0, 0, 4}, {0, 0, 9}, {0, 0, 7}}};
    const ProbeResult result = probeDevices(kFake);
    QVERIFY(!result.problem);
    QCOMPARE(result.device, 1);
    QCOMPARE(result.facts.name, std::string("GPU 1"));
}

void TstDeviceProbe::oneBrokenDeviceDoesNotHideAGoodOne()
{
    s_machine = {0, 13020, 0, {{0, 209, 90}, {46, 0, 50}, {0, 0, 1}}};
    const ProbeResult result = probeDevices(kFake);
    QVERIFY(!result.problem);
    QCOMPARE(result.device, 2);
}

KAIKOU_TEST(TstDeviceProbe)
#include "tst_device_probe.moc"
