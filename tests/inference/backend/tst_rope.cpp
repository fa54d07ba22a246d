#include "inference/backend/cpu/rope.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <cmath>
#include <vector>

using namespace kaikou;

class TstRope : public QObject
{
    Q_OBJECT

private slots:
    void llama3Scaling();
    void turnsHalvesByPosition_data();
    void turnsHalvesByPosition();
};

// Llama 3.2's numbers (base 500000, head 64, factor 32, low 1, high 4, context 8192); the expected values are
// the published formula worked out by hand for one pair of each kind.
void TstRope::llama3Scaling()
{
    RopeConfig config;
    config.base = 500000.0F;
    config.scaling = RopeScaling::Llama3;
    config.factor = 32.0F;
    const auto frequencies = ropeFrequencies(config, 64);
    QCOMPARE(frequencies.size(), std::size_t {32});
    const auto plain = [](double i) { return std::pow(500000.0, -i / 32.0); };
    QCOMPARE(frequencies[0], 1.0F);
    QCOMPARE(frequencies[10], static_cast<float>(plain(10))); // wave length 379 < 2048: kept
    QCOMPARE(frequencies[31], static_cast<float>(plain(31) / 32.0)); // wave length > 8192: stretched
    // Pair 16: wave length 4442.9, ramp (8192 / 4442.9 - 1) / 3 = 0.2812826.
    const double expected = (1.0 - 0.2812826) * plain(16) / 32.0 + 0.2812826 * plain(16);
    QVERIFY(std::fabs(frequencies[16] / expected - 1.0) < 1e-5);
}

void TstRope::turnsHalvesByPosition_data()
{
    QTest::addColumn<quint32>("position");
    for (const quint32 position : {0U, 1U, 2U, 127U, 4095U, 8192U, 8193U, 20000U})
        QTest::addRow("%u", position) << position;
}

void TstRope::turnsHalvesByPosition()
{
    QFETCH(quint32, position);
    constexpr std::uint32_t kHead = 16;
    RopeConfig config;
    const RopeTable table(config, kHead, 20001);
    std::vector<float> head(kHead);
    for (std::uint32_t i = 0; i < kHead; ++i)
        head[i] = 0.25F * static_cast<float>(i) - 1.0F;
    const std::vector<float> before = head;
    table.rotate(head.data(), position);
    for (std::uint32_t i = 0; i < kHead / 2; ++i) {
        const double angle = position * std::pow(10000.0, -2.0 * i / kHead);
        const double a = before[i];
        const double b = before[kHead / 2 + i];
        // The frequency is an f32; up to row 8192 the angle is too, as in the reference implementations.
        const double bound = 2e-6 + angle * 1.3e-7;
        QVERIFY(std::fabs(head[i] - (a * std::cos(angle) - b * std::sin(angle))) < bound);
        QVERIFY(std::fabs(head[kHead / 2 + i] - (b * std::cos(angle) + a * std::sin(angle))) < bound);
    }
}

KAIKOU_TEST(TstRope)
#include "tst_rope.moc"
