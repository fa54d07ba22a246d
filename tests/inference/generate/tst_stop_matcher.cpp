#include "inference/generate/stop_matcher.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

using namespace kaikou;

namespace {

struct Outcome
{
    std::string text; // the answer
    std::string stop;
    bool released = true; // what was shown never had to be taken back
};

// Feeds the pieces as an engine would: ends at the first match, else flushes.
Outcome feedAll(const StopRule& rule, const std::vector<std::string>& pieces, std::size_t minTokens = 0)
{
    StopMatcher matcher(rule);
    Outcome outcome;
    std::string all;
    std::uint64_t shown = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        all += pieces[i];
        const auto match = matcher.feed(pieces[i], i >= minTokens);
        outcome.released = outcome.released && matcher.releasedTo() >= shown;
        shown = matcher.releasedTo();
        if (match) {
            outcome.text = all.substr(0, match->answerBytes);
            outcome.stop = match->stop;
            return outcome;
        }
    }
    outcome.text = all;
    return outcome;
}

StopRule anywhere(std::vector<std::string> strings)
{
    StopRule rule;
    rule.strings = std::move(strings);
    return rule;
}

// Every way to cut `text` into pieces is a bit mask of its borders.
std::vector<std::string> cut(const std::string& text, std::uint32_t mask)
{
    std::vector<std::string> pieces {std::string()};
    for (std::size_t i = 0; i < text.size(); ++i) {
        pieces.back() += text[i];
        if (i + 1 < text.size() && ((mask >> i) & 1U) != 0)
            pieces.emplace_back();
    }
    return pieces;
}

} // namespace

class TstStopMatcher : public QObject
{
    Q_OBJECT

private slots:
    void matches_data();
    void matches();
    void everySplit_data();
    void everySplit();
    void holdsOnlyWhatCanBecomeAStop();
    void holdsIncompleteCharacters();
    void minimumComesFirst();
    void suffixKeepsAndHoldsNothing();
    void sixteenLongStops();
    void longAnswersStayBounded();
};

void TstStopMatcher::matches_data()
{
    QTest::addColumn<QStringList>("stops");
    QTest::addColumn<QStringList>("pieces");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("stop");
    QTest::newRow("none") << QStringList {"x"} << QStringList {"ab", "c"} << "abc"
                          << "";
    QTest::newRow("inside a token") << QStringList {"b"} << QStringList {"abc"} << "a"
                                    << "b";
    QTest::newRow("over three tokens") << QStringList {"bcd"} << QStringList {"ab", "c", "de"} << "a"
                                       << "bcd";
    QTest::newRow("earliest start wins") << QStringList {"cd", "bcde"} << QStringList {"abcde"} << "a"
                                         << "bcde";
    QTest::newRow("longest at equal start") << QStringList {"ab", "abc"} << QStringList {"xabc"} << "x"
                                            << "abc";
    QTest::newRow("the shorter when it is all there is")
        << QStringList {"abc", "ab"} << QStringList {"xab", "c"} << "x"
        << "ab";
    QTest::newRow("a prefix that fails is text")
        << QStringList {"aab"} << QStringList {"a", "a", "a", "b", "z"} << "a"
        << "aab";
    QTest::newRow("first character") << QStringList {"用户:"} << QStringList {"用户", ":"} << ""
                                     << "用户:";
    QTest::newRow("newline and role")
        << QStringList {"用户:", "\n用户"} << QStringList {"好", "\n", "用户", ":"} << "好"
        << "\n用户";
}

void TstStopMatcher::matches()
{
    QFETCH(QStringList, stops);
    QFETCH(QStringList, pieces);
    StopRule rule;
    for (const QString& stop : stops)
        rule.strings.push_back(stop.toStdString());
    std::vector<std::string> bytes;
    for (const QString& piece : pieces)
        bytes.push_back(piece.toStdString());
    const Outcome outcome = feedAll(rule, bytes);
    QTEST(QString::fromStdString(outcome.text), "text");
    QTEST(QString::fromStdString(outcome.stop), "stop");
    QVERIFY(outcome.released);
}

void TstStopMatcher::everySplit_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("stop");
    QTest::newRow("ascii") << QByteArray("some s") << QByteArray("stop");
    QTest::newRow("repeating") << QByteArray("aaab") << QByteArray("aabaac");
    QTest::newRow("multibyte after multibyte") << QByteArray("好。") << QByteArray("用户");
    QTest::newRow("shares its first bytes with the text")
        << QByteArray("\xE7\x94\xA8\xE6") << QByteArray("\xE7\x94\xA8\xE6\x88\xB7");
    QTest::newRow("role") << QByteArray("水\n") << QByteArray("\n用户");
}

void TstStopMatcher::everySplit()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, stop);
    const std::string text = before.toStdString() + stop.toStdString() + "zz";
    const std::string expected = text.substr(0, text.find(stop.toStdString()));
    for (std::uint32_t mask = 0; mask < (1U << (text.size() - 1)); ++mask) {
        const Outcome outcome = feedAll(anywhere({stop.toStdString(), "never here"}), cut(text, mask));
        if (outcome.text != expected || outcome.stop != stop.toStdString() || !outcome.released)
            QFAIL(qPrintable(QStringLiteral("mask %1 gives %2").arg(mask).arg(outcome.text.c_str())));
    }
}

void TstStopMatcher::holdsOnlyWhatCanBecomeAStop()
{
    StopMatcher matcher(anywhere({"<|end|>"}));
    QVERIFY(!matcher.feed("hello <", true));
    QCOMPARE(matcher.releasedTo(), std::uint64_t {6});
    QVERIFY(!matcher.feed("|e", true));
    QCOMPARE(matcher.releasedTo(), std::uint64_t {6});
    QVERIFY(!matcher.feed("x", true)); // it was none
    QCOMPARE(matcher.releasedTo(), std::uint64_t {10});
    QCOMPARE(matcher.totalBytes(), std::uint64_t {10});
}

void TstStopMatcher::holdsIncompleteCharacters()
{
    StopMatcher matcher(anywhere({}));
    QVERIFY(!matcher.feed("a\xF0\x9F", true));
    QCOMPARE(matcher.releasedTo(), std::uint64_t {1});
    QVERIFY(!matcher.feed("\x98", true));
    QCOMPARE(matcher.releasedTo(), std::uint64_t {1});
    QVERIFY(!matcher.feed("\x80", true));
    QCOMPARE(matcher.releasedTo(), std::uint64_t {5});
    QVERIFY(!matcher.feed("\xFF", true)); // can become nothing: final at once
    QCOMPARE(matcher.releasedTo(), std::uint64_t {6});
    QVERIFY(!matcher.feed("\xE4", true));
    QVERIFY(!matcher.feed("x", true));
    QCOMPARE(matcher.releasedTo(), std::uint64_t {8});
}

void TstStopMatcher::minimumComesFirst()
{
    const Outcome early = feedAll(anywhere({"ab"}), {"ab", "ab", "c", "ab"}, 3);
    QCOMPARE(early.text, std::string("ababc"));
    const Outcome over = feedAll(anywhere({"ab", "abxy"}), {"ab", "x"}, 1); // seen early: text, also later
    QCOMPARE(over.text, std::string("abx"));
    const Outcome spanning = feedAll(anywhere({"abc"}), {"ab", "cd"}, 1); // ends after the minimum: a stop
    QCOMPARE(spanning.stop, std::string("abc"));
    QCOMPARE(spanning.text, std::string());
}

void TstStopMatcher::suffixKeepsAndHoldsNothing()
{
    StopRule rule = anywhere({"。", "；", "用户:"});
    rule.match = StopMatch::Suffix;
    rule.keep = true;
    QCOMPARE(feedAll(rule, {"好", "。"}).text, std::string("好。"));
    QCOMPARE(
        feedAll(rule, {"好。好", "；"}).text, std::string("好。好；")); // only the end of the text counts
    QCOMPARE(feedAll(rule, {"a用", "户", ":"}).stop, std::string("用户:"));
    StopMatcher matcher(rule);
    QVERIFY(!matcher.feed("用户", true));
    QCOMPARE(matcher.releasedTo(), std::uint64_t {6});
    StopRule cutting = anywhere({"END"});
    cutting.match = StopMatch::Suffix;
    QCOMPARE(feedAll(cutting, {"ENDx", "EN", "D"}).text, std::string("ENDx"));
}

void TstStopMatcher::sixteenLongStops()
{
    std::vector<std::string> stops;
    for (int i = 0; i < 16; ++i)
        stops.push_back(std::string(255, 'a') + static_cast<char>('A' + i));
    std::string text(1000, 'a');
    for (std::size_t pieceSize : {1, 3, 64, 255, 256, 300}) {
        std::vector<std::string> pieces;
        const std::string whole = text + "P tail";
        for (std::size_t i = 0; i < whole.size(); i += pieceSize)
            pieces.push_back(whole.substr(i, pieceSize));
        const Outcome outcome = feedAll(anywhere(stops), pieces);
        QCOMPARE(outcome.text.size(), std::size_t {1000 - 255});
        QCOMPARE(outcome.stop, stops[15]);
        QVERIFY(outcome.released);
    }
}

void TstStopMatcher::longAnswersStayBounded()
{
    StopMatcher matcher(anywhere({"never"}));
    for (int i = 0; i < 20000; ++i)
        QVERIFY(!matcher.feed("word ", true));
    QCOMPARE(matcher.totalBytes(), std::uint64_t {100000});
    QCOMPARE(matcher.releasedTo(), std::uint64_t {100000});
    QCOMPARE(matcher.feed("xxnever", true)->answerBytes, std::uint64_t {100002});
}

KAIKOU_TEST(TstStopMatcher)

#include "tst_stop_matcher.moc"
