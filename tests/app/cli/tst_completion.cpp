#include "app/cli/completion.h"
#include "tests/support/scripted_service.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::cli;
using namespace kaikou::test;

// What the command line prints of an answer as it streams.
class TstCompletion : public QObject
{
    Q_OBJECT

private slots:
    void printedPartsAreTheVisibleAnswer_data();
    void printedPartsAreTheVisibleAnswer();
    void everyChoiceGetsItsText();
    void refusalsAreErrors();
};

void TstCompletion::printedPartsAreTheVisibleAnswer_data()
{
    QTest::addColumn<QList<QByteArray>>("tokens");
    QTest::addColumn<bool>("teacher");
    QTest::addColumn<QByteArray>("text");
    const QList<QByteArray> lead {"，", "\n。", "", "：答", "，案。"};
    QTest::newRow("teacher") << lead << true << QByteArray("答，案。");
    QTest::newRow("other family") << lead << false << QByteArray("，\n。：答，案。");
    QTest::newRow("only lead") << QList<QByteArray> {"。", "…"} << true << QByteArray();
    QTest::newRow("no characters") << QList<QByteArray> {"\xFF", "a", "\xE5\xAD"} << false
                                   << QByteArray("\uFFFDa\uFFFD");
}

void TstCompletion::printedPartsAreTheVisibleAnswer()
{
    QFETCH(QList<QByteArray>, tokens);
    QFETCH(bool, teacher);
    QFETCH(QByteArray, text);
    ScriptedService service;
    service.can.family = teacher ? Family::GptTeacher : Family::Llama;
    for (const QByteArray& token : tokens)
        service.script.push_back(token.toStdString());
    std::string printed;
    const auto done = complete(service, {}, [&printed](std::string_view part) { printed += part; });
    QVERIFY(done.ok());
    QCOMPARE(printed, text.toStdString());
    QCOMPARE(done->replies.at(0).text, text.toStdString());
    QCOMPARE(done->replies.at(0).tokens.size(), static_cast<std::size_t>(tokens.size())); // all stay
}

void TstCompletion::everyChoiceGetsItsText()
{
    ScriptedService service;
    service.perChoice = {{"一"}, {"二", "三"}};
    Request request;
    request.choices = 2;
    std::string printed;
    const auto done = complete(service, request, [&printed](std::string_view part) { printed += part; });
    QVERIFY(done.ok());
    QCOMPARE(done->replies.at(1).text, std::string("二三"));
    QCOMPARE(printed, std::string("一"));
}

void TstCompletion::refusalsAreErrors()
{
    ScriptedService service;
    service.refuse = Error {ErrorCode::PromptEmpty, "nothing", "prompt"};
    const auto done = complete(service, {});
    QVERIFY(!done.ok());
    QCOMPARE(done.error().code, ErrorCode::PromptEmpty);
}

KAIKOU_TEST(TstCompletion)
#include "tst_completion.moc"
