#include "tests/inference/tokenize/golden_case.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <cctype>

using namespace kaikou;
using namespace kaikou::test;

namespace {

// A tokenizer.json with these parts; empty = null.
std::string fileWith(std::string_view normalizer, std::string_view preTokenizer, std::string_view rest)
{
    std::string text = R"({"added_tokens": [], "normalizer": )";
    text += normalizer.empty() ? "null" : normalizer;
    text += R"(, "pre_tokenizer": )";
    text += preTokenizer.empty() ? "null" : preTokenizer;
    text += R"(, "decoder": {"type": "Fuse"}, )";
    text += rest;
    return text + "}";
}

constexpr std::string_view kModel
    = R"("model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]})";

QString repeated(const char* item, int count)
{
    QStringList list;
    for (int i = 0; i < count; ++i)
        list << item;
    return list.join(',');
}

bool mentions(std::string text, std::string word)
{
    const auto lower = [](std::string& s) {
        std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return std::tolower(c); });
    };
    lower(text);
    lower(word);
    return text.find(word) != std::string::npos;
}

} // namespace

class TstHostile : public QObject
{
    Q_OBJECT

private slots:
    void refused_data();
    void refused();
    void acceptedButBounded_data();
    void acceptedButBounded();
    void sharedFiles();
    void truncatedAnywhere();
};

void TstHostile::refused_data()
{
    QTest::addColumn<QString>("content");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("where"); // the end of the error's place
    QTest::addColumn<QString>("mention");
    const auto row = [](const char* name, const std::string& content, ErrorCode code, const char* where,
                         const char* mention) {
        QTest::newRow(name) << QString::fromStdString(content) << code << where << mention;
    };
    const auto model
        = [](const char* members) { return fileWith({}, {}, std::string(R"("model": )") + members); };
    const std::string good(kModel);
    constexpr ErrorCode kInvalid = ErrorCode::TokenizerInvalid;
    constexpr ErrorCode kUnsupported = ErrorCode::TokenizerUnsupported;
    row("empty", "", kInvalid, "", "JSON");
    row("no model", fileWith({}, {}, R"("x": 1)"), kInvalid, "", "model");
    row("WordLevel", model(R"({"type": "WordLevel", "vocab": {"a": 0}})"), kUnsupported, "/model",
        "WordLevel");
    row("id twice", model(R"({"vocab": {"a": 0, "b": 0}, "merges": []})"), kInvalid, "/model/vocab/b",
        "duplicate");
    row("token twice", model(R"({"vocab": {"a": 0, "a": 1}, "merges": []})"), kInvalid, "", "twice");
    row("id too large", model(R"({"vocab": {"a": 1048576}, "merges": []})"), kInvalid, "/model/vocab/a",
        "1048576");
    row("merge unknown", model(R"({"vocab": {"a": 0}, "merges": ["a zzz"]})"), kInvalid, "/model/merges/0",
        "zzz");
    row("merge result unknown", model(R"({"vocab": {"a": 0, "b": 1}, "merges": [["a", "b"]]})"), kInvalid,
        "/model/merges/0", "ab");
    row("merge of three", model(R"({"vocab": {"a": 0}, "merges": [["a", "a", "a"]]})"), kInvalid,
        "/model/merges/0", "merge");
    row("unk unknown", model(R"({"unk_token": "<unk>", "vocab": {"a": 0}, "merges": []})"), kInvalid,
        "/model/unk_token", "<unk>");
    row("dropout", model(R"({"dropout": 0.1, "vocab": {"a": 0}, "merges": []})"), kUnsupported,
        "/model/dropout", "dropout");
    row("regex",
        fileWith({}, R"({"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated"})", good),
        ErrorCode::TokenizerRegex, "/pre_tokenizer/pattern/Regex", "compile");
    row("class in class", fileWith({}, R"({"type": "Split", "pattern": {"Regex": "[a[b]]"}})", good),
        kUnsupported, "/pre_tokenizer/pattern/Regex", "class");
    row("behaviour",
        fileWith({}, R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "Odd"})", good), kInvalid,
        "/pre_tokenizer", "Odd");
    row("nested pre-tokenizer",
        fileWith({}, R"({"type": "Sequence", "pretokenizers": [{"type": "UnicodeScripts"}]})", good),
        kUnsupported, "/pre_tokenizer/pretokenizers/0", "UnicodeScripts");
    row("normaliser", fileWith(R"({"type": "Precompiled"})", {}, good), kUnsupported, "/normalizer",
        "Precompiled");
    row("normaliser without type", fileWith(R"({"a": 1})", {}, good), kInvalid, "", "type");
    row("flag is text", fileWith(R"({"type": "Strip", "strip_left": "yes"})", {}, good), kInvalid,
        "/normalizer/strip_left", "");
    row("long replacement",
        fileWith(
            R"({"type": "Replace", "pattern": {"String": "a"}, "content": ")" + std::string(100, 'x') + "\"}",
            {}, good),
        kUnsupported, "/normalizer", "100");
    row("too many steps",
        fileWith(R"({"type": "Sequence", "normalizers": [)" + repeated(R"({"type": "NFC"})", 65).toStdString()
                + "]}",
            {}, good),
        kInvalid, "/normalizer/normalizers/64", "64");
    row("added id twice",
        R"({"added_tokens": [{"id": 5, "content": "x"}, {"id": 5, "content": "y"}], )" + good + "}", kInvalid,
        "/added_tokens/1/id", "duplicate");
    row("added id of another", R"({"added_tokens": [{"id": 1, "content": "x"}], )" + good + "}", kInvalid,
        "/added_tokens/0/id", "duplicate");
    row("template",
        fileWith({}, {},
            R"("post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "B"}},
        {"Sequence": {"id": "A"}}]}, )"
                + good),
        kUnsupported, "/post_processor/single/1", "template");
    row("template id",
        fileWith({}, {},
            R"("post_processor": {"type": "TemplateProcessing", "single":
        [{"SpecialToken": {"id": "s"}}, {"Sequence": {"id": "A"}}], "special_tokens": {"s": {"ids": [77]}}}, )"
                + good),
        kInvalid, "/post_processor/special_tokens/s/ids/0", "77");
}

void TstHostile::refused()
{
    QFETCH(QString, content);
    QFETCH(ErrorCode, code);
    QFETCH(QString, where);
    QFETCH(QString, mention);
    const auto made = tokenizerFrom(content.toStdString());
    QVERIFY(!made.ok());
    const QString all = QString::fromStdString(made.error().message + " @ " + made.error().where);
    QVERIFY2(made.error().code == code, qPrintable(all));
    QVERIFY2(made.error().where.starts_with("tokenizer.json"), qPrintable(all));
    QVERIFY2(QString::fromStdString(made.error().where).endsWith(where), qPrintable(all));
    QVERIFY2(all.contains(mention), qPrintable(all));
}

void TstHostile::acceptedButBounded_data()
{
    QTest::addColumn<QString>("content");
    const std::string model(kModel);
    const auto row = [](const char* name, const std::string& content) {
        QTest::newRow(name) << QString::fromStdString(content);
    };
    row("catastrophic regex", fileWith({}, R"({"type": "Split", "pattern": {"Regex": "(a+)+$"}})", model));
    row("catastrophic alternation",
        fileWith({}, R"({"type": "Split", "pattern": {"Regex": "(a|aa)+b"}})", model));
    row("empty pattern",
        fileWith(R"({"type": "Replace", "pattern": {"String": ""}, "content": "xx"})", {}, model));
    row("doubling",
        fileWith(R"({"type": "Sequence", "normalizers": [)"
                + repeated(R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aaaa"})", 40)
                      .toStdString()
                + "]}",
            {}, model));
    row("byte level on byte level",
        fileWith({},
            R"({"type": "Sequence", "pretokenizers": [)"
                + repeated(R"({"type": "ByteLevel", "use_regex": false})", 40).toStdString() + "]}",
            model));
    row("no vocabulary", R"({"model": {"type": "BPE", "vocab": {}, "merges": []}})");
}

void TstHostile::acceptedButBounded()
{
    QFETCH(QString, content);
    const auto made = tokenizerFrom(content.toStdString());
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
    std::string text(100'000, 'a');
    text += "b é 字";
    const std::vector<TokenId> ids = (*made)->encode(text, {.addSpecial = true, .parseSpecial = true});
    QVERIFY(ids.size() < 8'000'000);
    static_cast<void>((*made)->decode(ids, true));
}

// The hf-tok-* files of the hostile goldens with what their manifest expects.
void TstHostile::sharedFiles()
{
    const auto shared = sharedDir();
    if (!shared)
        return; // the rows above hold the same shapes
    const auto root = *shared / "goldens" / "hostile";
    const auto manifest = JsonDocument::parse(readFile(root / "manifest.json"));
    QVERIFY(manifest.ok());
    int seen = 0;
    for (const JsonValue item : manifest->root()["cases"].children()) {
        const std::string name(item.key());
        if (!name.starts_with("hf-tok-"))
            continue;
        ++seen;
        const auto made = tokenizerFrom(readFile(root / name / "tokenizer.json"));
        if (*item["expect"].string() == "error")
            QVERIFY2(!made.ok(), name.c_str());
        if (made.ok()) {
            static_cast<void>((*made)->encode(std::string(100'000, 'a'), {}));
            continue;
        }
        const std::string all = made.error().message + " " + made.error().where;
        for (const JsonValue group : item["must_mention"].children()) {
            bool found = false;
            for (const JsonValue word : group.children())
                found = found || mentions(all, std::string(*word.string()));
            QVERIFY2(found, (name + ": " + all).c_str());
        }
    }
    QVERIFY(seen >= 18);
}

void TstHostile::truncatedAnywhere()
{
    const std::string whole
        = readFile(sourceDir() / "tests/golden/tokenizers/gpt_teacher-missing-bytes-unk/tokenizer.json");
    QVERIFY(tokenizerFrom(whole).ok());
    const std::size_t end = whole.find_last_of('}');
    for (std::size_t length = 0; length < end; length += 7)
        QVERIFY(!tokenizerFrom(whole.substr(0, length)).ok());
}

KAIKOU_TEST(TstHostile)
#include "tst_hostile.moc"
