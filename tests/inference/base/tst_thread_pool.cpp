#include "inference/base/thread_pool.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

using namespace kaikou;

class TstThreadPool : public QObject
{
    Q_OBJECT

private slots:
    void rangesCoverEverythingOnce_data();
    void rangesCoverEverythingOnce();
    void everyIndexRunsOnce_data();
    void everyIndexRunsOnce();
    void callersTakeTurns();
    void idleUsesNoProcessor();
    void oversubscribedStillWorks();
};

void TstThreadPool::rangesCoverEverythingOnce_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("align");
    QTest::addColumn<int>("threads");
    for (const int count : {0, 1, 7, 8, 9, 94, 1000}) {
        for (const int threads : {1, 2, 3, 8})
            QTest::addRow("%d by %d", count, threads) << count << 8 << threads;
    }
    QTest::addRow("no alignment") << 13 << 1 << 4;
}

void TstThreadPool::rangesCoverEverythingOnce()
{
    QFETCH(int, count);
    QFETCH(int, align);
    QFETCH(int, threads);
    std::size_t next = 0;
    for (int i = 0; i < threads; ++i) {
        const IndexRange range = staticRange(static_cast<std::size_t>(count), static_cast<std::size_t>(align),
            static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(threads));
        QCOMPARE(range.begin, next);
        QVERIFY(range.end >= range.begin);
        QVERIFY(
            range.end % static_cast<std::size_t>(align) == 0 || range.end == static_cast<std::size_t>(count));
        next = range.end;
    }
    QCOMPARE(next, static_cast<std::size_t>(count));
}

void TstThreadPool::everyIndexRunsOnce_data()
{
    QTest::addColumn<quint32>("pool");
    QTest::addColumn<quint32>("threads");
    for (const quint32 pool : {1U, 2U, 3U, 4U}) {
        for (quint32 threads = 1; threads <= pool; ++threads)
            QTest::addRow("%u of %u", threads, pool) << pool << threads;
    }
}

void TstThreadPool::everyIndexRunsOnce()
{
    QFETCH(quint32, pool);
    QFETCH(quint32, threads);
    ThreadPool workers(pool);
    for (int round = 0; round < 500; ++round) {
        // Each index writes its own elements: no lock needed if the pool is right.
        std::vector<std::uint32_t> counts(threads);
        std::vector<int> calls(threads);
        workers.run(threads, [&](std::uint32_t index, std::uint32_t count) {
            counts[index] = count;
            ++calls[index];
        });
        QVERIFY(counts[0] >= 1 && counts[0] <= threads);
        for (std::uint32_t i = 0; i < threads; ++i) {
            QCOMPARE(calls[i], i < counts[0] ? 1 : 0);
            QCOMPARE(counts[i], i < counts[0] ? counts[0] : 0U);
        }
    }
}

void TstThreadPool::callersTakeTurns()
{
    ThreadPool workers(2);
    std::atomic<int> inside = 0;
    std::atomic<int> total = 0;
    std::atomic<bool> mixed = false;
    const auto caller = [&] {
        for (int i = 0; i < 200; ++i) {
            std::atomic<std::uint32_t> mine = 0;
            workers.run(2, [&](std::uint32_t, std::uint32_t count) {
                if (inside.fetch_add(1) >= static_cast<int>(count))
                    mixed = true;
                ++mine;
                inside.fetch_sub(1);
            });
            if (mine > 0)
                ++total;
        }
    };
    std::thread other(caller);
    caller();
    other.join();
    QCOMPARE(total.load(), 400);
    QVERIFY(!mixed);
}

void TstThreadPool::idleUsesNoProcessor()
{
    ThreadPool workers(4);
    workers.run(4, [](std::uint32_t, std::uint32_t) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // past the spinning
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const double usedMs = static_cast<double>(std::clock() - before) * 1e3 / CLOCKS_PER_SEC;
    QVERIFY2(usedMs < 20.0, QByteArray::number(usedMs));
}

void TstThreadPool::oversubscribedStillWorks()
{
    ThreadPool workers(16);
    std::atomic<int> calls = 0;
    for (int i = 0; i < 300; ++i)
        workers.parallelFor(
            16, 160, 1, [&](std::size_t begin, std::size_t end) { calls += static_cast<int>(end - begin); });
    QCOMPARE(calls.load(), 300 * 160);
}

KAIKOU_TEST(TstThreadPool)
#include "tst_thread_pool.moc"
