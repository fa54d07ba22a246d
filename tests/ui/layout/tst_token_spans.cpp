#include "inference/base/utf8.h"
#include "tests/support/test_registry.h"
#include "ui/layout/token_spans.h"

#include <QRandomGenerator>

#include <cmath>

namespace kaikou::test {

class TstTokenSpans : public QObject
{
    Q_OBJECT

private slots:
    void splitCharacterIsOneCluster();
    void severalCharactersAreOneSpan();
    void specialTokenTakesNoBytes();
    void openCharacterIsHeldUntilClosed();
    void heldBackBytesExtendTheLastToken();
    void invalidBytesNeverStopTheText();
    void everySplitOfTextKeepsBytesAndProbability();
};

void TstTokenSpans::splitCharacterIsOneCluster()
{
    TokenSpans spans; // 量 = E9 87 | 8F
    spans.addToken("\xE9\x87", 0.7);
    QVERIFY(spans.text().isEmpty());
    QVERIFY(spans.open());
    spans.addToken("\x8F", 0.5);
    QCOMPARE(spans.text(), QStringLiteral("量"));
    QCOMPARE(spans.clusters().size(), std::size_t {1});
    QCOMPARE(spans.clusters()[0].tokens, 2);
    QCOMPARE(spans.clusters()[0].probability, 0.35);
    QCOMPARE(spans.charsOf(0), (CharRange {0, 1}));
    QCOMPARE(spans.charsOf(1), (CharRange {0, 1}));
}

void TstTokenSpans::severalCharactersAreOneSpan()
{
    TokenSpans spans;
    spans.addToken("注意力机制", 0.9);
    spans.addToken("是", 0.8);
    QCOMPARE(spans.charsOf(0), (CharRange {0, 5}));
    QCOMPARE(spans.charsOf(1), (CharRange {5, 6}));
    QCOMPARE(spans.clusterAt(4), 0);
    QCOMPARE(spans.clusterAt(5), 1);
    QCOMPARE(spans.clusterAt(6), -1);
    QCOMPARE(spans.byteAt(1), std::uint64_t {3});
    QCOMPARE(spans.charAt(15), 5);
}

void TstTokenSpans::specialTokenTakesNoBytes()
{
    TokenSpans spans;
    spans.addToken("好", 0.9);
    spans.addSpecial(QStringLiteral("<eos>"), 0.6);
    QCOMPARE(spans.text(), QStringLiteral("好<eos>"));
    QVERIFY(spans.clusters()[1].special);
    QCOMPARE(spans.byteAt(1), std::uint64_t {3});
    QCOMPARE(spans.byteAt(6), std::uint64_t {3});
    QCOMPARE(spans.charAt(3), 1); // copying all bytes stops before the chip
}

void TstTokenSpans::openCharacterIsHeldUntilClosed()
{
    TokenSpans spans;
    spans.addToken("a\xE9\x87", 0.7);
    QCOMPARE(spans.text(), QStringLiteral("a"));
    spans.close();
    QCOMPARE(spans.text(), QStringLiteral("a\uFFFD"));
    QCOMPARE(spans.clusters()[0].chars, (CharRange {0, 2}));
}

void TstTokenSpans::heldBackBytesExtendTheLastToken()
{
    TokenSpans spans;
    spans.addToken("ab", 0.7);
    spans.extend("cd");
    spans.addToken("e", 0.5);
    QCOMPARE(spans.text(), QStringLiteral("abcde"));
    QCOMPARE(spans.charsOf(0), (CharRange {0, 4}));
}

void TstTokenSpans::invalidBytesNeverStopTheText()
{
    TokenSpans spans;
    spans.addToken("\xFF", 0.5);
    spans.addToken("\x80", 0.5);
    spans.addToken("好\n", 0.5);
    QCOMPARE(spans.text(), QStringLiteral("\uFFFD\uFFFD好\u2028"));
    QCOMPARE(spans.clusters().size(), std::size_t {3});
    QCOMPARE(spans.byteAt(2), std::uint64_t {2});
}

// Cuts a text at random byte positions into tokens: text, order, bytes and Σ log p survive every cut.
void TstTokenSpans::everySplitOfTextKeepsBytesAndProbability()
{
    const std::string text = "温度=0.7，烧脑🙂 é naïve 注意力机制 "
                             "<b>\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x8E\x93完";
    QRandomGenerator random(3);
    for (int round = 0; round < 2000; ++round) {
        TokenSpans spans;
        double logSum = 0.0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size
                = std::min<std::size_t>(1 + random.bounded(round % 7 + 1), text.size() - at);
            const double p = 0.05 + 0.9 * random.generateDouble();
            spans.addToken(std::string_view(text).substr(at, size), p);
            logSum += std::log(p);
            at += size;
        }
        QCOMPARE(spans.text(), QString::fromStdString(text));
        QCOMPARE(spans.byteAt(static_cast<int>(spans.text().size())), text.size());
        double clusterSum = 0.0;
        int token = 0;
        int character = 0;
        for (const Cluster& cluster : spans.clusters()) {
            QCOMPARE(cluster.firstToken, token);
            QCOMPARE(cluster.chars.begin, character);
            const auto begin = spans.byteAt(cluster.chars.begin);
            const auto end = spans.byteAt(cluster.chars.end);
            QVERIFY(isValidUtf8(std::string_view(text).substr(begin, end - begin)));
            token += cluster.tokens;
            character = cluster.chars.end;
            clusterSum += std::log(cluster.probability);
        }
        QCOMPARE(token, spans.tokenCount());
        QVERIFY(std::abs(clusterSum - logSum) <= 1e-9);
    }
}

} // namespace kaikou::test

using kaikou::test::TstTokenSpans;
KAIKOU_TEST(TstTokenSpans)
#include "tst_token_spans.moc"
