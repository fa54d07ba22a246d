#include "load_helpers.h"

#include "inference/base/json.h"
#include "inference/load/open_checkpoint.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"
#include "tests/support/tiny_checkpoint.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

class TstTeacher : public QObject
{
    Q_OBJECT

private slots:
    void goldenModel();
    void torchAndSafetensorsAreOne_data();
    void torchAndSafetensorsAreOne();
    void trainedCheckpoint();
    void quantizedIsRefused();
    void distilled();
    void firstGeneration();
    void publishedSizes();
    void fusedRowsAreSplit();
    void openedByItsFolder();
    void tokenizerBeside();
    void byteTokenizer();
    void badConfig_data();
    void badConfig();
    void unexpectedTensors();
    void nonFiniteWeights();
};

static std::filesystem::path golden()
{
    return sourceDir() / "tests/golden/models/gpt_teacher";
}

void TstTeacher::goldenModel()
{
    KAIKOU_OPEN(model, golden() / "out/best.safetensors");
    QCOMPARE(model.name, std::string("best.safetensors"));
    QCOMPARE(model.format, std::string("GPT_teacher safetensors"));
    QCOMPARE(model.architecture, std::string("gpt_teacher"));
    QVERIFY(model.config.family == Family::GptTeacher && model.config.norm == NormKind::TeacherL2);
    QVERIFY(model.config.mlp == MlpKind::SwiGlu);
    QCOMPARE(model.config.layers, 2U);
    QCOMPARE(model.config.width, 64U);
    QCOMPARE(model.config.heads, 4U);
    QCOMPARE(model.config.kvHeads, 2U);
    QCOMPARE(model.config.headSize, 16U);
    QCOMPARE(model.config.feedForward, 192U);
    QCOMPARE(model.config.context, 96U);
    QCOMPARE(model.config.normEps, 1e-6F);
    QVERIFY(model.weights.tied());
    const std::string text = slurp(golden() / "pt.golden.json");
    const auto answers = JsonDocument::parse(text);
    QCOMPARE(std::uint64_t {model.config.vocabRows}, *answers->root()["vocab_size"].count());
    QCOMPARE(model.tokenizer.md5, std::string(*answers->root()["tokenizer_md5_prefix"].string()));
    QVERIFY(model.instructionTuned);
    QVERIFY(model.warnings.empty());
}

void TstTeacher::torchAndSafetensorsAreOne_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("small") << QString::fromStdString(modelPath("gpt_teacher/out").string());
    if (const auto shared = sharedDir())
        QTest::newRow("trained") << QString::fromStdString((*shared / "models/gpt_teacher").string());
}

void TstTeacher::torchAndSafetensorsAreOne()
{
    QFETCH(QString, folder);
    const std::filesystem::path path = folder.toStdString();
    KAIKOU_OPEN(torch, path / "best.pt");
    KAIKOU_OPEN(safetensors, path / "best.safetensors");
    QCOMPARE(torch.format, std::string("GPT_teacher torch"));
    QCOMPARE(torch.fingerprint, safetensors.fingerprint);
    QCOMPARE(torch.parameters, safetensors.parameters);
    QCOMPARE(torch.tokenizer.md5, torch.tokenizer.expectedMd5); // its own fingerprint agrees
    const auto ours = allTensors(torch.weights);
    const auto theirs = allTensors(safetensors.weights);
    QCOMPARE(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
        QVERIFY2(ours[i]->name == theirs[i]->name
                && std::equal(ours[i]->bytes.begin(), ours[i]->bytes.end(), theirs[i]->bytes.begin()),
            ours[i]->name.c_str());
    QVERIFY(torch.weights.tied() && safetensors.weights.tied());
    QVERIFY(torch.warnings.empty() && safetensors.warnings.empty());
}

void TstTeacher::trainedCheckpoint()
{
    if (!sharedDir())
        return;
    KAIKOU_OPEN(model, *sharedDir() / "models/gpt_teacher/best.pt");
    QCOMPARE(model.parameters, std::uint64_t {3143680});
    QCOMPARE(model.config.vocabRows, 751U);
    QCOMPARE(model.config.feedForward, 704U);
    QCOMPARE(model.config.kvHeads, 2U);
    QCOMPARE(model.config.headSize, 64U);
    QCOMPARE(model.config.context, 128U);
    QCOMPARE(model.tokenizer.md5, std::string("10517752ac48"));
}

void TstTeacher::quantizedIsRefused()
{
    if (!sharedDir())
        return;
    const auto opened = openCheckpoint(*sharedDir() / "models/gpt_teacher/quantized.pt");
    QVERIFY(opened.error().code == ErrorCode::FormatUnsupported);
    QVERIFY(shown(opened.error()).contains("packed int8"));
}

// distill_best.pt: cfg holds `model` alone, no fingerprint, vocab_size beside it; the tokenizer is the
// teacher's.
void TstTeacher::distilled()
{
    const auto file = sourceDir() / "tests/golden/load/distill_best.pt";
    KAIKOU_OPEN(alone, file);
    QVERIFY(alone.config.family == Family::GptTeacher && alone.config.mlp == MlpKind::SwiGlu);
    QCOMPARE(alone.config.layers, 1U);
    QCOMPARE(alone.config.width, 8U);
    QCOMPARE(alone.config.kvHeads, 1U);
    QCOMPARE(alone.config.feedForward, 24U);
    QCOMPARE(alone.config.vocabRows, 420U);
    QCOMPARE(alone.config.context, 32U);
    QVERIFY(alone.weights.tied());
    QCOMPARE(valueAt(alone.weights.embedding.bytes, Dtype::F32, 0), double {0.4056396761745207F});
    QCOMPARE(valueAt(alone.weights.layers.at(0).down.bytes, Dtype::F32, 0), double {-0.4064187578468451F});
    QVERIFY(hasWarning(alone.warnings, ErrorCode::TokenizerMissing));

    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary) / "train/checkpoints"; // where that project writes it
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(file, folder / "distill_best.pt");
    std::filesystem::copy_file(golden() / "out/tokenizer.json", pathOf(temporary) / "train/tokenizer.json");
    KAIKOU_OPEN(beside, folder);
    QCOMPARE(beside.name, std::string("distill_best.pt"));
    QCOMPARE(beside.fingerprint, alone.fingerprint);
    QVERIFY(beside.warnings.empty() && !beside.tokenizer.content.empty());
}

void TstTeacher::firstGeneration()
{
    const QTemporaryDir temporary;
    writeTinyFirstTeacher(pathOf(temporary));
    KAIKOU_OPEN(model, pathOf(temporary) / "best.safetensors");
    QCOMPARE(model.architecture, std::string("gpt_teacher (first)"));
    QVERIFY(model.config.family == Family::GptTeacherFirst && model.config.mlp == MlpKind::Silu);
    QCOMPARE(model.config.kvHeads, model.config.heads); // n_kv_head belongs to the other generation
    QCOMPARE(model.config.feedForward, 64U);
    const LayerWeights& layer = model.weights.layers[0];
    QVERIFY(
        layer.gate.empty() && !layer.upBias.empty() && !layer.downBias.empty() && !layer.outputBias.empty());
    QVERIFY(model.warnings.empty());
}

void TstTeacher::publishedSizes() // formats.md, section 3
{
    const QTemporaryDir temporary;
    writeTinyFirstTeacher(pathOf(temporary) / "first", {4, 256, 4, 4, 1024, 824, 128});
    KAIKOU_OPEN(first, pathOf(temporary) / "first/best.safetensors");
    QCOMPARE(first.parameters, std::uint64_t {3368192});
    writeTinyTeacher(pathOf(temporary) / "now", {4, 256, 4, 2, 704, 751, 128});
    KAIKOU_OPEN(now, pathOf(temporary) / "now/best.safetensors");
    QCOMPARE(now.parameters, std::uint64_t {3143680});
}

void TstTeacher::fusedRowsAreSplit()
{
    const QTemporaryDir temporary;
    writeTinyFirstTeacher(pathOf(temporary));
    KAIKOU_OPEN(model, pathOf(temporary) / "best.safetensors");
    const LayerWeights& layer = model.weights.layers[0];
    QCOMPARE(layer.q.rows, 16U);
    QCOMPARE(layer.v.rows, 16U);
    // one buffer: Q, then K, then V, without gaps
    QVERIFY(layer.q.bytes.data() + layer.q.bytes.size() == layer.k.bytes.data());
    QVERIFY(layer.k.bytes.data() + layer.k.bytes.size() == layer.v.bytes.data());
    QVERIFY(layer.qBias.bytes.data() + 16 * 4 == layer.kBias.bytes.data());
    QCOMPARE(layer.vBias.cols, 16U);
}

void TstTeacher::openedByItsFolder()
{
    const QTemporaryDir temporary;
    writeTinyTeacher(pathOf(temporary));
    KAIKOU_OPEN(model, pathOf(temporary));
    QCOMPARE(model.name, std::string("best.safetensors"));
    QCOMPARE(model.architecture, std::string("gpt_teacher"));
}

void TstTeacher::tokenizerBeside()
{
    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary) / "train" / "checkpoints";
    writeTinyTeacher(folder);
    std::filesystem::rename(folder / "tokenizer.json", folder.parent_path() / "tokenizer.json");
    KAIKOU_OPEN(above, folder / "best.safetensors"); // as that project lays it out
    QVERIFY(above.tokenizer.kind == TokenizerKind::HfJson);

    Json config = tinyTeacherConfig({});
    Json side = Json::object();
    side.set("cfg", config).set("fingerprint", Json::object().set("tokenizer_md5", "0123456789ab"));
    writeFile(folder / "best.json", side.dump());
    KAIKOU_OPEN(other, folder / "best.safetensors");
    QCOMPARE(other.tokenizer.expectedMd5, std::string("0123456789ab"));
    QVERIFY(hasWarning(other.warnings, ErrorCode::TokenizerMismatch));

    std::filesystem::remove(folder.parent_path() / "tokenizer.json");
    KAIKOU_OPEN(mute, folder / "best.safetensors");
    QVERIFY(mute.tokenizer.kind == TokenizerKind::None);
    QVERIFY(hasWarning(mute.warnings, ErrorCode::TokenizerMissing));
    const auto replaced = openCheckpoint(folder / "best.safetensors", {folder / "nowhere.json"});
    QVERIFY(replaced.error().code == ErrorCode::TokenizerMissing);
}

void TstTeacher::byteTokenizer()
{
    const QTemporaryDir temporary;
    writeTinyTeacher(pathOf(temporary));
    Json config = tinyTeacherConfig({}).set("tokenizer", Json::object().set("type", "byte"));
    writeFile(pathOf(temporary) / "best.json", config.dump());
    KAIKOU_OPEN(model, pathOf(temporary) / "best.safetensors");
    QVERIFY(model.tokenizer.kind == TokenizerKind::Bytes);
    QCOMPARE(model.tokenizer.special.bos, std::optional<TokenId>(256));
    QCOMPARE(model.tokenizer.special.eos, std::vector<TokenId> {257});
    QCOMPARE(model.tokenizer.special.pad, std::optional<TokenId>(258));
}

void TstTeacher::badConfig_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mention");
    const auto row = [](const char* name, const char* config, ErrorCode code, const char* mention) {
        QTest::newRow(name) << config << static_cast<int>(code) << mention;
    };
    row("absent", nullptr, ErrorCode::ConfigMissing, "best.json");
    row("not JSON", "model: 1", ErrorCode::FormatJson, "best.json");
    row("no model", "{\"tokenizer\":{}}", ErrorCode::ConfigMissing, "n_kv_head");
    row("no heads", R"({"model":{"n_layer":1,"n_embd":16}})", ErrorCode::ConfigMissing, "n_head");
    row("heads do not divide", R"({"model":{"n_layer":1,"n_embd":16,"n_head":3}})", ErrorCode::ConfigInvalid,
        "n_head");
    row("odd heads", R"({"model":{"n_layer":1,"n_embd":16,"n_head":16}})", ErrorCode::ConfigInvalid, "even");
    row("layers of words", R"({"model":{"n_layer":"1","n_embd":16,"n_head":2}})", ErrorCode::ConfigInvalid,
        "n_layer");
    row("wrong width", R"({"model":{"n_layer":1,"n_embd":32,"n_head":2,"n_kv_head":1}})",
        ErrorCode::TensorShape, "tok_emb.weight has shape [260, 16], expected [260, 32]");
    row("absent key heads mean all", R"({"model":{"n_layer":1,"n_embd":16,"n_head":2}})",
        ErrorCode::TensorShape, "attn.wk.weight has shape [8, 16], expected [16, 16]");
    row("too few layers", R"({"model":{"n_layer":2,"n_embd":16,"n_head":2,"n_kv_head":1}})",
        ErrorCode::TensorMissing, "blocks.1.norm1.weight");
}

void TstTeacher::badConfig()
{
    QFETCH(QString, config);
    QFETCH(int, code);
    QFETCH(QString, mention);
    const QTemporaryDir temporary;
    writeTinyTeacher(pathOf(temporary));
    std::filesystem::remove(pathOf(temporary) / "best.json");
    if (!config.isNull())
        writeFile(pathOf(temporary) / "best.json", config.toStdString());
    const auto opened = openCheckpoint(pathOf(temporary) / "best.safetensors");
    QVERIFY(!opened.ok());
    QVERIFY2(shown(opened.error()).contains(mention), qPrintable(shown(opened.error())));
    QCOMPARE(static_cast<int>(opened.error().code), code);
}

void TstTeacher::unexpectedTensors()
{
    const QTemporaryDir temporary;
    writeTinyTeacher(pathOf(temporary), {14, 16, 2, 1, 24, 260, 64});
    writeFile(pathOf(temporary) / "best.json", tinyTeacherConfig({}).dump()); // one layer
    const auto opened = openCheckpoint(pathOf(temporary) / "best.safetensors");
    QVERIFY(opened.error().code == ErrorCode::TensorUnexpected);
    QVERIFY2(
        shown(opened.error()).contains("and 107 more"), qPrintable(shown(opened.error()))); // 13 · 9 - 10
}

void TstTeacher::nonFiniteWeights()
{
    const QTemporaryDir temporary;
    writeTinyTeacher(pathOf(temporary));
    std::string bytes = slurp(pathOf(temporary) / "best.safetensors");
    const float values[] = {std::nanf(""), -std::numeric_limits<float>::infinity()};
    bytes.replace(
        bytes.size() - sizeof values, sizeof values, reinterpret_cast<const char*>(values), sizeof values);
    writeFile(pathOf(temporary) / "best.safetensors", bytes);
    KAIKOU_OPEN(model, pathOf(temporary) / "best.safetensors");
    QCOMPARE(model.warnings.size(), std::size_t {1});
    QVERIFY(model.warnings[0].code == ErrorCode::NonFiniteWeights);
    QCOMPARE(
        model.warnings[0].message, std::string("2 numbers of tensor \"norm.weight\" are NaN or infinite"));
}

KAIKOU_TEST(TstTeacher)
#include "tst_teacher.moc"
