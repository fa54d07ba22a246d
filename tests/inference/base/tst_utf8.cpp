#include "inference/base/utf8.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

using namespace kaikou;

// Expected texts are what Python 3.11 gives for bytes.decode("utf-8", "replace").
class TstUtf8 : public QObject
{
    Q_OBJECT

private slots:
    void replaces_data();
    void replaces();
    void streamsLikeTheWhole_data();
    void streamsLikeTheWhole();
    void holdsOnlyOpenCharacters();
    void everyCodePoint();
};

static const QByteArray kR = "\xEF\xBF\xBD";

void TstUtf8::replaces_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("validPrefix");
    QTest::newRow("empty") << QByteArray() << QByteArray() << 0;
    QTest::newRow("ascii and 4 bytes")
        << QByteArray("a\xF0\x9F\x98\x80") << QByteArray("a\xF0\x9F\x98\x80") << 5;
    QTest::newRow("lone continuation") << QByteArray("\x80z") << kR + "z" << 0;
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << kR + kR << 0;
    QTest::newRow("overlong three") << QByteArray("\xE0\x80\xAF") << kR + kR + kR << 0;
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << kR + kR + kR << 0;
    QTest::newRow("above 10FFFF") << QByteArray("\xF4\x90\x80\x80") << kR + kR + kR + kR << 0;
    QTest::newRow("F5 lead") << QByteArray("x\xF5\x80") << "x" + kR + kR << 1;
    QTest::newRow("cut in the middle") << QByteArray("\xE4\xBD!") << kR + "!" << 0;
    QTest::newRow("cut four") << QByteArray("\xF0\x9F\x98q") << kR + "q" << 0;
    QTest::newRow("tail") << QByteArray("ok\xE4\xBD") << "ok" + kR << 2;
    QTest::newRow("two tails") << QByteArray("\xE4\xE4\xBD\xA0") << kR + "\xE4\xBD\xA0" << 0;
}

void TstUtf8::replaces()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    QFETCH(int, validPrefix);
    QCOMPARE(QByteArray::fromStdString(toValidUtf8(bytes.toStdString())), text);
    QCOMPARE(static_cast<int>(validPrefixLength(bytes.toStdString())), validPrefix);
}

void TstUtf8::streamsLikeTheWhole_data()
{
    replaces_data();
}

void TstUtf8::streamsLikeTheWhole()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    for (unsigned cuts = 0; cuts < (1U << bytes.size()); ++cuts) { // every way to cut the bytes
        Utf8Decoder decoder;
        std::string got;
        std::string part;
        for (int i = 0; i < bytes.size(); ++i) {
            part += bytes[i];
            if ((cuts >> i) & 1U) {
                got += decoder.push(part);
                part.clear();
            }
        }
        got += decoder.push(part);
        got += decoder.flush();
        QCOMPARE(QByteArray::fromStdString(got), text);
    }
}

void TstUtf8::holdsOnlyOpenCharacters()
{
    Utf8Decoder decoder;
    QCOMPARE(decoder.push("a\xF0\x9F\x98"), std::string("a"));
    QCOMPARE(decoder.held(), std::size_t {3});
    QCOMPARE(decoder.push("\x80"), std::string("\xF0\x9F\x98\x80"));
    QCOMPARE(decoder.push("\xED\xA0"), toValidUtf8("\xED\xA0")); // can become nothing: not held
    QCOMPARE(decoder.held(), std::size_t {0});
    QCOMPARE(decoder.flush(), std::string());
}

void TstUtf8::everyCodePoint()
{
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF)
            continue;
        std::string text;
        appendUtf8(text, c);
        const Utf8Unit unit = firstUtf8Unit(text);
        if (unit.kind != Utf8Unit::Kind::Character || unit.codePoint != c || unit.length != text.size())
            QFAIL(qPrintable(QString::number(c, 16)));
    }
}

KAIKOU_TEST(TstUtf8)
#include "tst_utf8.moc"
