#include "inference/base/half.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <cmath>

using namespace kaikou;

class TstHalf : public QObject
{
    Q_OBJECT

private slots:
    void everyHalfComesBack();
    void halfByDefinition();
    void roundsToEven_data();
    void roundsToEven();
    void bfloat();
};

void TstHalf::everyHalfComesBack()
{
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const bool nan = (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0;
        const std::uint16_t back = floatToHalf(halfToFloat(half));
        if (nan ? !std::isnan(halfToFloat(half)) || (back & 0x7E00) != 0x7E00 : back != half)
            QFAIL(qPrintable(QString::number(bits, 16)));
    }
}

void TstHalf::halfByDefinition()
{
    for (std::uint32_t bits = 0; bits < 0x7C00; ++bits) {
        const int exponent = static_cast<int>(bits >> 10);
        const double mantissa = bits & 0x3FF;
        const double value
            = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
        if (halfToFloat(static_cast<std::uint16_t>(bits)) != static_cast<float>(value))
            QFAIL(qPrintable(QString::number(bits, 16)));
    }
    QVERIFY(std::isinf(halfToFloat(0x7C00)));
    QVERIFY(std::signbit(halfToFloat(0x8000)));
}

void TstHalf::roundsToEven_data()
{
    QTest::addColumn<float>("value");
    QTest::addColumn<int>("bits");
    QTest::newRow("tie down") << 1.0F + 0x1p-11F << 0x3C00;
    QTest::newRow("tie up") << 1.0F + 3 * 0x1p-11F << 0x3C02;
    QTest::newRow("above tie") << 1.0F + 0x1.002p-11F << 0x3C01;
    QTest::newRow("largest") << 65504.0F << 0x7BFF;
    QTest::newRow("below overflow") << 65519.996F << 0x7BFF;
    QTest::newRow("overflow") << 65520.0F << 0x7C00;
    QTest::newRow("smallest") << 0x1p-24F << 0x0001;
    QTest::newRow("tie to zero") << 0x1p-25F << 0x0000;
    QTest::newRow("just above") << 0x1.000002p-25F << 0x0001;
    QTest::newRow("tie subnormal") << 3 * 0x1p-25F << 0x0002;
    QTest::newRow("carry into normal") << 0x1.ffep-15F + 0x1p-26F << 0x0400;
    QTest::newRow("negative") << -2.5F << 0xC100;
}

void TstHalf::roundsToEven()
{
    QFETCH(float, value);
    QFETCH(int, bits);
    QCOMPARE(static_cast<int>(floatToHalf(value)), bits);
}

void TstHalf::bfloat()
{
    QCOMPARE(floatToBfloat(1.0F + 0x1p-8F), std::uint16_t {0x3F80}); // tie to even
    QCOMPARE(floatToBfloat(1.0F + 3 * 0x1p-8F), std::uint16_t {0x3F82});
    QCOMPARE(floatToBfloat(1.0F + 0x1.02p-8F), std::uint16_t {0x3F81});
    QCOMPARE(floatToBfloat(3.4e38F), std::uint16_t {0x7F80}); // rounds up to infinity
    QVERIFY(std::isnan(bfloatToFloat(floatToBfloat(std::nanf("")))));
    QCOMPARE(bfloatToFloat(floatToBfloat(std::sqrt(1152.0F))), 34.0F); // formats.md, section 10
}

KAIKOU_TEST(TstHalf)
#include "tst_half.moc"
