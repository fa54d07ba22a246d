#include "inference/base/json.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

#include <cmath>
#include <limits>

using namespace kaikou;

class TstJson : public QObject
{
    Q_OBJECT

private slots:
    void reads();
    void gettersNameThePlace();
    void refuses_data();
    void refuses();
    void duplicates();
    void limits();
    void writes();
    void numbersComeBack();
};

void TstJson::reads()
{
    const auto document = JsonDocument::parse(
        R"({"name":"\u8bd5\u00e9","list":[1,-2,3.5,true,null],"big":18446744073709551615,"o":{"k":0}})", "f");
    QVERIFY(document.ok());
    const JsonValue root = document->root();
    QCOMPARE(*root["name"].string(), std::string_view("试é"));
    QCOMPARE(root["list"].size(), std::size_t {5});
    std::vector<JsonType> types;
    for (const JsonValue item : root["list"].children())
        types.push_back(item.type());
    QVERIFY((types
        == std::vector {
            JsonType::Integer, JsonType::Integer, JsonType::Real, JsonType::Boolean, JsonType::Null}));
    QCOMPARE(*root["big"].count(), std::numeric_limits<std::uint64_t>::max());
    QVERIFY(!root["big"].integer().ok());
    QVERIFY(root["o"].has("k"));
    QVERIFY(!root["o"].has("q"));
    QVERIFY(root["absent"]["deeper"].isNull());
    QVERIFY(!root["absent"].member("x").ok());
}

void TstJson::gettersNameThePlace()
{
    const auto document = JsonDocument::parse(R"({"a/b":[{"x~":"t"}]})", "dir/c.json");
    const JsonValue list = document->root()["a/b"];
    const JsonValue leaf = (*list.children().begin())["x~"];
    QCOMPARE(leaf.pointer(), std::string("/a~1b/0/x~0"));
    const auto number = leaf.count(ErrorCode::ConfigInvalid);
    QVERIFY(!number.ok());
    QCOMPARE(number.error().where, std::string("dir/c.json/a~1b/0/x~0"));
    QVERIFY(number.error().code == ErrorCode::ConfigInvalid);
    QVERIFY(number.error().message.find("integer") != std::string::npos);
    QVERIFY(document->root().member("gone").error().message.find("gone") != std::string::npos);
}

void TstJson::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("open object") << QByteArray("{\"a\":1");
    QTest::newRow("trailing comma") << QByteArray("[1,]");
    QTest::newRow("NaN") << QByteArray("[NaN]");
    QTest::newRow("too large") << QByteArray("[1e999]");
    QTest::newRow("two values") << QByteArray("1 2");
    QTest::newRow("lone surrogate") << QByteArray("[\"\\ud800\"]");
    QTest::newRow("bad UTF-8") << QByteArray("[\"\xff\"]");
    QTest::newRow("UTF-16") << QByteArray("\xff\xfe{\0}\0", 6);
    QTest::newRow("comment") << QByteArray("[1] // x");
}

void TstJson::refuses()
{
    QFETCH(QByteArray, text);
    const auto document = JsonDocument::parse({text.data(), static_cast<std::size_t>(text.size())}, "f.json");
    QVERIFY(!document.ok());
    QVERIFY(document.error().code == ErrorCode::FormatJson);
    QVERIFY(document.error().where.starts_with("f.json"));
}

void TstJson::duplicates()
{
    constexpr std::string_view kText = R"({"a":{"w":1,"v":2,"w":3}})";
    const auto last = JsonDocument::parse(kText);
    QCOMPARE(*last->root()["a"]["w"].integer(), std::int64_t {3});
    const auto refused = JsonDocument::parse(kText, "f", {1000, 10, true});
    QVERIFY(refused.error().code == ErrorCode::FormatDuplicate);
    QVERIFY(refused.error().message.find("\"w\"") != std::string::npos);
    QCOMPARE(refused.error().where, std::string("f/a"));
}

void TstJson::limits()
{
    QVERIFY(JsonDocument::parse("[[[1]]]", {}, {1000, 3, false}).ok());
    QVERIFY(JsonDocument::parse("[[[[1]]]]", {}, {1000, 3, false}).error().code == ErrorCode::FormatLimit);
    QVERIFY(JsonDocument::parse("[1,2]", {}, {4, 3, false}).error().code == ErrorCode::FormatLimit);
    QVERIFY(!JsonDocument::parse(std::string(1 << 20, '[')).ok());
}

void TstJson::writes()
{
    Json object = Json::object();
    object.set("z", 1).set("a", Json::array().push(true).push(nullptr).push("q\"\n\x01\\")).set("z", -2);
    object.set("bad", std::string("a\xff")).set("none", std::nan("")).set("e", Json::object());
    QCOMPARE(object.dump(),
        std::string("{\"z\":-2,\"a\":[true,null,\"q\\\"\\n\\u0001\\\\\"],\"bad\":\"a\xEF\xBF\xBD\","
                    "\"none\":null,\"e\":{}}"));
    QCOMPARE(Json::array().push(1).push(2U).dump(2), std::string("[\n  1,\n  2\n]"));
}

void TstJson::numbersComeBack()
{
    for (const double value :
        {0.1, -1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789012345680.0, 1e-7, 0.0}) {
        const std::string text = Json(value).dump();
        QCOMPARE(*JsonDocument::parse(text)->root().number(), value);
    }
    QCOMPARE(Json(0.1F).dump(), std::string("0.1"));
    QCOMPARE(Json(std::numeric_limits<std::int64_t>::min()).dump(), std::string("-9223372036854775808"));
    QCOMPARE(Json(std::numeric_limits<std::uint64_t>::max()).dump(), std::string("18446744073709551615"));
}

KAIKOU_TEST(TstJson)
#include "tst_json.moc"
