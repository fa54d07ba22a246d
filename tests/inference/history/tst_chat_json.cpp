#include "inference/history/chat_json.h"
#include "tests/inference/history/sample_document.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace kaikou;
using kaikou::test::sampleDocument;

class TstChatJson : public QObject
{
    Q_OBJECT

private slots:
    void roundTrip();
    void aShortScriptCanReadIt();
    void unknownMembersStay();
    void wrongFiles_data();
    void wrongFiles();
    void hostileFilesEnd();
};

void TstChatJson::roundTrip()
{
    const std::string text = writeChatJson(sampleDocument());
    const auto read = readChatJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
    QCOMPARE(writeChatJson(*read), text);
    QCOMPARE(read->nodes.size(), std::size_t {5});
    QCOMPARE(read->nodes[1].run->seed, 0xFEDCBA9876543210ULL);
    QCOMPARE(read->nodes[3].text, std::string("好\xE4\xBD"));
    QVERIFY(std::isnan(read->nodes[1].tokens[0].logShaped));
    QVERIFY(std::abs(read->nodes[1].tokens[0].logModel - std::log(0.5)) < 1e-7);
    QVERIFY(read->nodes[1].tokens[3].forced);
    QCOMPARE(activePath(*read).size(), std::size_t {4});
    QCOMPARE(activePath(*read).back()->id, std::int64_t {10});
}

// The same by Qt's own reader: names and values as documented.
void TstChatJson::aShortScriptCanReadIt()
{
    const QJsonObject chat
        = QJsonDocument::fromJson(QByteArray::fromStdString(writeChatJson(sampleDocument()))).object();
    QCOMPARE(chat["format"].toString(), QStringLiteral("kaikou-chat"));
    QCOMPARE(chat["version"].toInt(), 1);
    const QJsonArray messages = chat["messages"].toArray();
    QCOMPARE(messages.size(), 5);
    QVERIFY(messages[0]["parent"].isNull());
    QCOMPARE(messages[1]["text"].toString(), QStringLiteral("你,\"好\"!"));
    QCOMPARE(messages[1]["run"]["seed"].toString(), QStringLiteral("18364758544493064720"));
    QCOMPARE(messages[1]["tokens"][0]["top"][1][0].toInt(), 11);
    QCOMPARE(messages[3]["text_hex"].toString(), QStringLiteral("e5a5bde4bd"));
}

void TstChatJson::unknownMembersStay()
{
    const std::string text = R"({"format":"kaikou-chat","version":1,"later":{"a":[1,2.5,"x",null,true]},
        "messages":[{"id":1,"role":"user","text":"q","mood":"happy"},
        {"id":2,"parent":1,"role":"assistant","text":"a","run":{"seed":"5","gpu":"none"}}]})";
    const auto read = readChatJson(text);
    QVERIFY(read.ok());
    QCOMPARE(read->activeLeaf, std::int64_t {2}); // not given: the last message
    const QJsonObject again
        = QJsonDocument::fromJson(QByteArray::fromStdString(writeChatJson(*read))).object();
    QCOMPARE(again["later"]["a"].toArray(), (QJsonArray {1, 2.5, QStringLiteral("x"), QJsonValue(), true}));
    QCOMPARE(again["messages"][0]["mood"].toString(), QStringLiteral("happy"));
    QCOMPARE(again["messages"][1]["run"]["gpu"].toString(), QStringLiteral("none"));
}

void TstChatJson::wrongFiles_data()
{
    QTest::addColumn<QByteArray>("messages");
    QTest::addColumn<QByteArray>("said"); // part of the message
    QTest::newRow("no role") << QByteArray(R"({"id":1,"text":"q"})") << QByteArray("role");
    QTest::newRow("no text") << QByteArray(R"({"id":1,"role":"user"})") << QByteArray("text");
    QTest::newRow("strange role") << QByteArray(R"({"id":1,"role":"cat","text":"q"})") << QByteArray("cat");
    QTest::newRow("id 0") << QByteArray(R"({"id":0,"role":"user","text":"q"})") << QByteArray("id");
    QTest::newRow("two of one id") << QByteArray(
        R"({"id":1,"role":"user","text":"q"},{"id":1,"role":"user","text":"q"})")
                                   << QByteArray("id");
    QTest::newRow("no such parent") << QByteArray(R"({"id":2,"parent":1,"role":"user","text":"q"})")
                                    << QByteArray("parent");
    QTest::newRow("circle") << QByteArray(R"({"id":2,"parent":2,"role":"user","text":"q"})")
                            << QByteArray("parent");
    QTest::newRow("text is a number")
        << QByteArray(R"({"id":1,"role":"user","text":5})") << QByteArray("string");
    QTest::newRow("odd hex") << QByteArray(R"({"id":1,"role":"user","text_hex":"abc"})")
                             << QByteArray("hexa");
    QTest::newRow("no hex") << QByteArray(R"({"id":1,"role":"user","text_hex":"zz"})") << QByteArray("hexa");
    QTest::newRow("token outside") << QByteArray(
        R"({"id":1,"role":"assistant","text":"q","tokens":[{"id":1,"begin":1,"length":18446744073709551615}]})")
                                   << QByteArray("outside");
    QTest::newRow("tokens backwards") << QByteArray(
        R"({"id":1,"role":"assistant","text":"qq","tokens":[{"begin":1,"length":1},{"begin":0,"length":1}]})")
                                      << QByteArray("outside");
    QTest::newRow("seed") << QByteArray(R"({"id":1,"role":"assistant","text":"","run":{"seed":"1x"}})")
                          << QByteArray("seed");
}

void TstChatJson::wrongFiles()
{
    QFETCH(QByteArray, messages);
    QFETCH(QByteArray, said);
    const QByteArray text = R"({"format":"kaikou-chat","version":1,"messages":[)" + messages + "]}";
    const auto read = readChatJson(text.toStdString(), "chat.json");
    QVERIFY(!read.ok());
    QVERIFY2(
        read.error().message.find(said.toStdString()) != std::string::npos, read.error().message.c_str());
}

void TstChatJson::hostileFilesEnd()
{
    QVERIFY(!readChatJson("").ok());
    QVERIFY(!readChatJson("[]").ok());
    QVERIFY(!readChatJson(R"({"format":"other"})").ok());
    const auto later = readChatJson(R"({"format":"kaikou-chat","version":2})");
    QCOMPARE(later.error().code, ErrorCode::FormatVersion);
    QVERIFY(later.error().message.find('2') != std::string::npos);
    QVERIFY(!readChatJson(std::string(100'000, '[')).ok());
    const std::string whole = writeChatJson(sampleDocument());
    for (std::size_t length = 0; length + 1 < whole.size(); length += 7)
        QVERIFY(!readChatJson(std::string_view(whole).substr(0, length)).ok());
}

KAIKOU_TEST(TstChatJson)
#include "tst_chat_json.moc"
