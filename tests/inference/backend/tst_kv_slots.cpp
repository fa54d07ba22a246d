#include "inference/backend/kv_slots.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <map>
#include <random>

using namespace kaikou;

class TstKvSlots : public QObject
{
    Q_OBJECT

private slots:
    void refusesWhatDoesNotFit();
    void agreesWithNaiveModel();
};

void TstKvSlots::refusesWhatDoesNotFit()
{
    KvSlots slots2(2, 16);
    QCOMPARE(slots2.open(0).error().code, ErrorCode::ParameterRange);
    QCOMPARE(slots2.open(17).error().code, ErrorCode::ParameterRange);
    QVERIFY(slots2.open(16).ok());
    QVERIFY(slots2.open(1).ok());
    QCOMPARE(slots2.open(1).error().code, ErrorCode::OutOfMemory);
    slots2.close(KvSlot {0});
    QCOMPARE(static_cast<std::uint32_t>(*slots2.open(4)), 0U);
}

// B8 of the engine's gates: the same random operations on the table and on a map of (capacity, length).
void TstKvSlots::agreesWithNaiveModel()
{
    constexpr std::uint32_t kSlots = 6;
    constexpr std::uint32_t kContext = 40;
    KvSlots table(kSlots, kContext);
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> naive;
    std::mt19937 random(11);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    const auto anyOpen
        = [&] { return std::next(naive.begin(), below(static_cast<std::uint32_t>(naive.size())))->first; };
    for (int i = 0; i < 20'000; ++i) {
        const std::uint32_t op = below(5);
        if (op == 0 || naive.empty()) {
            const std::uint32_t capacity = 1 + below(kContext);
            const auto slot = table.open(capacity);
            QCOMPARE(slot.ok(), naive.size() < kSlots);
            if (slot.ok()) {
                QVERIFY(!naive.contains(static_cast<std::uint32_t>(*slot)));
                naive[static_cast<std::uint32_t>(*slot)] = {capacity, 0};
            }
        } else if (op == 1) {
            const std::uint32_t slot = anyOpen();
            table.close(KvSlot {slot});
            naive.erase(slot);
        } else if (op == 2) {
            const std::uint32_t slot = anyOpen();
            auto& [capacity, length] = naive[slot];
            const std::uint32_t more = below(capacity - length + 1);
            table.append(KvSlot {slot}, more);
            length += more;
        } else if (op == 3) {
            const std::uint32_t slot = anyOpen();
            const std::uint32_t tokens = below(kContext + 4);
            auto& length = naive[slot].second;
            length = std::min(length, tokens);
            QCOMPARE(table.truncate(KvSlot {slot}, tokens), length);
        } else {
            const std::uint32_t from = anyOpen();
            const std::uint32_t to = anyOpen();
            const std::uint32_t tokens = below(kContext + 4);
            const std::uint32_t copied = std::min({tokens, naive[from].second, naive[to].first});
            QCOMPARE(table.copy(KvSlot {from}, KvSlot {to}, tokens), copied);
            naive[to].second = copied;
        }
        QCOMPARE(table.openCount(), naive.size());
        for (std::uint32_t s = 0; s < kSlots; ++s) {
            QCOMPARE(table.isOpen(KvSlot {s}), naive.contains(s));
            if (naive.contains(s)) {
                QCOMPARE(table.capacity(KvSlot {s}), naive[s].first);
                QCOMPARE(table.length(KvSlot {s}), naive[s].second);
            }
        }
    }
}

KAIKOU_TEST(TstKvSlots)
#include "tst_kv_slots.moc"
