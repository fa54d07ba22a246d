#include "load_helpers.h"

#include "inference/load/open_checkpoint.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"
#include "tests/support/tiny_checkpoint.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

class TstHf : public QObject
{
    Q_OBJECT

private slots:
    void goldenFolder();
    void otherFormsHoldTheSameWeights_data();
    void otherFormsHoldTheSameWeights();
    void configs_data();
    void configs();
    void tinyFolder();
    void openedByItsFiles();
    void badConfig_data();
    void badConfig();
    void sideFiles();
    void embedded();
    void cancels();
};

static std::filesystem::path golden()
{
    return sourceDir() / "tests/golden/models/llama-gqa-untied/hf";
}

void TstHf::goldenFolder()
{
    KAIKOU_OPEN(model, golden());
    QCOMPARE(model.name, std::string("hf"));
    QCOMPARE(model.architecture, std::string("llama"));
    QVERIFY(model.config.family == Family::Llama && model.config.norm == NormKind::Rms);
    QCOMPARE(model.config.layers, 2U);
    QCOMPARE(model.config.width, 64U);
    QCOMPARE(model.config.heads, 4U);
    QCOMPARE(model.config.kvHeads, 2U);
    QCOMPARE(model.config.headSize, 16U);
    QCOMPARE(model.config.feedForward, 160U);
    QCOMPARE(model.config.vocabRows, 384U);
    QCOMPARE(model.config.context, 128U);
    QCOMPARE(model.config.normEps, 1e-5F);
    QCOMPARE(model.config.rope.base, 10000.0F);
    QVERIFY(model.config.rope.scaling == RopeScaling::None);
    QVERIFY(!model.weights.tied());
    QCOMPARE(model.weights.layers.size(), std::size_t {2});
    QCOMPARE(model.parameters, std::uint64_t {135488}); // total_parameters of the sharded form
    QCOMPARE(model.tokenizer.special.bos, std::optional<TokenId>(379));
    QCOMPARE(model.tokenizer.special.eos, std::vector<TokenId> {380});
    QVERIFY(model.tokenizer.kind == TokenizerKind::HfJson);
    QCOMPARE(model.tokenizer.content, slurp(golden() / "tokenizer.json"));
    QVERIFY(!model.instructionTuned);
    QVERIFY(model.warnings.empty());
    QCOMPARE(model.fingerprint.size(), std::size_t {16});
}

void TstHf::otherFormsHoldTheSameWeights_data()
{
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("format");
    QTest::newRow("single") << "hf"
                            << "Hugging Face folder (safetensors)";
    if (!sharedDir())
        return;
    QTest::newRow("sharded") << "hf-sharded"
                             << "Hugging Face folder (safetensors)";
    QTest::newRow("bin") << "hf-bin"
                         << "Hugging Face folder (torch)";
}

void TstHf::otherFormsHoldTheSameWeights()
{
    QFETCH(QString, form);
    QFETCH(QString, format);
    KAIKOU_OPEN(reference, golden());
    KAIKOU_OPEN(model, modelPath("llama-gqa-untied/" + form.toStdString()));
    QCOMPARE(model.fingerprint, reference.fingerprint);
    QCOMPARE(QString::fromStdString(model.format), format);
    const auto ours = allTensors(model.weights);
    const auto theirs = allTensors(reference.weights);
    QCOMPARE(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        QCOMPARE(ours[i]->name, theirs[i]->name);
        QVERIFY(std::equal(ours[i]->bytes.begin(), ours[i]->bytes.end(), theirs[i]->bytes.begin()));
    }
    QVERIFY(model.warnings.empty());
}

void TstHf::configs_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<Dtype>("dtype");
    QTest::addColumn<RopeScaling>("scaling");
    QTest::addColumn<float>("factor");
    QTest::addColumn<float>("eps");
    QTest::addColumn<bool>("tied");
    QTest::newRow("f32") << "llama-gqa-untied/hf" << Dtype::F32 << RopeScaling::None << 1.0F << 1e-5F
                         << false;
    if (!sharedDir())
        return;
    QTest::newRow("bf16") << "llama-gqa-untied/hf-bf16" << Dtype::BF16 << RopeScaling::None << 1.0F << 1e-5F
                          << false;
    QTest::newRow("f16") << "llama-gqa-untied/hf-f16" << Dtype::F16 << RopeScaling::None << 1.0F << 1e-5F
                         << false;
    QTest::newRow("tied") << "llama-gqa-tied/hf" << Dtype::F32 << RopeScaling::None << 1.0F << 1e-5F << true;
    QTest::newRow("llama3") << "llama3-rope/hf" << Dtype::F32 << RopeScaling::Llama3 << 8.0F << 1e-5F << true;
    QTest::newRow("linear") << "llama-rope-linear/hf" << Dtype::F32 << RopeScaling::Linear << 4.0F << 1e-6F
                            << false;
    QTest::newRow("eps") << "llama-eps/hf" << Dtype::F32 << RopeScaling::None << 1.0F << 0.05F << false;
}

void TstHf::configs()
{
    QFETCH(QString, folder);
    QFETCH(Dtype, dtype);
    QFETCH(RopeScaling, scaling);
    QFETCH(float, factor);
    QFETCH(float, eps);
    QFETCH(bool, tied);
    KAIKOU_OPEN(model, modelPath(folder.toStdString()));
    QVERIFY(model.weights.embedding.dtype == dtype);
    QVERIFY(model.config.rope.scaling == scaling);
    QCOMPARE(model.config.rope.factor, factor);
    QCOMPARE(model.config.normEps, eps);
    QCOMPARE(model.weights.tied(), tied);
    if (scaling == RopeScaling::Llama3) {
        QCOMPARE(model.config.rope.lowFrequencyFactor, 1.0F);
        QCOMPARE(model.config.rope.highFrequencyFactor, 4.0F);
        QCOMPARE(model.config.rope.originalContext, 64.0F);
    }
}

void TstHf::tinyFolder()
{
    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary) / "模型 测试" / "最佳 é😀";
    writeTinyLlama(folder);
    KAIKOU_OPEN(model, folder);
    QCOMPARE(model.name, std::string("最佳 é😀"));
    QVERIFY(model.weights.tied());
    // 260·16 + 16² + 2·8·16 + 16² + 3·24·16 + 3·16
    QCOMPARE(model.parameters, std::uint64_t {6128});
    QVERIFY(model.warnings.empty());
    writeTinyLlama(folder, {}, 2);
    KAIKOU_OPEN(other, folder);
    QVERIFY(other.fingerprint != model.fingerprint);
    writeFile(folder / "config.json", tinyLlamaConfig({}).set("rms_norm_eps", 1e-6).dump());
    KAIKOU_OPEN(changed, folder);
    QVERIFY(changed.fingerprint != other.fingerprint);
}

void TstHf::openedByItsFiles()
{
    const QTemporaryDir temporary;
    writeTinyLlama(pathOf(temporary));
    KAIKOU_OPEN(whole, pathOf(temporary));
    for (const char* file : {"model.safetensors", "config.json", "."}) {
        KAIKOU_OPEN(model, pathOf(temporary) / file);
        QCOMPARE(model.fingerprint, whole.fingerprint);
    }
}

void TstHf::badConfig_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value"); // JSON
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mention");
    const auto row = [](const char* key, const char* value, ErrorCode code, const char* mention) {
        QTest::newRow(qPrintable(QString(key) + ' ' + value))
            << key << value << static_cast<int>(code) << mention;
    };
    row("model_type", "\"qwen3_moe\"", ErrorCode::ArchitectureUnknown, "supported: llama");
    row("model_type", "null", ErrorCode::ConfigMissing, "model_type");
    row("hidden_size", "0", ErrorCode::ConfigInvalid, "hidden_size");
    row("hidden_size", "-16", ErrorCode::ConfigInvalid, "negative");
    row("hidden_size", "1099511627776", ErrorCode::ConfigInvalid, "65536");
    row("hidden_size", "\"16\"", ErrorCode::ConfigInvalid, "integer");
    row("hidden_size", "16.5", ErrorCode::ConfigInvalid, "hidden_size");
    row("hidden_size", "null", ErrorCode::ConfigMissing, "hidden_size");
    row("num_hidden_layers", "513", ErrorCode::ConfigInvalid, "num_hidden_layers");
    row("num_attention_heads", "3", ErrorCode::ConfigInvalid, "num_attention_heads");
    row("num_key_value_heads", "3", ErrorCode::ConfigInvalid, "key/value heads");
    row("head_dim", "7", ErrorCode::ConfigInvalid, "head_dim");
    row("head_dim", "10", ErrorCode::TensorShape,
        "self_attn.q_proj.weight has shape [16, 16], expected [20, 16]");
    row("vocab_size", "999", ErrorCode::TensorShape, "999");
    row("rms_norm_eps", "0", ErrorCode::ConfigInvalid, "rms_norm_eps");
    row("rms_norm_eps", "1e-60", ErrorCode::ConfigInvalid, "rms_norm_eps");
    row("rope_theta", "-1", ErrorCode::ConfigInvalid, "rope_theta");
    row("rope_theta", "1e300", ErrorCode::ConfigInvalid, "rope_theta");
    row("rope_scaling", "{\"type\":\"spiral\",\"factor\":2}", ErrorCode::FormatUnsupported, "spiral");
    row("rope_scaling", "{\"type\":\"linear\"}", ErrorCode::ConfigMissing, "factor");
    row("rope_scaling",
        "{\"rope_type\":\"llama3\",\"factor\":8,\"low_freq_factor\":4,\"high_freq_factor\":1}",
        ErrorCode::ConfigInvalid, "high_freq_factor");
    row("rope_scaling", "7", ErrorCode::ConfigInvalid, "object");
    row("partial_rotary_factor", "0.25", ErrorCode::FormatUnsupported, "partial_rotary_factor");
    row("hidden_act", "\"gelu\"", ErrorCode::FormatUnsupported, "gelu");
    row("mlp_bias", "true", ErrorCode::FormatUnsupported, "mlp_bias");
    row("attention_bias", "true", ErrorCode::TensorMissing, "q_proj.bias");
    row("attention_bias", "1", ErrorCode::ConfigInvalid, "boolean");
    row("quantization_config", "{}", ErrorCode::FormatUnsupported, "quantization_config");
    row("tie_word_embeddings", "false", ErrorCode::TensorMissing, "lm_head.weight");
    row("eos_token_id", "-7", ErrorCode::ConfigInvalid, "negative");
    row("max_position_embeddings", "2000000", ErrorCode::ConfigInvalid, "max_position_embeddings");
}

void TstHf::badConfig()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(int, code);
    QFETCH(QString, mention);
    const QTemporaryDir temporary;
    writeTinyLlama(pathOf(temporary));
    std::string config = tinyLlamaConfig({}).dump();
    config.insert(
        config.size() - 1, ",\"" + key.toStdString() + "\":" + value.toStdString()); // the last one counts
    writeFile(pathOf(temporary) / "config.json", config);
    const auto opened = openCheckpoint(pathOf(temporary));
    QVERIFY(!opened.ok());
    QVERIFY2(shown(opened.error()).contains(mention), qPrintable(shown(opened.error())));
    QVERIFY2(static_cast<int>(opened.error().code) == code, qPrintable(shown(opened.error())));
    QVERIFY(opened.error().where.find(temporary.path().toStdString()) != std::string::npos);
}

void TstHf::sideFiles()
{
    const QTemporaryDir temporary;
    const auto folder = pathOf(temporary);
    writeTinyLlama(folder);
    writeFile(folder / "generation_config.json",
        R"({"eos_token_id":[1,2],"temperature":0.6,"top_p":0.9,"top_k":40,"repetition_penalty":1.1,"min_p":0.05})");
    writeFile(folder / "tokenizer_config.json",
        R"({"eos_token":{"content":"<unk>"},"chat_template":[{"name":"rag","template":"R"},{"name":"default","template":"D"}]})");
    KAIKOU_OPEN(model, folder);
    QCOMPARE(model.tokenizer.special.eos, (std::vector<TokenId> {1, 2}));
    QCOMPARE(model.generation.temperature, std::optional(0.6F));
    QCOMPARE(model.generation.topP, std::optional(0.9F));
    QCOMPARE(model.generation.topK, std::optional(40));
    QCOMPARE(model.generation.repetitionPenalty, std::optional(1.1F));
    QCOMPARE(model.generation.minP, std::optional(0.05F));
    QCOMPARE(model.tokenizer.chatTemplate, std::string("D"));
    QVERIFY(model.instructionTuned);

    writeFile(folder / "chat_template.jinja", "J");
    writeFile(folder / "tokenizer_config.json", R"({"bos_token":"<bos>","eos_token":"<pad>"})");
    writeFile(folder / "generation_config.json", R"({"top_k":1,})"); // not JSON
    writeFile(folder / "config.json",
        tinyLlamaConfig({}).set("bos_token_id", nullptr).set("eos_token_id", nullptr).dump());
    KAIKOU_OPEN(byText, folder);
    QCOMPARE(byText.tokenizer.chatTemplate, std::string("J"));
    QCOMPARE(byText.tokenizer.special.bos, std::optional<TokenId>(0)); // found in tokenizer.json
    QCOMPARE(byText.tokenizer.special.eos, std::vector<TokenId> {2});
    QVERIFY(hasWarning(byText.warnings, ErrorCode::FormatJson));
    QVERIFY(!byText.generation.topK);

    std::filesystem::remove(folder / "tokenizer.json");
    KAIKOU_OPEN(mute, folder);
    QVERIFY(mute.tokenizer.kind == TokenizerKind::None);
    QVERIFY(hasWarning(mute.warnings, ErrorCode::TokenizerMissing));
    writeFile(folder / "other.json", "{}");
    KAIKOU_OPEN(chosen, folder, {folder / "other.json"});
    QCOMPARE(chosen.tokenizer.content, std::string("{}"));
    QVERIFY(openCheckpoint(folder, {folder / "none.json"}).error().code == ErrorCode::TokenizerMissing);
}

void TstHf::embedded()
{
    const std::string config = tinyLlamaConfig({}).dump(), weights = tinyLlamaWeights({}, 1);
    const std::string tokenizer = tinyTokenizerJson();
    const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
    const auto model = openEmbedded({bytes(config), bytes(weights), bytes(tokenizer), {}});
    QVERIFY2(model.ok(), model.ok() ? "" : qPrintable(shown(model.error())));
    const QTemporaryDir temporary;
    writeTinyLlama(pathOf(temporary));
    KAIKOU_OPEN(folder, pathOf(temporary));
    QCOMPARE(model->fingerprint, folder.fingerprint);
    QCOMPARE(model->tokenizer.content, folder.tokenizer.content);
    QVERIFY(model->path.empty());
    QVERIFY(model->instructionTuned);
    QVERIFY(!openEmbedded({bytes(config), {}, bytes(tokenizer), {}}).ok());
}

void TstHf::cancels()
{
    std::vector<double> fractions;
    const auto model = openCheckpoint(golden(), {}, {[&](double f) { fractions.push_back(f); }, {}});
    QVERIFY(model.ok());
    QVERIFY(!fractions.empty() && std::is_sorted(fractions.begin(), fractions.end()));
    QVERIFY(fractions.back() > 0.9 && fractions.back() <= 1.0 && fractions.size() <= 101);
    QVERIFY(openCheckpoint(golden(), {}, {nullptr, stoppedToken()}).error().code == ErrorCode::Cancelled);
}

KAIKOU_TEST(TstHf)
#include "tst_hf.moc"
