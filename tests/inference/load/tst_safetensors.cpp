#include "load_helpers.h"

#include "inference/load/safetensors.h"
#include "tests/support/test_registry.h"
#include "tests/support/tiny_checkpoint.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

class TstSafetensors : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatIsWritten();
    void refuses_data();
    void refuses();
    void trailingZeros();
    void truncatedAnywhere();
    void lengthFields();
};

static std::string twoTensors()
{
    SafetensorsWriter writer;
    writer.add("a", {2, 3}, {1, 2, 3, 4, 5, 6});
    writer.add("b", {}, {7});
    writer.add("none", {0, 4}, {});
    return writer.bytes();
}

void TstSafetensors::readsWhatIsWritten()
{
    std::vector<Warning> warnings;
    const auto tensors = readSafetensors(memory(twoTensors()), warnings);
    QVERIFY(tensors.ok());
    QVERIFY(warnings.empty());
    QCOMPARE(tensors->size(), std::size_t {3});
    const RawTensor& a = tensors->at("a");
    QCOMPARE(a.shape, (std::vector<std::uint64_t> {2, 3}));
    for (std::size_t i = 0; i < 6; ++i)
        QCOMPARE(valueAt(a.bytes, a.dtype, i), static_cast<double>(i + 1));
    QCOMPARE(valueAt(tensors->at("b").bytes, Dtype::F32, 0), 7.0);
    QVERIFY(tensors->at("none").bytes.empty());
}

void TstSafetensors::refuses_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mention");
    const auto row = [](const char* name, const char* header, ErrorCode code, const char* mention) {
        QTest::newRow(name) << QByteArray(header) << static_cast<int>(code) << QString(mention);
    };
    // 8 bytes of data follow
    row("not an object", "[1]", ErrorCode::FormatJson, "object");
    row("entry is a number", R"({"w":1})", ErrorCode::FormatJson, "object");
    row("no dtype", R"({"w":{"shape":[2],"data_offsets":[0,8]}})", ErrorCode::FormatJson, "dtype");
    row("no shape", R"({"w":{"dtype":"F32","data_offsets":[0,8]}})", ErrorCode::FormatJson, "shape");
    row("no offsets", R"({"w":{"dtype":"F32","shape":[2]}})", ErrorCode::FormatJson, "data_offsets");
    row("one offset", R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[8]}})", ErrorCode::FormatJson,
        "\"w\"");
    row("float8", R"({"w":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}})", ErrorCode::FormatDtype,
        "F8_E4M3");
    row("reversed", R"({"w":{"dtype":"F32","shape":[0],"data_offsets":[8,0]}})", ErrorCode::FormatRange,
        "\"w\"");
    row("gap at the begin", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
        ErrorCode::FormatRange, "of 4 bytes");
    row("overlap",
        R"({"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
        ErrorCode::FormatRange, "overlap");
    row("shape and size differ", R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
        ErrorCode::FormatRange, "12 bytes");
    row("nine dimensions", R"({"w":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]}})",
        ErrorCode::FormatJson, "shape");
    row("product wraps", R"({"w":{"dtype":"F64","shape":[2147483648,2147483648,4],"data_offsets":[0,8]}})",
        ErrorCode::FormatLimit, "overflow");
    row("dimension beyond", R"({"w":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,8]}})",
        ErrorCode::FormatLimit, "\"w\"");
    row("past the end", R"({"w":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})",
        ErrorCode::FormatTruncated, "8 bytes are missing");
    row("duplicate",
        R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
        ErrorCode::FormatDuplicate, "\"w\"");
    row("metadata of numbers", R"({"__metadata__":{"k":1}})", ErrorCode::FormatJson, "metadata");
    row("trailing bytes", R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", ErrorCode::FormatRange,
        "trailing");
}

void TstSafetensors::refuses()
{
    QFETCH(QByteArray, header);
    QFETCH(int, code);
    QFETCH(QString, mention);
    std::vector<Warning> warnings;
    const auto tensors
        = readSafetensors(memory(SafetensorsWriter::join(header.toStdString(), "12345678")), warnings);
    QVERIFY(!tensors.ok());
    QCOMPARE(static_cast<int>(tensors.error().code), code);
    QVERIFY2(shown(tensors.error()).contains(mention), qPrintable(shown(tensors.error())));
}

void TstSafetensors::trailingZeros()
{
    std::vector<Warning> warnings;
    const auto tensors = readSafetensors(memory(twoTensors() + std::string(5, '\0')), warnings);
    QVERIFY(tensors.ok());
    QCOMPARE(warnings.size(), std::size_t {1});
    QVERIFY(warnings[0].message.find("5 extra trailing zero bytes") != std::string::npos);
}

void TstSafetensors::truncatedAnywhere()
{
    const std::string whole = twoTensors();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::vector<Warning> warnings;
        const auto tensors = readSafetensors(memory(whole.substr(0, size)), warnings);
        if (tensors.ok())
            QFAIL(qPrintable(QString::number(size)));
        QVERIFY(tensors.error().code == ErrorCode::FormatTruncated);
    }
}

void TstSafetensors::lengthFields()
{
    const std::string whole = twoTensors();
    for (const std::uint64_t length : {std::uint64_t {0}, std::uint64_t {1}, std::uint64_t {1} << 31,
             std::uint64_t {1} << 32, std::uint64_t {1} << 63, ~std::uint64_t {0}}) {
        std::string changed = whole;
        std::memcpy(changed.data(), &length, sizeof length);
        std::vector<Warning> warnings;
        QVERIFY(!readSafetensors(memory(changed), warnings).ok());
    }
}

KAIKOU_TEST(TstSafetensors)
#include "tst_safetensors.moc"
