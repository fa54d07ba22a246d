#include "inference/backend/cpu/attention.h"
#include "inference/backend/cpu/kernel_table.h"
#include "inference/base/half.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace kaikou;

namespace {

// Every table but the reference, where the processor can run it.
std::vector<const KernelTable*> fastTables()
{
    std::vector<const KernelTable*> tables;
    for (const Isa isa : {Isa::ScalarFma, Isa::Avx2}) {
        if (canRun(isa))
            tables.push_back(&kernelTable(isa));
    }
    return tables;
}

const KernelTable& reference()
{
    return kernelTable(Isa::Scalar);
}

std::vector<float> randomVector(std::size_t n, float scale, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, scale);
    std::vector<float> values(n);
    for (float& value : values)
        value = normal(random);
    return values;
}

struct Packed
{
    explicit Packed(WeightLayout layout, std::uint32_t rows, std::uint32_t cols, float scale)
    {
        matrix.layout = layout;
        matrix.rows = rows;
        matrix.cols = cols;
        memory.resize(matrix.bytes() / sizeof(Line) + 1);
        matrix.data = reinterpret_cast<std::byte*>(memory.data());
        const std::vector<float> source = randomVector(std::size_t {rows} * cols, scale, rows * 31 + cols);
        values.resize(source.size());
        for (std::uint32_t row = 0; row < rows; ++row) {
            for (std::uint32_t k = 0; k < cols; ++k)
                values[std::size_t {row} * cols + k] = put(row, k, source[std::size_t {row} * cols + k]);
        }
    }

    // Stores one weight by the layout's description; returns what it is worth once stored.
    float put(std::uint32_t row, std::uint32_t k, float value)
    {
        std::byte* unit = matrix.unit(row / 8, k / 2);
        const std::uint32_t lane = row % 8;
        const std::uint32_t odd = k % 2;
        if (matrix.layout == WeightLayout::F32R8) {
            std::memcpy(unit + (odd * 8 + lane) * 4, &value, 4);
            return value;
        }
        const bool brain = matrix.layout == WeightLayout::BF16R8;
        const std::uint16_t bits = brain ? floatToBfloat(value) : floatToHalf(value);
        std::memcpy(unit + (brain ? lane * 2 + odd : odd * 8 + lane) * 2, &bits, 2);
        return brain ? bfloatToFloat(bits) : halfToFloat(bits);
    }

    struct alignas(64) Line
    {
        std::byte bytes[64] {};
    };

    PackedMatrix matrix;
    std::vector<Line> memory;
    std::vector<float> values; // [rows, cols], as stored
};

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace

class TstKernels : public QObject
{
    Q_OBJECT

private slots:
    void matmulEqualsItsDefinition_data();
    void matmulEqualsItsDefinition();
    void matmulOfPartsEqualsWhole();
    void vectorsAgree_data();
    void vectorsAgree();
    void halfConversionAgrees();
    void attentionAgrees_data();
    void attentionAgrees();
    void attentionIsSoftmax();
};

void TstKernels::matmulEqualsItsDefinition_data()
{
    QTest::addColumn<int>("layout");
    QTest::addColumn<quint32>("rows");
    QTest::addColumn<quint32>("k");
    QTest::addColumn<float>("scale");
    const char* const kLayouts[] = {"f32", "bf16", "f16"};
    for (int layout = 0; layout < 3; ++layout) {
        for (const quint32 rows : {1U, 7U, 8U, 9U, 16U, 37U, 64U}) {
            for (const quint32 k : {1U, 31U, 32U, 256U, 257U, 576U, 896U, 1152U})
                QTest::addRow("%s %ux%u", kLayouts[layout], rows, k) << layout << rows << k << 1.0F;
        }
        QTest::addRow("%s huge", kLayouts[layout]) << layout << 9U << 256U << 3e4F;
        QTest::addRow("%s tiny", kLayouts[layout]) << layout << 9U << 256U << 1e-7F;
    }
    QTest::addRow("overflowing") << 0 << 9U << 33U << 3e37F;
    QTest::addRow("denormal") << 1 << 9U << 33U << 1e-39F;
}

void TstKernels::matmulEqualsItsDefinition()
{
    QFETCH(int, layout);
    QFETCH(quint32, rows);
    QFETCH(quint32, k);
    QFETCH(float, scale);
    constexpr std::uint32_t kMaxColumns = 20;
    const Packed weights(static_cast<WeightLayout>(layout), rows, k, scale);
    const std::size_t xStride = k + 3;
    const std::vector<float> x = randomVector(kMaxColumns * xStride, 1.0F, 5);
    std::vector<float> expected(std::size_t {kMaxColumns} * rows);
    for (std::uint32_t c = 0; c < kMaxColumns; ++c) {
        for (std::uint32_t row = 0; row < rows; ++row) {
            float sum = 0.0F;
            for (std::uint32_t i = 0; i < k; ++i)
                sum = std::fma(weights.values[std::size_t {row} * k + i], x[c * xStride + i], sum);
            expected[std::size_t {c} * rows + row] = sum;
        }
    }
    std::vector<const KernelTable*> tables = fastTables();
    tables.push_back(&reference());
    for (const KernelTable* table : tables) {
        for (const std::uint32_t columns : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 13U, 20U}) {
            std::vector<float> y(std::size_t {kMaxColumns} * rows, -1.0F);
            table->matmul(
                {&weights.matrix, x.data(), xStride, y.data(), rows, columns, 0, weights.matrix.groups()});
            const std::size_t used = std::size_t {columns} * rows;
            QVERIFY2(std::memcmp(y.data(), expected.data(), used * sizeof(float)) == 0,
                isaName(table->isa).data());
            for (std::size_t i = used; i < y.size(); ++i)
                QCOMPARE(y[i], -1.0F); // nothing beyond the asked columns is written
        }
    }
}

void TstKernels::matmulOfPartsEqualsWhole()
{
    const Packed weights(WeightLayout::F32R8, 101, 70, 1.0F);
    const std::vector<float> x = randomVector(3 * 70, 1.0F, 9);
    const std::uint32_t groups = weights.matrix.groups();
    for (const KernelTable* table : fastTables()) {
        std::vector<float> whole(3 * 101);
        table->matmul({&weights.matrix, x.data(), 70, whole.data(), 101, 3, 0, groups});
        for (std::uint32_t cut = 1; cut < groups; ++cut) {
            std::vector<float> parts(3 * 101);
            table->matmul({&weights.matrix, x.data(), 70, parts.data(), 101, 3, 0, cut});
            table->matmul({&weights.matrix, x.data(), 70, parts.data(), 101, 3, cut, groups});
            QVERIFY(sameBits(parts, whole));
        }
    }
}

void TstKernels::vectorsAgree_data()
{
    QTest::addColumn<quint32>("n");
    QTest::addColumn<float>("scale");
    for (const quint32 n : {1U, 7U, 8U, 9U, 16U, 31U, 256U, 577U})
        QTest::addRow("%u", n) << n << 1.0F;
    QTest::addRow("large") << 64U << 50.0F;
    QTest::addRow("huge") << 64U << 1e18F;
    QTest::addRow("tiny") << 64U << 1e-30F;
}

void TstKernels::vectorsAgree()
{
    QFETCH(quint32, n);
    QFETCH(float, scale);
    const std::vector<float> x = randomVector(n, scale, 1);
    const std::vector<float> w = randomVector(n, 1.0F, 2);
    const KernelTable& slow = reference();
    std::vector<float> expected(n);
    std::vector<float> actual(n);
    for (const KernelTable* table : fastTables()) {
        const float sumA = slow.sumSquares(x.data(), n);
        const float sumB = table->sumSquares(x.data(), n);
        QVERIFY(std::memcmp(&sumA, &sumB, sizeof sumA) == 0);
        slow.scaleBy(expected.data(), x.data(), 0.37F, w.data(), n);
        table->scaleBy(actual.data(), x.data(), 0.37F, w.data(), n);
        QVERIFY(sameBits(actual, expected));
        slow.silu(expected.data(), x.data(), n);
        table->silu(actual.data(), x.data(), n);
        QVERIFY(sameBits(actual, expected));
        slow.siluMul(expected.data(), x.data(), w.data(), n);
        table->siluMul(actual.data(), x.data(), w.data(), n);
        QVERIFY(sameBits(actual, expected));
    }
    slow.silu(expected.data(), x.data(), n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const double exact = x[i] / (1.0 + std::exp(-static_cast<double>(x[i])));
        // exp is 0 below -87: 87 e^-87 = 1.5e-36 is the most that is lost.
        QVERIFY(std::fabs(expected[i] - exact) <= 1e-6 * std::fabs(exact) + 2e-36);
    }
}

void TstKernels::halfConversionAgrees()
{
    std::vector<float> x = randomVector(4096, 1.0F, 3);
    for (std::size_t i = 0; i < 2048; ++i)
        x[i] = std::ldexp(x[i], static_cast<int>(i % 44) - 27); // subnormal halves up to infinity
    std::vector<std::uint16_t> expected(x.size());
    std::vector<std::uint16_t> actual(x.size());
    const auto n = static_cast<std::uint32_t>(x.size() - 3);
    reference().toHalf(expected.data(), x.data(), n);
    for (const KernelTable* table : fastTables()) {
        table->toHalf(actual.data(), x.data(), n);
        QVERIFY(actual == expected);
    }
}

void TstKernels::attentionAgrees_data()
{
    QTest::addColumn<quint32>("positions");
    QTest::addColumn<quint32>("headSize");
    QTest::addColumn<quint32>("group");
    for (const quint32 positions : {1U, 2U, 31U, 32U, 33U, 64U, 65U, 200U}) {
        QTest::addRow("%u positions", positions) << positions << 64U << 2U;
        QTest::addRow("%u positions, odd head", positions) << positions << 20U << 3U;
    }
    QTest::addRow("many heads") << 70U << 128U << 11U;
}

void TstKernels::attentionAgrees()
{
    QFETCH(quint32, positions);
    QFETCH(quint32, headSize);
    QFETCH(quint32, group);
    const std::size_t kv = std::size_t {positions} * headSize;
    const std::vector<float> q = randomVector(std::size_t {group} * headSize, 2.0F, 1);
    const std::vector<float> k = randomVector(kv, 1.5F, 2);
    const std::vector<float> v = randomVector(kv, 1.0F, 3);
    std::vector<std::uint16_t> k16(kv);
    std::vector<std::uint16_t> v16(kv);
    reference().toHalf(k16.data(), k.data(), static_cast<std::uint32_t>(kv));
    reference().toHalf(v16.data(), v.data(), static_cast<std::uint32_t>(kv));
    for (const KvFormat format : {KvFormat::F32, KvFormat::F16}) {
        AttentionArgs args;
        args.q = q.data();
        args.k = format == KvFormat::F32 ? static_cast<const void*>(k.data()) : k16.data();
        args.v = format == KvFormat::F32 ? static_cast<const void*>(v.data()) : v16.data();
        args.format = format;
        args.positions = positions;
        args.group = group;
        args.headSize = headSize;
        std::vector<float> expected(q.size());
        args.out = expected.data();
        attend(reference(), args);
        for (const KernelTable* table : fastTables()) {
            std::vector<float> actual(q.size());
            args.out = actual.data();
            attend(*table, args);
            QVERIFY(sameBits(actual, expected));
        }
    }
}

// Against a plain softmax in double.
void TstKernels::attentionIsSoftmax()
{
    constexpr std::uint32_t kPositions = 77;
    constexpr std::uint32_t kHeadSize = 16;
    const std::vector<float> q = randomVector(kHeadSize, 6.0F, 1);
    const std::vector<float> k = randomVector(kPositions * kHeadSize, 3.0F, 2);
    const std::vector<float> v = randomVector(kPositions * kHeadSize, 1.0F, 3);
    std::vector<double> weights(kPositions);
    double largest = -1e300;
    for (std::uint32_t j = 0; j < kPositions; ++j) {
        for (std::uint32_t e = 0; e < kHeadSize; ++e)
            weights[j] += static_cast<double>(q[e]) * k[j * kHeadSize + e] / 4.0;
        largest = std::max(largest, weights[j]);
    }
    double total = 0.0;
    for (double& weight : weights) {
        weight = std::exp(weight - largest);
        total += weight;
    }
    std::vector<float> out(kHeadSize);
    attend(
        kernelTable(), {q.data(), k.data(), v.data(), out.data(), KvFormat::F32, kPositions, 1, kHeadSize});
    for (std::uint32_t e = 0; e < kHeadSize; ++e) {
        double expected = 0.0;
        for (std::uint32_t j = 0; j < kPositions; ++j)
            expected += weights[j] / total * v[j * kHeadSize + e];
        QVERIFY(std::fabs(out[e] - expected) < 2e-6);
    }
}

KAIKOU_TEST(TstKernels)
#include "tst_kernels.moc"
