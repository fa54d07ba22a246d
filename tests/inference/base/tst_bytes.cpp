#include "inference/base/byte_reader.h"
#include "inference/base/byte_source.h"
#include "inference/base/md5.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <sys/stat.h>

#include <fstream>

using namespace kaikou;

class TstBytes : public QObject
{
    Q_OBJECT

private slots:
    void readerChecksEveryRead();
    void checkedArithmetic();
    void mapsAndReads();
    void refusesWhatIsNoFile();
    void md5();
};

static std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

void TstBytes::readerChecksEveryRead()
{
    ByteReader reader(bytesOf("\x01\x02\x03\x04line\nrest"), "f");
    QCOMPARE(*reader.u16(), std::uint16_t {0x0201});
    QCOMPARE(*reader.u8(), std::uint8_t {3});
    QCOMPARE(reader.where(), std::string("f at byte 3"));
    QVERIFY(reader.seek(4).ok());
    QCOMPARE(*reader.line(), std::string_view("line"));
    QVERIFY(!reader.line().ok());
    QCOMPARE(reader.remaining(), std::size_t {4});
    QVERIFY(!reader.u64().ok());
    QVERIFY(reader.bytes(std::uint64_t {1} << 63).error().code == ErrorCode::FormatTruncated);
    QVERIFY(!reader.seek(100).ok());
    QCOMPARE(*reader.text(4), std::string_view("rest"));
    QVERIFY(!reader.u8().ok());
}

void TstBytes::checkedArithmetic()
{
    std::uint64_t out = 0;
    QVERIFY(!checkedMultiply(std::uint64_t {1} << 33, std::uint64_t {1} << 31, out));
    QVERIFY(!checkedAdd(~std::uint64_t {0}, 1, out));
    QVERIFY(checkedMultiply(1U << 31, 1U << 31, out));
    QCOMPARE(out, std::uint64_t {1} << 62);
}

void TstBytes::mapsAndReads()
{
    const QTemporaryDir folder;
    const std::filesystem::path path
        = std::filesystem::path(folder.path().toStdString()) / "模型 测试" / "最佳 é😀.bin";
    std::filesystem::create_directory(path.parent_path());
    std::ofstream(path) << "hello";
    const auto map = mapFile(path);
    const auto copy = readFile(path, 5);
    QVERIFY(map.ok());
    QVERIFY(copy.ok());
    QCOMPARE(map->text(), std::string_view("hello"));
    QCOMPARE(copy->text(), std::string_view("hello"));
    QVERIFY(readFile(path, 4).error().code == ErrorCode::FileTooLarge);
}

void TstBytes::refusesWhatIsNoFile()
{
    const QTemporaryDir folder;
    const std::filesystem::path base = folder.path().toStdString();
    QVERIFY(mapFile(base / "none").error().code == ErrorCode::FileNotFound);
    QVERIFY(mapFile(base).error().code == ErrorCode::FileIsFolder);
    std::ofstream(base / "empty").flush();
    const auto empty = mapFile(base / "empty");
    QVERIFY(empty.error().code == ErrorCode::FileEmpty);
    QVERIFY(empty.error().message.find("0 bytes") != std::string::npos);
    QVERIFY(::mkfifo((base / "pipe").c_str(), 0600) == 0);
    QVERIFY(mapFile(base / "pipe").error().code == ErrorCode::FileRead);
    QVERIFY(mapFile("/dev/zero").error().code == ErrorCode::FileRead);
}

void TstBytes::md5() // RFC 1321, A.5
{
    QCOMPARE(md5Hex({}), std::string("d41d8cd98f00b204e9800998ecf8427e"));
    QCOMPARE(md5Hex(bytesOf("message digest")), std::string("f96b697d7cb7938d525a2f31aaf161d0"));
}

KAIKOU_TEST(TstBytes)
#include "tst_bytes.moc"
