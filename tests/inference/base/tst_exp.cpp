#include "inference/base/exp.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace kaikou;

class TstExp : public QObject
{
    Q_OBJECT

private slots:
    void staysWithinBound();
    void neverRises();
    void knowsItsEnds();
};

void TstExp::staysWithinBound()
{
    double worst = 0.0;
    for (std::uint32_t bits = 0x80000000U; bits <= std::bit_cast<std::uint32_t>(-87.0F); bits += 1009) {
        const auto x = std::bit_cast<float>(bits);
        const double exact = std::exp(static_cast<double>(x));
        worst = std::max(worst, std::fabs(static_cast<double>(expNonPositive(x)) - exact) / exact);
    }
    QVERIFY2(worst <= 5e-7, QByteArray::number(worst));
}

void TstExp::neverRises()
{
    float last = 1.0F;
    for (std::uint32_t bits = 0x80000000U; bits <= std::bit_cast<std::uint32_t>(-88.0F); bits += 257) {
        const float value = expNonPositive(std::bit_cast<float>(bits));
        QVERIFY(value <= last);
        last = value;
    }
    QCOMPARE(last, 0.0F);
}

void TstExp::knowsItsEnds()
{
    QCOMPARE(expNonPositive(0.0F), 1.0F);
    QCOMPARE(expNonPositive(-0.0F), 1.0F);
    QVERIFY(expNonPositive(-87.0F) >= std::numeric_limits<float>::min());
    QVERIFY(std::signbit(expNonPositive(-87.1F)) == false && expNonPositive(-87.1F) == 0.0F);
    QVERIFY(expNonPositive(-std::numeric_limits<float>::infinity()) == 0.0F);
    QVERIFY(std::isnan(expNonPositive(std::numeric_limits<float>::quiet_NaN())));
}

KAIKOU_TEST(TstExp)
#include "tst_exp.moc"
