#include "tests/inference/tokenize/golden_case.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

// Ids and texts by HF `tokenizers` 0.23.3, for every kind of tokenizer.json that Kaikou reads.
class TstHfGoldens : public QObject
{
    Q_OBJECT

private slots:
    void encodeAndDecode_data();
    void encodeAndDecode();
    void otherModelsAreRefusedByName();
};

void TstHfGoldens::encodeAndDecode_data()
{
    QTest::addColumn<QString>("folder");
    for (const auto& folder : tokenizerFolders()) {
        if (folder.filename() != "unigram-bytefallback")
            QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
    }
}

void TstHfGoldens::encodeAndDecode()
{
    QFETCH(QString, folder);
    const std::filesystem::path path = folder.toStdString();
    const auto made = tokenizerFrom(readFile(path / "tokenizer.json"));
    QVERIFY2(made.ok(), made.ok() ? "" : (made.error().message + " " + made.error().where).c_str());
    const Tokenizer& tokenizer = **made;
    const auto document = JsonDocument::parse(readFile(path / "cases.json"));
    QVERIFY(document.ok());
    int deviations = 0;
    int compared = 0;
    const auto compare
        = [&deviations, &compared](const std::string& what, const auto& ours, const auto& expected) {
              ++compared;
              if (ours == expected)
                  return;
              if (++deviations <= 5)
                  qWarning("%s", what.c_str());
          };
    for (const JsonValue item : document->root()["encode"].children()) {
        const std::string text(*item["text"].string());
        const std::vector<TokenId> expected = idsOf(item["ids"]);
        const std::vector<TokenId> ids = tokenizer.encode(text, {.addSpecial = false, .parseSpecial = true});
        compare(text + "\n  ours " + textOf(ids) + "\n  HF   " + textOf(expected), ids, expected);
        const std::vector<TokenId> full
            = item.has("ids_with_special") ? idsOf(item["ids_with_special"]) : expected;
        compare(text + " with special ids",
            tokenizer.encode(text, {.addSpecial = true, .parseSpecial = true}), full);
    }
    for (const JsonValue item : document->root()["decode"].children()) {
        const std::vector<TokenId> ids = idsOf(item["ids"]);
        const std::string expected(*item["text"].string());
        const std::string text = tokenizer.decode(ids, *item["skip_special_tokens"].boolean());
        compare("decode " + textOf(ids) + "\n  ours " + text + "\n  HF   " + expected, text, expected);
    }
    QVERIFY(compared > 100);
    QCOMPARE(deviations, 0);
}

void TstHfGoldens::otherModelsAreRefusedByName()
{
    const auto made = tokenizerFrom(R"({"model": {"type": "Unigram", "vocab": [["a", 0.0]]}})");
    QVERIFY(!made.ok());
    QCOMPARE(made.error().code, ErrorCode::TokenizerUnsupported);
    QVERIFY(made.error().message.find("Unigram") != std::string::npos);
}

KAIKOU_TEST(TstHfGoldens)
#include "tst_hf_goldens.moc"
