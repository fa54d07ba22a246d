#include "inference/generate/event_queue.h"
#include "inference/generate/metrics.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <thread>

using namespace kaikou;

namespace {

Token tokenOf(std::uint64_t ticket, std::size_t recordFloats = 0)
{
    Token token;
    token.ticket = Ticket {ticket};
    if (recordFloats > 0) {
        auto record = std::make_shared<StepRecord>();
        record->logits.f32.resize(recordFloats);
        token.record = std::move(record);
    }
    return token;
}

} // namespace

class TstEventQueue : public QObject
{
    Q_OBJECT

private slots:
    void boundsEventsPerTicket();
    void boundsRecordBytes();
    void wakesWhenNeeded();
    void terminalAlwaysFits();
    void waitsForAnotherThread();
    void measuresTimes();
};

void TstEventQueue::boundsEventsPerTicket()
{
    EventQueue queue;
    for (std::size_t i = 0; i < EventQueue::kMaxEvents; ++i) {
        QVERIFY(!queue.full(Ticket {1}));
        queue.push(tokenOf(1));
    }
    QVERIFY(queue.full(Ticket {1}));
    QVERIFY(!queue.full(Ticket {2})); // others are not concerned
    QCOMPARE(queue.takeAll().size(), EventQueue::kMaxEvents);
    QVERIFY(!queue.full(Ticket {1}));
    QVERIFY(queue.takeAll().empty());
}

void TstEventQueue::boundsRecordBytes()
{
    EventQueue queue;
    constexpr std::size_t kFloats = 1 << 20; // 4 MiB a record: 16 fit
    const std::uint64_t bytes = tokenOf(1, kFloats).record->logits.bytes();
    QCOMPARE(queue.room(Ticket {1}, bytes), std::size_t {EventQueue::kMaxRecordBytes / bytes});
    for (int i = 0; i < 15; ++i)
        queue.push(tokenOf(1, kFloats));
    QVERIFY(queue.room(Ticket {1}, bytes) <= 1);
    QVERIFY(queue.room(Ticket {1}, 0) > 1000);
    QCOMPARE(EventQueue().room(Ticket {1}, EventQueue::kMaxRecordBytes * 2), std::size_t {1});
}

void TstEventQueue::wakesWhenNeeded()
{
    int wakes = 0;
    EventQueue queue([&wakes] { ++wakes; });
    for (std::size_t i = 0; i < EventQueue::kMaxEvents; ++i)
        queue.push(tokenOf(1));
    QCOMPARE(wakes, 2); // was empty, half full
    QVERIFY(!queue.takeAll().empty());
    queue.push(tokenOf(1));
    QCOMPARE(wakes, 3);
}

void TstEventQueue::terminalAlwaysFits()
{
    EventQueue queue;
    for (std::size_t i = 0; i < EventQueue::kMaxEvents; ++i)
        queue.push(tokenOf(1));
    queue.push(Finished {});
    QCOMPARE(queue.takeAll().size(), EventQueue::kMaxEvents + 1);
}

void TstEventQueue::waitsForAnotherThread()
{
    EventQueue queue;
    QVERIFY(queue.waitAndTake(1).empty());
    std::jthread producer([&queue] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        queue.push(tokenOf(7));
    });
    const std::vector<Event> events = queue.waitAndTake(60000);
    QCOMPARE(events.size(), std::size_t {1});
    QCOMPARE(ticketOf(events[0]), Ticket {7});
}

void TstEventQueue::measuresTimes()
{
    using std::chrono::milliseconds;
    const TimePoint start = TimePoint {} + milliseconds(1000);
    Timeline timeline;
    timeline.submitted = start;
    timeline.firstStep = start + milliseconds(30);
    for (int i = 0; i < 5; ++i)
        timeline.token(start + milliseconds(100 + 20 * i));
    const Metrics metrics = measure(timeline, 12, 4);
    QCOMPARE(metrics.promptTokens, 12U);
    QCOMPARE(metrics.cachedTokens, 4U);
    QCOMPARE(metrics.newTokens, 5U);
    QCOMPARE(metrics.ttftMs, 100.0);
    QCOMPARE(metrics.prefillMs, 70.0);
    QCOMPARE(metrics.tpotMs, 20.0);
    QCOMPARE(metrics.tokensPerSecond, 50.0);
    const Metrics nothing = measure({}, 12, 0);
    QCOMPARE(nothing.ttftMs, 0.0);
    QCOMPARE(nothing.tokensPerSecond, 0.0);
}

KAIKOU_TEST(TstEventQueue)

#include "tst_event_queue.moc"
