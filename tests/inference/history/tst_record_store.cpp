#include "inference/history/record_store.h"
#include "tests/support/test_registry.h"

using namespace kaikou;

namespace {

constexpr std::uint64_t kMiB = 1ULL << 20;

} // namespace

class TstRecordStore : public QObject
{
    Q_OBJECT

private slots:
    void oldestGoesFirst();
    void lookingAtAReplyKeepsIt();
    void pinnedRepliesStay();
    void removedBytesAreFree();
    void limitIsClamped();
};

void TstRecordStore::oldestGoesFirst()
{
    RecordStore store;
    store.setLimit(16 * kMiB);
    for (std::uint64_t reply = 1; reply <= 4; ++reply)
        store.add(reply, 6 * kMiB);
    QCOMPARE(store.used(), 24 * kMiB);
    QCOMPARE(store.evict(), (std::vector<std::uint64_t> {1, 2}));
    QCOMPARE(store.used(), 12 * kMiB);
    QVERIFY(store.evict().empty());
}

void TstRecordStore::lookingAtAReplyKeepsIt()
{
    RecordStore store;
    store.setLimit(16 * kMiB);
    store.add(1, 8 * kMiB);
    store.add(2, 8 * kMiB);
    store.touch(1);
    store.add(3, 4 * kMiB);
    QCOMPARE(store.evict(), std::vector<std::uint64_t> {2});
}

void TstRecordStore::pinnedRepliesStay()
{
    RecordStore store;
    store.setLimit(16 * kMiB);
    store.pin(1);
    store.add(1, 20 * kMiB);
    store.add(2, 1 * kMiB);
    QCOMPARE(store.evict(), std::vector<std::uint64_t> {2});
    QCOMPARE(store.used(), 20 * kMiB); // over the limit, and honest about it
    store.unpin(1);
    QCOMPARE(store.evict(), std::vector<std::uint64_t> {1});
}

void TstRecordStore::removedBytesAreFree()
{
    RecordStore store;
    store.add(7, 5);
    store.add(7, 6);
    store.remove(7);
    QCOMPARE(store.used(), std::uint64_t {0});
    store.add(8, 5);
    store.clear();
    QCOMPARE(store.used(), std::uint64_t {0});
}

void TstRecordStore::limitIsClamped()
{
    RecordStore store;
    QCOMPARE(store.limit(), 256 * kMiB);
    store.setLimit(1);
    QCOMPARE(store.limit(), 16 * kMiB);
    store.setLimit(UINT64_MAX);
    QCOMPARE(store.limit(), 4096 * kMiB);
}

KAIKOU_TEST(TstRecordStore)
#include "tst_record_store.moc"
