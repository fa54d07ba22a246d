#include "tests/support/test_registry.h"
#include "ui/layout/height_index.h"

#include <QRandomGenerator>

#include <numeric>

namespace kaikou::test {

// Every operation against plain sums.
class TstHeightIndex : public QObject
{
    Q_OBJECT

private slots:
    void emptyHasNoItem();
    void agreesWithPlainSums();
};

namespace {

void compare(const HeightIndex& index, const std::vector<int>& plain)
{
    QCOMPARE(index.count(), static_cast<int>(plain.size()));
    std::int64_t top = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        QCOMPARE(index.top(static_cast<int>(i)), top);
        QCOMPARE(index.height(static_cast<int>(i)), plain[i]);
        if (plain[i] > 0) {
            QCOMPARE(index.indexAt(top), static_cast<int>(i));
            QCOMPARE(index.indexAt(top + plain[i] - 1), static_cast<int>(i));
        }
        top += plain[i];
    }
    QCOMPARE(index.total(), top);
    if (!plain.empty()) {
        QCOMPARE(index.indexAt(-5), plain.front() > 0 ? 0 : index.indexAt(0));
        QCOMPARE(index.indexAt(top + 100), static_cast<int>(plain.size()) - 1);
    }
}

} // namespace

void TstHeightIndex::emptyHasNoItem()
{
    const HeightIndex index;
    QCOMPARE(index.total(), 0);
    QCOMPARE(index.indexAt(0), -1);
}

void TstHeightIndex::agreesWithPlainSums()
{
    QRandomGenerator random(7);
    HeightIndex index;
    std::vector<int> plain;
    for (int round = 0; round < 400; ++round) {
        const int height = random.bounded(1, 90);
        const int at = plain.empty() ? 0 : random.bounded(static_cast<int>(plain.size()));
        switch (random.bounded(5)) {
        case 0:
            index.append(height);
            plain.push_back(height);
            break;
        case 1: {
            const std::vector<int> some(static_cast<std::size_t>(random.bounded(1, 6)), height);
            index.insert(at, some);
            plain.insert(plain.begin() + at, some.begin(), some.end());
            break;
        }
        case 2:
            if (!plain.empty()) {
                index.set(at, height);
                plain[static_cast<std::size_t>(at)] = height;
            }
            break;
        case 3:
            if (plain.size() > 40) {
                index.remove(at / 2, 3);
                plain.erase(plain.begin() + at / 2, plain.begin() + at / 2 + 3);
            }
            break;
        default:
            if (round % 50 == 0)
                index.assign(plain);
        }
        compare(index, plain);
        if (QTest::currentTestFailed())
            return;
    }
}

} // namespace kaikou::test

using kaikou::test::TstHeightIndex;
KAIKOU_TEST(TstHeightIndex)
#include "tst_height_index.moc"
