#include "load_helpers.h"

#include "inference/base/json.h"
#include "inference/load/torch_file.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <cmath>
#include <map>

using namespace kaikou;
using namespace kaikou::test;

// Files and values written by PyTorch (expected.json beside them).
class TstTorch : public QObject
{
    Q_OBJECT

private slots:
    void equalsTorch_data();
    void equalsTorch();
    void sharedStoragesShareBytes();
    void opaqueObjectsBesideTheWeights();
    void truncatedAnywhere();
    void flippedBytes();
    void cancels();

private:
    static std::filesystem::path folder() { return sourceDir() / "tests/golden/load/torch-pickle"; }
};

void TstTorch::equalsTorch_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"strides.pt", "dtypes.pt", "legacy.pt", "nested-parameter.pt", "protocol4.pt",
             "protocol5.pt", "list.pt", "whole-module.pt", "incremental.pth", "torchscript.pt", "offset.pt"})
        QTest::newRow(file) << QString(file);
}

void TstTorch::equalsTorch()
{
    QFETCH(QString, file);
    const std::string text = slurp(folder() / "expected.json");
    const auto expected = JsonDocument::parse(text);
    QVERIFY(expected.ok());
    const JsonValue wanted = expected->root()[file.toStdString()]["tensors"];
    std::vector<Warning> warnings;
    const auto source = mapFile(folder() / file.toStdString());
    QVERIFY(source.ok());
    const auto torch = readTorch(*source, {}, warnings);
    if (wanted.size() == 0 || file == "legacy.pt") {
        QVERIFY(!torch.ok());
        static const std::map<QString, QString> kReasons
            = {{"list.pt", "list"}, {"torchscript.pt", "TorchScript"},
                {"whole-module.pt", "torch.nn.modules.container.Sequential"}, {"legacy.pt", "zip"}};
        QVERIFY2(shown(torch.error()).contains(kReasons.at(file)), qPrintable(shown(torch.error())));
        return;
    }
    QVERIFY2(torch.ok(), torch.ok() ? "" : qPrintable(shown(torch.error())));
    QCOMPARE(torch->tensors.size(), wanted.size());
    static const std::map<std::string_view, Dtype> kNames = {{"float32", Dtype::F32}, {"float16", Dtype::F16},
        {"bfloat16", Dtype::BF16}, {"float64", Dtype::F64}, {"int64", Dtype::I64}, {"int32", Dtype::I32},
        {"int16", Dtype::I16}, {"int8", Dtype::I8}, {"uint8", Dtype::U8}, {"bool", Dtype::Bool}};
    for (const JsonValue tensor : wanted.children()) {
        const auto found = torch->tensors.find(tensor.key());
        QVERIFY(found != torch->tensors.end());
        const RawTensor& raw = found->second;
        QVERIFY(raw.dtype == kNames.at(*tensor["dtype"].string()));
        std::vector<std::uint64_t> shape;
        for (const JsonValue dim : tensor["shape"].children())
            shape.push_back(*dim.count());
        QCOMPARE(raw.shape, shape);
        QCOMPARE(raw.bytes.size(), tensor["values"].size() * bytesPerElement(raw.dtype));
        std::size_t i = 0;
        for (const JsonValue value : tensor["values"].children()) {
            const double want
                = value.type() == JsonType::Boolean ? double(*value.boolean()) : *value.number();
            const double got = valueAt(raw.bytes, raw.dtype, i++);
            QVERIFY2(
                std::abs(got - want) <= 1e-8 * std::abs(want) + 1e-12, std::string(tensor.key()).c_str());
        }
    }
}

void TstTorch::sharedStoragesShareBytes()
{
    std::vector<Warning> warnings;
    const auto source = mapFile(folder() / "strides.pt");
    const auto torch = readTorch(*source, {}, warnings);
    QVERIFY(torch.ok());
    const auto at = [&](const char* name) { return torch->tensors.find(name)->second.bytes.data(); };
    QVERIFY(at("shared_a") == at("shared_b"));
    QVERIFY(at("transposed") != at("contig"));
    QVERIFY(warnings.empty());
}

void TstTorch::opaqueObjectsBesideTheWeights()
{
    std::vector<Warning> warnings;
    const auto source = mapFile(sourceDir() / "tests/golden/load/opaque-beside.pt");
    const auto torch = readTorch(*source, {}, warnings);
    QVERIFY2(torch.ok(), torch.ok() ? "" : qPrintable(shown(torch.error())));
    QCOMPARE(torch->tensors.size(), std::size_t {1});
    QCOMPARE(warnings.size(), std::size_t {1});
    QVERIFY(warnings[0].message.find("argparse.Namespace") != std::string::npos);
}

void TstTorch::truncatedAnywhere()
{
    const std::string whole = slurp(folder() / "protocol4.pt");
    for (std::size_t size = 1; size < whole.size(); ++size) {
        std::vector<Warning> warnings;
        const auto torch = readTorch(memory(whole.substr(0, size)), {}, warnings);
        if (torch.ok())
            QFAIL(qPrintable(QString::number(size)));
    }
}

// No promise about the answer, only that there is one.
void TstTorch::flippedBytes()
{
    const std::string whole = slurp(folder() / "nested-parameter.pt");
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const char bits : {'\x01', '\x80', '\xff'}) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ bits);
            std::vector<Warning> warnings;
            const auto torch = readTorch(memory(changed), {}, warnings);
            refused += torch.ok() ? 0 : 1;
            if (!torch.ok())
                QVERIFY(!torch.error().message.empty() && !torch.error().where.empty());
        }
    QVERIFY(refused > 1000); // CRC and structure catch most
}

void TstTorch::cancels()
{
    std::vector<Warning> warnings;
    const auto source = mapFile(folder() / "dtypes.pt");
    const auto torch = readTorch(*source, {nullptr, stoppedToken()}, warnings);
    QVERIFY(torch.error().code == ErrorCode::Cancelled);
}

KAIKOU_TEST(TstTorch)
#include "tst_torch.moc"
