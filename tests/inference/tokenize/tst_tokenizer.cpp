#include "inference/base/utf8.h"
#include "tests/inference/tokenize/golden_case.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

using namespace kaikou;
using namespace kaikou::test;

namespace {

std::shared_ptr<const Tokenizer> goldenTokenizer(const char* name)
{
    const auto path = sourceDir() / "tests/golden/tokenizers" / name / "tokenizer.json";
    auto made = tokenizerFrom(readFile(path));
    return made ? *made : nullptr;
}

std::shared_ptr<const Tokenizer> trainedTokenizer()
{
    auto made = tokenizerFrom(readFile(sourceDir() / "tests/golden/chat/gpt_teacher_tokenizer.json"));
    return made ? *made : nullptr;
}

constexpr EncodeOptions kParse {.addSpecial = false, .parseSpecial = true};

char32_t randomCharacter(std::mt19937& random)
{
    constexpr std::pair<char32_t, char32_t> kRanges[]
        = {{0x20, 0x7E}, {0x09, 0x0D}, {0x80, 0x24F}, {0x300, 0x36F}, {0x600, 0x6FF}, {0x900, 0x97F},
            {0x2000, 0x206F}, {0x3000, 0x303F}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}, {0xFF00, 0xFFEF},
            {0x1F300, 0x1FAFF}, {0x20000, 0x2A6DF}, {0xE000, 0xFFFD}, {0x10FFF0, 0x10FFFF}};
    const auto& [low, high] = kRanges[random() % std::size(kRanges)];
    return low + static_cast<char32_t>(random() % (high - low + 1));
}

std::string randomText(std::mt19937& random)
{
    std::string text;
    for (std::size_t i = random() % 60; i > 0; --i)
        appendUtf8(text, randomCharacter(random));
    return text;
}

} // namespace

class TstTokenizer : public QObject
{
    Q_OBJECT

private slots:
    void trainedTokenizer_facts();
    void trainedTokenizer_golden();
    void byteTokenizer();
    void noTokenizer();
    void specialIdsAreFound();
    void specialStringsAreTextByDefault();
    void roundTrip_data();
    void roundTrip();
    void byteFallbackPieces();
    void invalidUtf8IsReplaced();
    void longTexts_data();
    void longTexts();
    void threadsAgree();
};

// formats.md §3.3
void TstTokenizer::trainedTokenizer_facts()
{
    const auto tokenizer = trainedTokenizer();
    QVERIFY(tokenizer);
    const SpecialIds& special = tokenizer->special();
    QCOMPARE(special.bos, std::optional<TokenId>(0));
    QCOMPARE(special.eos, std::vector<TokenId> {1});
    QCOMPARE(special.pad, std::optional<TokenId>(2));
    QCOMPARE(special.unk, std::optional<TokenId>(3));
    QCOMPARE(tokenizer->info().vocab, 751U);
    QCOMPARE(tokenizer->info().kind, std::string("byte-level BPE"));
    QCOMPARE(tokenizer->encode("abc", kParse), (std::vector<TokenId> {20, 3, 3}));
    QCOMPARE(tokenizer->decode(tokenizer->encode("Hello 世界", kParse), true), std::string("eo 世界"));
    QCOMPARE(tokenizer->encode("?", kParse), std::vector<TokenId> {3});
    QCOMPARE(tokenizer->encode("<eos>x", kParse), (std::vector<TokenId> {1, 3}));
    QCOMPARE(tokenizer->encode("你是谁？", {.addSpecial = true, .parseSpecial = false}).front(), 0U);
    QCOMPARE(tokenizer->encode("你是谁？", {.addSpecial = true, .parseSpecial = false}).back(), 1U);
    QCOMPARE(tokenizer->piece(3), std::string_view("<unk>"));
    QVERIFY(tokenizer->isSpecial(0) && tokenizer->isSpecial(3) && !tokenizer->isSpecial(4));
    QVERIFY(tokenizer->piece(751).empty() && !tokenizer->isSpecial(751));
}

void TstTokenizer::trainedTokenizer_golden()
{
    const auto tokenizer = trainedTokenizer();
    const auto golden
        = JsonDocument::parse(readFile(sourceDir() / "tests/golden/chat/gpt_teacher_prompts.json"));
    QVERIFY(golden.ok());
    int compared = 0;
    for (const JsonValue item : golden->root()["tokenizer"].children()) {
        const std::vector<TokenId> ids = tokenizer->encode(*item["text"].string(), kParse);
        QCOMPARE(ids, idsOf(item["ids"]));
        QCOMPARE(tokenizer->decode(ids, true), std::string(*item["decoded"].string()));
        ++compared;
    }
    QCOMPARE(compared, 41);
}

void TstTokenizer::byteTokenizer()
{
    TokenizerSource source;
    source.kind = TokenizerKind::Bytes;
    const auto made = makeTokenizer(source);
    QVERIFY(made.ok());
    const Tokenizer& tokenizer = **made;
    QCOMPARE(tokenizer.info().vocab, 259U);
    QCOMPARE(tokenizer.encode("é", {}), (std::vector<TokenId> {0xC3, 0xA9}));
    QCOMPARE(tokenizer.encode("A", {.addSpecial = true}), (std::vector<TokenId> {256, 65, 257}));
    QCOMPARE(tokenizer.piece(0xC3), std::string_view("\xC3"));
    const std::vector<TokenId> ids {256, 0xC3, 65, 0xC3, 0xA9, 257, 258, 900};
    QCOMPARE(tokenizer.decode(ids, false), std::string("Aé")); // the broken byte is dropped, not replaced
    QCOMPARE(tokenizer.special().bos, std::optional<TokenId>(256));
    QCOMPARE(tokenizer.special().eos, std::vector<TokenId> {257});
    QCOMPARE(tokenizer.special().pad, std::optional<TokenId>(258));
    QVERIFY(!tokenizer.special().unk);
}

void TstTokenizer::noTokenizer()
{
    const auto made = makeTokenizer({});
    QVERIFY(!made.ok());
    QCOMPARE(made.error().code, ErrorCode::TokenizerMissing);
}

void TstTokenizer::specialIdsAreFound()
{
    const auto llama3 = goldenTokenizer("llama3-ignore_merges-bos");
    QVERIFY(llama3);
    QCOMPARE(llama3->piece(*llama3->special().bos), std::string_view("<|begin_of_text|>"));
    std::vector<std::string> ends;
    for (const TokenId id : llama3->special().eos)
        ends.emplace_back(llama3->piece(id));
    QVERIFY(std::find(ends.begin(), ends.end(), "<|eot_id|>") != ends.end());
    QVERIFY(std::find(ends.begin(), ends.end(), "<|end_of_text|>") != ends.end());

    TokenizerSource source;
    source.kind = TokenizerKind::HfJson;
    source.content = readFile(sourceDir() / "tests/golden/tokenizers/bytelevel-gpt2/tokenizer.json");
    source.special.bos = 0; // as a config.json says it
    source.special.eos = {0};
    const auto configured = makeTokenizer(source);
    QVERIFY(configured.ok());
    QCOMPARE((*configured)->special().bos, std::optional<TokenId>(0));
    QCOMPARE((*configured)->special().eos, std::vector<TokenId> {0}); // found by name too, listed once
}

void TstTokenizer::specialStringsAreTextByDefault()
{
    const auto tokenizer = goldenTokenizer("added-tokens");
    QVERIFY(tokenizer);
    const std::string text = "TAG <|endoftext|>";
    const std::vector<TokenId> parsed = tokenizer->encode(text, kParse);
    const std::vector<TokenId> plain = tokenizer->encode(text, {});
    QCOMPARE(parsed.front(), 400U); // not special: found either way
    QCOMPARE(plain.front(), 400U);
    QCOMPARE(parsed.back(), 0U);
    QCOMPARE(std::count(plain.begin(), plain.end(), 0U), 0);
    QCOMPARE(tokenizer->decode(plain, true), text);
}

void TstTokenizer::roundTrip_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name :
        {"bytelevel-gpt2", "smollm-digits", "llama3-ignore_merges-bos", "split-literal-string"})
        QTest::newRow(name) << name;
}

// A vocabulary with all bytes loses nothing; pieces are the raw bytes; a stream of them is the decoded text.
void TstTokenizer::roundTrip()
{
    QFETCH(QString, name);
    const auto tokenizer = goldenTokenizer(name.toUtf8());
    QVERIFY(tokenizer);
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
        const std::string text = randomText(random);
        const std::vector<TokenId> ids = tokenizer->encode(text, {});
        std::string bytes;
        std::string streamed;
        Utf8Decoder decoder;
        for (const TokenId id : ids) {
            bytes += tokenizer->piece(id);
            streamed += decoder.push(tokenizer->piece(id));
        }
        streamed += decoder.flush();
        QCOMPARE(bytes, text);
        QCOMPARE(streamed, text);
        QCOMPARE(tokenizer->decode(ids, false), text);
        const std::span<const TokenId> half(ids.data(), ids.size() / 2); // may end inside a character
        std::string halfBytes;
        for (const TokenId id : half)
            halfBytes += tokenizer->piece(id);
        QCOMPARE(tokenizer->decode(half, false), toValidUtf8(halfBytes));
    }
}

void TstTokenizer::byteFallbackPieces()
{
    const auto tokenizer = goldenTokenizer("gemma-replace-split-bytefallback");
    QVERIFY(tokenizer);
    QCOMPARE(tokenizer->info().kind, std::string("BPE with byte fallback"));
    const std::string text = "a \xF0\x9D\x94\x98 b"; // U+1D518 is in no vocabulary
    std::string bytes;
    for (const TokenId id : tokenizer->encode(text, {}))
        bytes += tokenizer->piece(id);
    QCOMPARE(bytes, text);
}

void TstTokenizer::invalidUtf8IsReplaced()
{
    const auto tokenizer = goldenTokenizer("bytelevel-gpt2");
    QCOMPARE(tokenizer->encode("a\xFF\xE4\xBD", {}), tokenizer->encode("a\uFFFD\uFFFD", {}));
}

void TstTokenizer::longTexts_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("unit");
    for (const char* name :
        {"bytelevel-gpt2", "llama3-ignore_merges-bos", "gemma-replace-split-bytefallback"}) {
        for (const char* unit : {"a", "字", "🙂", " ", "\n", "ab 12 字。"}) {
            const std::string row = std::string(name) + " " + unit;
            QTest::newRow(row.c_str()) << QString(name) << QByteArray(unit);
        }
    }
}

// One megabyte that a merge by rescanning would need hours for.
void TstTokenizer::longTexts()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, unit);
    const auto tokenizer = goldenTokenizer(name.toUtf8());
    QVERIFY(tokenizer);
    std::string text;
    while (text.size() < (std::size_t {1} << 20))
        text += unit.toStdString();
    const auto start = std::chrono::steady_clock::now();
    const std::vector<TokenId> ids = tokenizer->encode(text, {});
    const auto ms
        = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    qInfo("1 MB: %lld ms, %zu ids", static_cast<long long>(ms.count()), ids.size());
    std::size_t bytes = 0;
    for (const TokenId id : ids)
        bytes += tokenizer->piece(id).size();
    QCOMPARE(bytes, text.size());
    QVERIFY2(ms < std::chrono::seconds(60), "encoding is no longer O(n log n)");
}

void TstTokenizer::threadsAgree()
{
    const auto tokenizer = goldenTokenizer("llama3-ignore_merges-bos");
    std::mt19937 random(3);
    std::string text;
    for (int i = 0; i < 100; ++i)
        text += randomText(random);
    const std::vector<TokenId> expected = tokenizer->encode(text, kParse);
    std::vector<std::vector<TokenId>> results(4);
    {
        std::vector<std::jthread> threads;
        for (std::vector<TokenId>& result : results)
            threads.emplace_back([&] { result = tokenizer->encode(text, kParse); });
    }
    for (const std::vector<TokenId>& result : results)
        QCOMPARE(result, expected);
}

KAIKOU_TEST(TstTokenizer)
#include "tst_tokenizer.moc"
