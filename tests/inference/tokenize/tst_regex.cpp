#include "inference/tokenize/pieces.h"
#include "inference/tokenize/regex.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

using namespace kaikou;

// What Split(Regex, Isolated) of HF `tokenizers` 0.23.3 (Oniguruma) makes of small texts.
class TstRegex : public QObject
{
    Q_OBJECT

private slots:
    void isolated_data();
    void isolated();
    void literalIsNoPattern();
};

void TstRegex::isolated_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("pieces");
    using List = QStringList;
    QTest::newRow("white space") << R"(\s+)" << QString("a\u180eb\u0085c\u3000d\u200be")
                                 << List {"a\u180eb", "\u0085", "c", "\u3000", "d\u200be"};
    QTest::newRow("no white space") << R"(\S+)" << QString("a\u180e b\u0085c")
                                    << List {"a\u180e", " ", "b", "\u0085", "c"};
    QTest::newRow("word") << R"(\w+)" << QString("e\u0301_x\u203fy \u0663\u2167\u00bd a\u200db")
                          << List {"e\u0301_x\u203fy", " ", "\u0663\u2167\u00bd", " ", "a", "\u200d", "b"};
    QTest::newRow("no word") << R"(\W)" << QString("a e\u0301!") << List {"a", " ", "e\u0301", "!"};
    QTest::newRow("word in class") << R"([\w]+)" << QString("a_b\u0301-c") << List {"a_b\u0301", "-", "c"};
    QTest::newRow("hex digits") << R"(\h+)" << QString("xyz1fG") << List {"xyz", "1f", "G"};
    QTest::newRow("long s") << R"((?i:'s))" << QString("it'S it'\u017f")
                            << List {"it", "'S", " it", "'\u017f"};
    QTest::newRow("end of line") << R"(b$)" << QString("ab\nab") << List {"a", "b", "\na", "b"};
    QTest::newRow("begin of line") << R"(^a)" << QString("a\na\n") << List {"a", "\n", "a", "\n"};
    QTest::newRow("dot") << R"(a.b)" << QString("a\nb a字b") << List {"a\nb ", "a字b"};
    QTest::newRow("empty matches") << R"(x*)" << QString("axb") << List {"a", "x", "b"};
    QTest::newRow("look ahead") << R"((?=b))" << QString("abab") << List {"a", "ba", "b"};
    QTest::newRow("code point") << R"(\u4e2d+)" << QString("中中国") << List {"中中", "国"};
    QTest::newRow("digits") << R"(\d+)" << QString("1\u0663\u00bd") << List {"1\u0663", "\u00bd"};
    QTest::newRow("script") << R"(\p{Han}+)" << QString("汉字かな") << List {"汉字", "かな"};
}

void TstRegex::isolated()
{
    QFETCH(QString, pattern);
    QFETCH(QString, text);
    QFETCH(QStringList, pieces);
    const auto regex = Regex::compile(pattern.toStdString());
    QVERIFY2(regex.ok(), regex.ok() ? "" : regex.error().message.c_str());
    const std::string bytes = text.toStdString();
    QStringList found;
    for (const ByteRange& range :
        applyBehavior(splitParts(bytes, regex->findAll(bytes)), SplitBehavior::Isolated))
        found << QString::fromStdString(bytes.substr(range.begin, range.end - range.begin));
    QCOMPARE(found, pieces);
}

void TstRegex::literalIsNoPattern()
{
    const auto regex = Regex::literal(R"(\s+(?!\S))");
    QVERIFY(regex.ok());
    QVERIFY(regex->findAll("a  b").empty());
    QCOMPARE(regex->replaceAll(R"(x\s+(?!\S)y)", "-"), std::string("x-y"));
}

KAIKOU_TEST(TstRegex)
#include "tst_regex.moc"
