// Refusal, full queues, errors, exceptions, shutdown: one end for every ticket, others unharmed (B11, R14,
// R19, R20). Cancel is in tst_cancel.cpp.
#include "tests/inference/generate/engine_rig.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

using namespace kaikou;
using namespace kaikou::test;

class TstInterruptions : public QObject
{
    Q_OBJECT

private slots:
    void overflowIsRefused();
    void fullQueuePausesAndResumes();
    void terminalFitsInAFullQueue();
    void slowExternalReaderIsCancelled();
    void longWaitIsRefused();
    void stepErrorEndsItsTickets();
    void exceptionsEndOpenTickets_data();
    void exceptionsEndOpenTickets();
    void lostDeviceStaysLost();
    void shutdownEndsEverything();
    void submitFromManyThreads();
};

void TstInterruptions::overflowIsRefused()
{
    FakeScript script;
    script.rowMicroseconds = 300;
    const EngineRig rig(script);
    Collector collector;
    std::vector<Ticket> accepted;
    std::uint32_t refused = 0;
    for (std::uint32_t i = 0; i < 200; ++i) {
        Request request = idsRequest(samplePrompt(i, 20), 100);
        request.owner = {1 + i % 5, true};
        const Result<Ticket> ticket = rig.service->submit(request, collector.queue);
        if (ticket) {
            accepted.push_back(*ticket);
        } else {
            QCOMPARE(ticket.error().code, ErrorCode::QueueFull);
            ++refused;
        }
    }
    QCOMPARE(accepted.size(), std::size_t {7 + 32});
    QCOMPARE(refused, 200U - 39U);
    QVERIFY(rig.service->submit(idsRequest({65}, 1), collector.queue).ok()); // the window is never refused
    for (const Ticket ticket : accepted)
        rig.service->cancel(ticket);
    for (const Ticket ticket : accepted) {
        QVERIFY(collector.untilEnded(ticket));
        QVERIFY(oneEnd(collector.outcomes[ticket]));
    }
    Request many = idsRequest({65}, 1);
    many.owner = {1, true};
    many.choices = 39; // all places are free again; a request counts its choices
    const Result<Ticket> ticket = rig.service->submit(many, collector.queue);
    QVERIFY(ticket.ok());
    QVERIFY(collector.untilEnded(*ticket));
    many.choices = 40;
    QVERIFY(!rig.service->submit(many, collector.queue).ok());
}

void TstInterruptions::fullQueuePausesAndResumes()
{
    FakeScript script;
    script.context = 12000;
    script.vocab = 300;
    const EngineRig rig(script);
    Request request = idsRequest({65}, 9000);
    request.trace = TraceLevel::Stats;
    request.sampling.greedy = true;
    FakeScript quick = script;
    quick.next = [](std::span<const TokenId> ids) { return std::optional<TokenId>(ids.size() % 200); };
    const EngineRig fast(quick);
    Collector collector;
    const Ticket ticket = fast.service->submit(request, collector.queue).value();
    while (!collector.queue->full(ticket))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::uint32_t steps = fast.counters->steps;
    QVERIFY(fast.run(idsRequest(samplePrompt(1, 9), 5)).ended()); // others go on
    QVERIFY(fast.counters->steps <= steps + 5);
    collector.drain();
    QVERIFY(!collector.outcomes[ticket].ended());
    QCOMPARE(collector.outcomes[ticket].events, std::uint32_t {EventQueue::kMaxEvents});
    QVERIFY(collector.untilEnded(ticket));
    const Reply& reply = collector.outcomes[ticket].only();
    QCOMPARE(reply.tokens.size(), std::size_t {9000});
    for (std::size_t i = 0; i < reply.tokens.size(); ++i)
        QCOMPARE(reply.tokens[i].id, static_cast<TokenId>((i + 1) % 200));
}

void TstInterruptions::terminalFitsInAFullQueue()
{
    FakeScript script;
    script.context = 12000;
    script.next = [](std::span<const TokenId>) { return std::optional<TokenId>(70); };
    const EngineRig rig(script);
    Request request = idsRequest({65}, 10000);
    request.trace = TraceLevel::Stats;
    request.sampling.greedy = true;
    Collector collector;
    const Ticket ticket = rig.service->submit(request, collector.queue).value();
    while (!collector.queue->full(ticket))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    rig.service->cancel(ticket);
    QVERIFY(rig.run(idsRequest({66}, 1)).ended()); // the cancel came before it
    collector.drain();
    QVERIFY(oneEnd(collector.outcomes[ticket]));
    QCOMPARE(collector.outcomes[ticket].events, std::uint32_t {EventQueue::kMaxEvents + 1});
}

void TstInterruptions::slowExternalReaderIsCancelled()
{
    FakeScript script;
    script.vocab = 300;
    SchedulerOptions options;
    options.engine.slowReader = std::chrono::milliseconds(20);
    script.context = 12000;
    script.next = [](std::span<const TokenId>) { return std::optional<TokenId>(70); };
    const EngineRig rig(script, options);
    Request request = idsRequest({65}, 10000);
    request.trace = TraceLevel::Stats;
    request.sampling.greedy = true;
    Collector window;
    Collector server;
    const Ticket patient = rig.service->submit(request, window.queue).value();
    request.owner = {3, true};
    const Ticket slow = rig.service->submit(request, server.queue).value();
    while (!server.queue->full(slow) || !window.queue->full(patient))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    QVERIFY(rig.run(idsRequest({66}, 1)).ended());
    server.drain();
    QVERIFY(oneEnd(server.outcomes[slow]));
    QCOMPARE(server.outcomes[slow].only().ends[0].reason, FinishReason::Cancelled);
    QVERIFY(window.untilEnded(patient));
    QCOMPARE(window.outcomes[patient].only().ends[0].reason, FinishReason::Length);
}

void TstInterruptions::longWaitIsRefused()
{
    FakeScript script;
    script.slotCount = 1;
    script.rowMicroseconds = 2000;
    SchedulerOptions options;
    options.engine.queueWait = std::chrono::milliseconds(30);
    const EngineRig rig(script, options);
    Collector collector;
    const Ticket talker = rig.service->submit(idsRequest({65}, 120), collector.queue).value();
    Request request = idsRequest({66}, 1);
    const Ticket window = rig.service->submit(request, collector.queue).value();
    request.owner = {3, true};
    const Ticket external = rig.service->submit(request, collector.queue).value();
    QVERIFY(collector.untilEnded(external));
    QCOMPARE(collector.outcomes[external].failed.at(0).error.code, ErrorCode::QueueFull);
    QVERIFY(collector.untilEnded(talker) && collector.untilEnded(window));
    QVERIFY(collector.outcomes[window].failed.empty());
}

void TstInterruptions::stepErrorEndsItsTickets()
{
    FakeScript script;
    script.before = [](std::uint32_t step, std::span<const BatchRow>) -> Result<void> {
        if (step == 3)
            return Error {ErrorCode::OutOfMemory, "scratch", "step"};
        return {};
    };
    const EngineRig rig(script);
    Request request = idsRequest(samplePrompt(1, 9), 10);
    const Outcome outcome = rig.run(request);
    QCOMPARE(outcome.failed.size(), std::size_t {1});
    QCOMPARE(outcome.failed[0].error.code, ErrorCode::OutOfMemory);
    QCOMPARE(outcome.only().tokens.size(), std::size_t {3});
    QCOMPARE(rig.counters->openSlots.load(), 0U); // dirty, never used again
    const Outcome again = rig.run(request);
    QCOMPARE(again.started[0].cachedTokens, 0U);
    QVERIFY(sameRun(EngineRig().run(request).only(), again.only()));
}

void TstInterruptions::exceptionsEndOpenTickets_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("code");
    QTest::newRow("bad_alloc") << 0 << int(ErrorCode::OutOfMemory);
    QTest::newRow("std") << 1 << int(ErrorCode::Internal);
    QTest::newRow("other") << 2 << int(ErrorCode::Internal);
}

void TstInterruptions::exceptionsEndOpenTickets()
{
    QFETCH(int, kind);
    FakeScript script;
    script.slotCount = 2;
    script.before = [kind](std::uint32_t step, std::span<const BatchRow>) -> Result<void> {
        if (step != 4)
            return {};
        if (kind == 0)
            throw std::bad_alloc();
        if (kind == 1)
            throw std::runtime_error("a broken kernel");
        throw 42;
    };
    const EngineRig rig(script);
    Collector collector;
    std::vector<Ticket> tickets;
    for (std::uint32_t i = 0; i < 4; ++i)
        tickets.push_back(rig.service->submit(idsRequest(samplePrompt(i, 9), 20), collector.queue).value());
    for (const Ticket ticket : tickets) {
        QVERIFY(collector.untilEnded(ticket));
        QVERIFY(oneEnd(collector.outcomes[ticket]));
    }
    QTEST(int(collector.outcomes[tickets[0]].failed.at(0).error.code), "code");
    QVERIFY(rig.run(idsRequest(samplePrompt(7, 9), 20)).failed.empty()); // the engine goes on
    QCOMPARE(rig.counters->contractErrors.load(), 0U);
}

void TstInterruptions::lostDeviceStaysLost()
{
    FakeScript script;
    script.before = [](std::uint32_t step, std::span<const BatchRow>) -> Result<void> {
        if (step == 2)
            return Error {ErrorCode::DeviceLost, "999", "device"};
        return {};
    };
    const EngineRig rig(script);
    QCOMPARE(rig.run(idsRequest({65}, 9)).failed.at(0).error.code, ErrorCode::DeviceLost);
    QCOMPARE(rig.run(idsRequest({65}, 9)).failed.at(0).error.code, ErrorCode::DeviceLost);
    QCOMPARE(rig.counters->steps.load(), 3U); // no further call
}

void TstInterruptions::shutdownEndsEverything()
{
    const int times = longRun() ? 100 : 10;
    for (int i = 0; i < times; ++i) {
        FakeScript script;
        script.slotCount = 2;
        script.rowMicroseconds = 1000;
        Collector collector;
        std::vector<Ticket> tickets;
        std::shared_ptr<FakeCounters> counters;
        {
            EngineRig rig(script);
            counters = rig.counters;
            for (std::uint32_t t = 0; t < 5; ++t)
                tickets.push_back(
                    rig.service->submit(idsRequest(samplePrompt(t, 100), 20), collector.queue).value());
            std::this_thread::sleep_for(std::chrono::milliseconds(i));
            rig.service.reset();
        }
        collector.drain();
        for (const Ticket ticket : tickets)
            QVERIFY(oneEnd(collector.outcomes[ticket]));
        QCOMPARE(counters->closedModels.load(), 1U);
    }
}

void TstInterruptions::submitFromManyThreads()
{
    const EngineRig rig;
    std::atomic<int> good {0};
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t t = 0; t < 6; ++t)
            threads.emplace_back([&rig, &good, t] {
                for (std::uint32_t i = 0; i < 15; ++i) {
                    Collector collector;
                    Request request = idsRequest(samplePrompt(t * 20 + i, 10), 8, i);
                    request.owner = {t, false};
                    const Result<Ticket> ticket = rig.service->submit(request, collector.queue);
                    if (ticket && i % 3 == 0)
                        rig.service->cancel(*ticket);
                    if (ticket && collector.untilEnded(*ticket) && oneEnd(collector.outcomes[*ticket]))
                        ++good;
                }
            });
    }
    QCOMPARE(good.load(), 6 * 15);
}

KAIKOU_TEST(TstInterruptions)

#include "tst_interruptions.moc"
