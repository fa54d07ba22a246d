#include "load_helpers.h"

#include "inference/load/zip_reader.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <functional>

using namespace kaikou;
using namespace kaikou::test;

// Archives made from ok-one.pt (archive/data.pkl, archive/data/0, archive/version; plain local headers) by
// changing bytes, and one that PyTorch wrote with data descriptors and zip64 records.
class TstZip : public QObject
{
    Q_OBJECT

private slots:
    void readsTorchArchive();
    void refuses_data();
    void refuses();
    void sizesInLocalHeadersMayBeMissing();
    void crcIsChecked();
    void truncatedAnywhere();
    void lengthFields();

private:
    static std::string plain() { return slurp(sourceDir() / "tests/golden/load/hostile/ok-one.pt"); }
};

static std::size_t nth(const std::string& bytes, std::string_view signature, int n)
{
    std::size_t at = bytes.find(signature);
    while (n-- > 0)
        at = bytes.find(signature, at + 1);
    return at;
}

static std::size_t central(const std::string& bytes, int n)
{
    return nth(bytes, "PK\x01\x02", n);
}

static std::size_t local(const std::string& bytes, int n)
{
    return nth(bytes, "PK\x03\x04", n);
}

void TstZip::readsTorchArchive()
{
    const auto file = mapFile(sourceDir() / "tests/golden/load/torch-pickle/dtypes.pt");
    const auto entries = readZip(*file);
    QVERIFY2(entries.ok(), entries.ok() ? "" : qPrintable(shown(entries.error())));
    QCOMPARE(entries->size(), std::size_t {15});
    QCOMPARE(entries->at("dtypes/data/3").bytes.size(), std::size_t {40});
    QCOMPARE((entries->at("dtypes/data/3").bytes.data() - file->bytes.data()) % 64, std::ptrdiff_t {0});
    QVERIFY(checkEntries(*entries, "f", {}).ok());
}

using Change = std::function<void(std::string&)>;
Q_DECLARE_METATYPE(Change)

void TstZip::refuses_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("mention");
    const auto row = [](const char* name, const char* mention, const Change& change) {
        QTest::newRow(name) << change << QString(mention);
    };
    row("encrypted", "encrypted", [](std::string& b) { b[central(b, 0) + 8] = 1; });
    row("compressed", "compressed", [](std::string& b) { b[central(b, 1) + 10] = b[local(b, 1) + 8] = 8; });
    row("methods differ", "method", [](std::string& b) { b[local(b, 1) + 8] = 8; });
    row("names differ", "name", [](std::string& b) { b[local(b, 0) + 30] = 'z'; });
    row("sizes differ", "size", [](std::string& b) { b[local(b, 0) + 18] ^= 1; });
    row("CRC differs", "CRC", [](std::string& b) { b[local(b, 0) + 14] ^= 1; });
    row("two central sizes", "sizes differ", [](std::string& b) { b[central(b, 0) + 24] ^= 1; });
    row("duplicate", "twice", [](std::string& b) {
        // the third entry becomes the second
        const std::string offset = b.substr(central(b, 1) + 42, 4);
        const std::string header = b.substr(central(b, 1), 46 + 14);
        const std::size_t third = central(b, 2);
        b.replace(third, 46 + 15, header + ' ');
        b.replace(third + 28, 2, std::string("\x0e\0", 2));
        b.replace(third + 32, 2, std::string("\1\0", 2)); // its comment swallows the rest
    });
    row("overlap", "overlap", [](std::string& b) {
        // data/0 claims the bytes that follow it too: its size in both headers grows by 46
        for (const std::size_t at :
            {local(b, 1) + 18, local(b, 1) + 22, central(b, 1) + 20, central(b, 1) + 24})
            b[at] = static_cast<char>(b[at] + 46);
    });
    row("count too high", "count", [](std::string& b) {
        const std::size_t end = b.rfind("PK\x05\x06");
        ++b[end + 8];
        ++b[end + 10];
    });
    row("count too low", "count", [](std::string& b) {
        const std::size_t end = b.rfind("PK\x05\x06");
        --b[end + 8];
        --b[end + 10];
    });
    row("directory past the end", "past the end", [](std::string& b) { b[b.rfind("PK\x05\x06") + 18] = 1; });
}

void TstZip::refuses()
{
    QFETCH(Change, change);
    QFETCH(QString, mention);
    std::string bytes = plain();
    change(bytes);
    const ByteSource file = memory(bytes);
    const auto entries = readZip(file);
    const Result<void> checked = entries ? checkEntries(*entries, "f", {}) : Result<void>(entries.error());
    QVERIFY(!checked.ok());
    QVERIFY2(shown(checked.error()).contains(mention), qPrintable(shown(checked.error())));
}

void TstZip::sizesInLocalHeadersMayBeMissing()
{
    std::string bytes = plain();
    for (int entry = 0; entry < 3; ++entry) {
        bytes[local(bytes, entry) + 6] = 8; // flag bit 3
        bytes.replace(local(bytes, entry) + 14, 12, 12, '\0');
    }
    const ByteSource file = memory(bytes);
    const auto entries = readZip(file);
    QVERIFY2(entries.ok(), entries.ok() ? "" : qPrintable(shown(entries.error())));
    QVERIFY(checkEntries(*entries, "f", {}).ok());
}

void TstZip::crcIsChecked()
{
    std::string bytes = plain();
    const std::size_t data = local(bytes, 1) + 30 + std::string_view("archive/data/0").size();
    bytes[data] ^= 1;
    const ByteSource file = memory(bytes);
    const auto entries = readZip(file);
    QVERIFY(entries.ok());
    const auto checked = checkEntries(*entries, "f", {});
    QVERIFY(checked.error().message.find("CRC of entry \"archive/data/0\"") != std::string::npos);
}

void TstZip::truncatedAnywhere()
{
    for (const std::string& whole :
        {plain(), slurp(sourceDir() / "tests/golden/load/torch-pickle/dtypes.pt")})
        for (std::size_t size = 0; size < whole.size(); ++size)
            if (readZip(memory(whole.substr(0, size))).ok())
                QFAIL(qPrintable(QString::number(size)));
}

// Every 4-byte place of the directory and the end records takes hostile values: an answer, whatever it is.
void TstZip::lengthFields()
{
    const std::string whole = slurp(sourceDir() / "tests/golden/load/torch-pickle/dtypes.pt");
    for (std::size_t at = central(whole, 0); at + 8 <= whole.size(); ++at)
        for (const std::uint64_t value : {std::uint64_t {0}, std::uint64_t {1}, std::uint64_t {1} << 31,
                 std::uint64_t {0xFFFFFFFF}, std::uint64_t {1} << 63, ~std::uint64_t {0}})
            for (const std::size_t width : {std::size_t {2}, std::size_t {4}, std::size_t {8}}) {
                std::string changed = whole;
                std::memcpy(changed.data() + at, &value, width);
                const ByteSource file = memory(changed);
                const auto entries = readZip(file);
                if (entries.ok())
                    for (const auto& [name, entry] : *entries)
                        QVERIFY(entry.bytes.empty()
                            || (entry.bytes.data() >= file.bytes.data()
                                && entry.bytes.data() + entry.bytes.size()
                                    <= file.bytes.data() + file.bytes.size()));
            }
}

KAIKOU_TEST(TstZip)
#include "tst_zip.moc"
