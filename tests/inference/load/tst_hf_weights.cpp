#include "load_helpers.h"

#include "inference/load/open_checkpoint.h"
#include "tests/support/test_registry.h"
#include "tests/support/tiny_checkpoint.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

// Weights of Hugging Face folders: names, shapes, shards and the head.
class TstHfWeights : public QObject
{
    Q_OBJECT

private slots:
    void badWeights_data();
    void badWeights();
    void shards();
    void tying();
    void attentionBias();
};

void TstHfWeights::badWeights_data()
{
    QTest::addColumn<QString>("from"); // text of the header
    QTest::addColumn<QString>("to"); // of the same length
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mention");
    const auto row = [](const char* from, const char* to, ErrorCode code, const char* mention) {
        QTest::newRow(to) << from << to << static_cast<int>(code) << mention;
    };
    row("layers.0.self_attn.q_proj", "layers.0.self_attn.x_proj", ErrorCode::TensorMissing,
        "missing tensors: model.layers.0.self_attn.q_proj.weight");
    row("k_proj.weight\":{\"dtype\":\"F32\",\"shape\":[8,16]",
        "k_proj.weight\":{\"dtype\":\"F32\",\"shape\":[16,8]", ErrorCode::TensorShape,
        "has shape [16, 8], expected [8, 16]");
    row("model.norm.weight\":{\"dtype\":\"F32\"", "model.norm.weight\":{\"dtype\":\"I32\"",
        ErrorCode::FormatDtype, "model.norm.weight is I32");
}

void TstHfWeights::badWeights()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(int, code);
    QFETCH(QString, mention);
    const QTemporaryDir temporary;
    writeTinyLlama(pathOf(temporary));
    std::string bytes = tinyLlamaWeights({}, 1);
    const std::size_t at = bytes.find(from.toStdString());
    QVERIFY(at != std::string::npos && from.size() == to.size());
    bytes.replace(at, from.toStdString().size(), to.toStdString());
    writeFile(pathOf(temporary) / "model.safetensors", bytes);
    const auto opened = openCheckpoint(pathOf(temporary));
    QVERIFY(!opened.ok());
    QVERIFY2(shown(opened.error()).contains(mention), qPrintable(shown(opened.error())));
    QCOMPARE(static_cast<int>(opened.error().code), code);
}

void TstHfWeights::shards()
{
    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary);
    writeTinyLlama(folder);
    std::filesystem::rename(folder / "model.safetensors", folder / "a.safetensors");
    const auto index = [&](const char* map, const char* more = "") {
        writeFile(folder / "model.safetensors.index.json",
            std::string("{") + more + "\"weight_map\":{" + map + "}}");
    };
    index("\"model.norm.weight\":\"a.safetensors\"", "\"metadata\":{\"total_size\":24512},");
    KAIKOU_OPEN(model, folder);
    QVERIFY(model.warnings.empty()); // 6128 numbers of 4 bytes
    index("\"model.norm.weight\":\"a.safetensors\"", "\"metadata\":{\"total_size\":9},");
    KAIKOU_OPEN(wrongSize, folder);
    QVERIFY(hasWarning(wrongSize.warnings, ErrorCode::FormatRange));

    const auto refused = [&](ErrorCode code, const char* mention) {
        const auto opened = openCheckpoint(folder);
        QVERIFY(!opened.ok());
        QVERIFY2(shown(opened.error()).contains(mention), qPrintable(shown(opened.error())));
        QVERIFY(opened.error().code == code);
    };
    index("\"x\":\"a.safetensors\"");
    refused(ErrorCode::TensorMissing, "missing tensor x");
    index("\"x\":\"gone-1.safetensors\",\"y\":\"gone-2.safetensors\"");
    refused(ErrorCode::FileNotFound, "gone-1.safetensors, gone-2.safetensors");
    std::filesystem::copy_file(folder / "a.safetensors", folder / "b.safetensors");
    index("\"x\":\"a.safetensors\",\"y\":\"b.safetensors\"");
    refused(ErrorCode::FormatDuplicate, "stands in two shards");
    for (const char* name : {"../a.safetensors", "/etc/passwd", "..", "", "sub/a.safetensors"}) {
        index((std::string("\"x\":\"") + name + '"').c_str());
        refused(ErrorCode::FormatRange, "path outside the folder");
    }
    std::filesystem::remove(folder / "model.safetensors.index.json");
    refused(ErrorCode::FileNotFound, "no weights");
    writeFile(
        folder / "model.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 77\n");
    refused(ErrorCode::FileIsLfsPointer, "size 77");
}

void TstHfWeights::tying()
{
    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary);
    writeTinyLlama(folder);
    const auto withHead = [&](float first) {
        SafetensorsWriter writer;
        std::vector<float> values(32, 0.5F);
        writer.add("model.embed_tokens.weight", {2, 16}, values);
        values[0] = first;
        writer.add("lm_head.weight", {2, 16}, values);
        for (const char* name : {"self_attn.q_proj", "self_attn.o_proj"})
            writer.add(std::string("model.layers.0.") + name + ".weight", {16, 16}, std::vector<float>(256));
        for (const char* name : {"self_attn.k_proj", "self_attn.v_proj"})
            writer.add(std::string("model.layers.0.") + name + ".weight", {8, 16}, std::vector<float>(128));
        for (const char* name : {"mlp.gate_proj", "mlp.up_proj"})
            writer.add(std::string("model.layers.0.") + name + ".weight", {24, 16}, std::vector<float>(384));
        writer.add("model.layers.0.mlp.down_proj.weight", {16, 24}, std::vector<float>(384));
        for (const char* name : {"layers.0.input_layernorm", "layers.0.post_attention_layernorm", "norm"})
            writer.add(std::string("model.") + name + ".weight", {16}, std::vector<float>(16, 1.0F));
        writeFile(folder / "model.safetensors", writer.bytes());
        writeFile(folder / "config.json", tinyLlamaConfig({1, 16, 2, 1, 24, 2, 64}).dump());
    };
    withHead(0.5F);
    KAIKOU_OPEN(same, folder);
    QVERIFY(same.weights.tied());
    QVERIFY(same.warnings.empty());
    withHead(0.25F);
    KAIKOU_OPEN(different, folder);
    QVERIFY(!different.weights.tied());
    QVERIFY(hasWarning(different.warnings, ErrorCode::ConfigInvalid));
}

void TstHfWeights::attentionBias()
{
    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary);
    writeTinyLlama(folder);
    writeFile(folder / "config.json", tinyLlamaConfig({}).set("attention_bias", true).dump());
    TinyWriter writer(3);
    const std::string p = "model.layers.0.self_attn.";
    for (const auto& [name, size] :
        {std::pair {"q_proj", 16U}, {"k_proj", 8U}, {"v_proj", 8U}, {"o_proj", 16U}})
        writer.tensor(p + name + ".bias", {size});
    writeFile(folder / "a.safetensors", tinyLlamaWeights({}, 1));
    writeFile(folder / "b.safetensors", writer.bytes());
    std::filesystem::remove(folder / "model.safetensors");
    writeFile(folder / "model.safetensors.index.json",
        R"({"weight_map":{"model.norm.weight":"a.safetensors","model.layers.0.self_attn.q_proj.bias":"b.safetensors"}})");
    KAIKOU_OPEN(model, folder);
    QCOMPARE(model.weights.layers[0].kBias.cols, 8U);
    QCOMPARE(model.weights.layers[0].outputBias.cols, 16U);
    writeFile(folder / "config.json", tinyLlamaConfig({}).dump()); // biases the config does not know
    QVERIFY(openCheckpoint(folder).error().code == ErrorCode::TensorUnexpected);
}

KAIKOU_TEST(TstHfWeights)
#include "tst_hf_weights.moc"
