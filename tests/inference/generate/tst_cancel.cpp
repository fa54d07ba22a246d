// Cancel in every phase: one end for every ticket, others unharmed (B7).
#include "tests/inference/generate/engine_rig.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <atomic>
#include <random>
#include <set>
#include <thread>

using namespace kaikou;
using namespace kaikou::test;

class TstCancel : public QObject
{
    Q_OBJECT

private slots:
    void cancelInEveryPhase();
    void cancelStopsOnlyAnUnwantedStep();
    void cancelIsIdempotent();
    void cancelOfManyChoices();
};

// A neighbour decodes all the time; victims are cancelled while queued, in prefill, in decode and after the
// end.
void TstCancel::cancelInEveryPhase()
{
    FakeScript script;
    script.slotCount = 3;
    script.rowMicroseconds = 20;
    const EngineRig rig(script);
    const Request neighbour = idsRequest(samplePrompt(30, 12), 100, 3);
    const Reply alone = EngineRig().run(neighbour).only();
    std::mt19937 random(5); // NOLINT: a fixed order
    const int times = longRun() ? 1000 : 50;
    for (int phase = 0; phase < 4; ++phase) {
        Collector collector;
        Ticket beside = rig.service->submit(neighbour, collector.queue).value();
        for (int i = 0; i < times; ++i) {
            std::vector<Ticket> fillers;
            for (std::uint32_t f = 0; phase == 0 && f < 2; ++f)
                fillers.push_back(
                    rig.service->submit(idsRequest(samplePrompt(40 + f, 20), 80), collector.queue).value());
            Request request = idsRequest(samplePrompt(50 + i % 3, phase == 1 ? 120 : 6), phase == 3 ? 1 : 60);
            request.owner = {9, false};
            const Ticket victim = rig.service->submit(request, collector.queue).value();
            if (phase == 1)
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 1500));
            while (phase == 2 && collector.outcomes[victim].replies.empty())
                collector.drain(1);
            if (phase == 3)
                QVERIFY(collector.untilEnded(victim));
            rig.service->cancel(victim);
            for (const Ticket filler : fillers)
                rig.service->cancel(filler);
            QVERIFY(collector.untilEnded(victim));
            QVERIFY(oneEnd(collector.outcomes[victim]));
            for (const Ticket filler : fillers)
                QVERIFY(collector.untilEnded(filler));
            if (collector.outcomes[beside].ended()) {
                QVERIFY(sameRun(alone, collector.outcomes[beside].only()));
                beside = rig.service->submit(neighbour, collector.queue).value();
            }
        }
        QVERIFY(collector.untilEnded(beside));
        QVERIFY(sameRun(alone, collector.outcomes[beside].only()));
    }
    QCOMPARE(rig.counters->contractErrors.load(), 0U);
    QCOMPARE(rig.counters->openSlots.load(), 3U);
    // All slots are free again: three tickets run at once.
    Collector collector;
    std::vector<Ticket> tickets;
    for (std::uint32_t i = 0; i < 3; ++i)
        tickets.push_back(
            rig.service->submit(idsRequest(samplePrompt(60 + i, 9), 9), collector.queue).value());
    for (const Ticket ticket : tickets)
        QVERIFY(collector.untilEnded(ticket));
}

// Two tickets prefill side by side. One is cancelled inside a step of both: the step goes on, the other needs
// it. Then the other is cancelled too: the step is broken off and its rows are taken back.
void TstCancel::cancelStopsOnlyAnUnwantedStep()
{
    for (const bool both : {false, true}) {
        std::atomic<Scheduler*> service {nullptr};
        std::atomic<Ticket> keeper {};
        std::atomic<Ticket> victim {};
        std::atomic<bool> submitted {false};
        std::atomic<bool> cancelled {false};
        std::atomic<std::uint32_t> heldBefore {0};
        std::shared_ptr<FakeCounters> counters;
        FakeScript script;
        script.before = [&](std::uint32_t, std::span<const BatchRow> rows) {
            while (!submitted) // the first step waits for the second ticket
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            std::set<KvSlot> kv;
            for (const BatchRow& row : rows)
                kv.insert(row.slot);
            if (kv.size() == 2 && !cancelled.exchange(true)) {
                heldBefore = counters->heldRows.load();
                service.load()->cancel(victim);
                if (both)
                    service.load()->cancel(keeper);
            }
            return Result<void> {};
        };
        const EngineRig rig(script);
        counters = rig.counters;
        Collector collector;
        const Request request = idsRequest(samplePrompt(1, 120), 4);
        const Request other = idsRequest(samplePrompt(100, 120), 4);
        service = rig.service.get();
        keeper = rig.service->submit(request, collector.queue).value();
        victim = rig.service->submit(other, collector.queue).value();
        submitted = true;
        QVERIFY(collector.untilEnded(victim) && collector.untilEnded(keeper));
        QVERIFY(oneEnd(collector.outcomes[victim]) && oneEnd(collector.outcomes[keeper]));
        QVERIFY(cancelled); // the step of both did come
        QCOMPARE(counters->cancelledSteps.load(), both ? 1U : 0U);
        if (both)
            QCOMPARE(counters->heldRows.load(), heldBefore.load());
        else
            QVERIFY(sameRun(EngineRig().run(request).only(), collector.outcomes[keeper].only()));
        // Slots of cancelled tickets are clean: their rows can be used.
        QVERIFY(sameRun(EngineRig().run(other).only(), rig.run(other).only()));
        QCOMPARE(counters->contractErrors.load(), 0U);
    }
}

void TstCancel::cancelIsIdempotent()
{
    const EngineRig rig;
    Collector collector;
    const Ticket ticket = rig.service->submit(idsRequest(samplePrompt(1, 9), 100), collector.queue).value();
    for (int i = 0; i < 5; ++i)
        rig.service->cancel(ticket);
    rig.service->cancel(Ticket {UINT64_MAX});
    QVERIFY(collector.untilEnded(ticket));
    QVERIFY(rig.run(idsRequest(samplePrompt(2, 9), 3)).ended());
    collector.drain();
    QVERIFY(oneEnd(collector.outcomes[ticket]));
}

void TstCancel::cancelOfManyChoices()
{
    FakeScript script;
    script.slotCount = 2;
    script.rowMicroseconds = 100;
    const EngineRig rig(script);
    Collector collector;
    Request request = idsRequest(samplePrompt(1, 20), 90);
    request.choices = 10;
    const Ticket ticket = rig.service->submit(request, collector.queue).value();
    while (collector.outcomes[ticket].replies.size() < 2)
        collector.drain(1);
    rig.service->cancel(ticket);
    QVERIFY(collector.untilEnded(ticket));
    const Outcome& outcome = collector.outcomes[ticket];
    QVERIFY(oneEnd(outcome));
    QCOMPARE(outcome.replies.size(), std::size_t {10}); // one end for every choice, also of those never begun
    for (const auto& [choice, reply] : outcome.replies) {
        QCOMPARE(reply.ends.size(), std::size_t {1});
        QCOMPARE(reply.ends[0].reason, FinishReason::Cancelled);
        QCOMPARE(reply.ends[0].tokens, static_cast<std::uint32_t>(reply.tokens.size()));
    }
}

KAIKOU_TEST(TstCancel)
#include "tst_cancel.moc"
