#include "tests/support/fake_service.h"
#include "tests/support/test_registry.h"
#include "ui/model/generation_bridge.h"

#include <QSignalSpy>
#include <QTest>

namespace kaikou::test {

class TstGenerationBridge : public QObject
{
    Q_OBJECT

private slots:
    void floodKeepsOrderAndLosesNothing();
    void tokensComeBeforeTheirEnd();
    void abandonedTicketsAreSilent();
    void secondTicketDoesNotDisturbTheFirst();
    void replacedServiceIsCancelledAndSilent();
    void firstTokenDoesNotWaitForTheTimer();
    void withoutServiceThereIsAnError();
    void goesWhileTheServiceStillSpeaks();
};

namespace {

std::vector<Event> flood(Ticket ticket, int tokens)
{
    ReplyScript script(ticket);
    for (int i = 0; i < tokens; ++i)
        script.say("ab", 0.5, static_cast<TokenId>(i));
    return script.finish().events();
}

Request request()
{
    Request result;
    result.prompt = std::string("x");
    return result;
}

} // namespace

void TstGenerationBridge::floodKeepsOrderAndLosesNothing()
{
    constexpr int kTokens = 100'000;
    const auto service
        = std::make_shared<FakeService>([](Ticket ticket, const Request&) { return flood(ticket, kTokens); });
    GenerationBridge bridge;
    bridge.setService(service);
    QList<int> batches;
    TokenId expected = 0;
    bool ordered = true;
    connect(&bridge, &GenerationBridge::tokensArrived, this, [&](const QList<Token>& tokens) {
        batches.append(static_cast<int>(tokens.size()));
        for (const Token& token : tokens)
            ordered = ordered && token.id == expected++;
    });
    QSignalSpy finished(&bridge, &GenerationBridge::finished);
    QVERIFY(bridge.submit(request()).ok());
    QVERIFY(bridge.busy());
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60'000);
    QVERIFY(ordered);
    QCOMPARE(expected, TokenId {kTokens});
    // One signal per drain: far fewer signals than tokens.
    QVERIFY2(batches.size() < kTokens / 20, qPrintable(QString::number(batches.size())));
    QVERIFY(!bridge.busy());
}

void TstGenerationBridge::tokensComeBeforeTheirEnd()
{
    const auto service = std::make_shared<FakeService>();
    GenerationBridge bridge;
    bridge.setService(service);
    QStringList log;
    connect(&bridge, &GenerationBridge::started, this, [&] { log << QStringLiteral("started"); });
    connect(&bridge, &GenerationBridge::tokensArrived, this,
        [&](const QList<Token>& tokens) { log << QStringLiteral("tokens %1").arg(tokens.size()); });
    connect(&bridge, &GenerationBridge::finished, this, [&] {
        log << QStringLiteral("finished");
        QVERIFY(!bridge.busy()); // a slot may submit the next request
    });
    const auto ticket = bridge.submit(request());
    service->push(ReplyScript(*ticket).say("a", 0.5).say("b", 0.5).say("c", 0.5).finish());
    bridge.drain();
    QCOMPARE(log,
        QStringList({QStringLiteral("started"), QStringLiteral("tokens 3"), QStringLiteral("finished")}));
}

void TstGenerationBridge::abandonedTicketsAreSilent()
{
    const auto service = std::make_shared<FakeService>();
    GenerationBridge bridge;
    bridge.setService(service);
    QSignalSpy tokens(&bridge, &GenerationBridge::tokensArrived);
    QSignalSpy finished(&bridge, &GenerationBridge::finished);
    const auto old = bridge.submit(request());
    bridge.abandon(*old);
    QCOMPARE(service->cancelled, std::vector<Ticket> {*old});
    QVERIFY(!bridge.busy());
    const auto fresh = bridge.submit(request());
    service->push(ReplyScript(*old).say("late", 0.5).finish(FinishReason::Cancelled));
    service->push(ReplyScript(*fresh).say("new", 0.5).finish());
    bridge.drain();
    QCOMPARE(tokens.count(), 1);
    const auto batch = tokens[0][0].value<QList<Token>>();
    QCOMPARE(batch.size(), 1);
    QCOMPARE(batch[0].bytes, std::string("new"));
    QCOMPARE(finished.count(), 1);
    service->push(ReplyScript(*fresh).say("after the end", 0.5));
    bridge.drain();
    QCOMPARE(tokens.count(), 1);
}

void TstGenerationBridge::secondTicketDoesNotDisturbTheFirst()
{
    const auto service = std::make_shared<FakeService>();
    GenerationBridge bridge;
    bridge.setService(service);
    QSignalSpy busy(&bridge, &GenerationBridge::busyChanged);
    QSignalSpy failed(&bridge, &GenerationBridge::failed);
    QSignalSpy finished(&bridge, &GenerationBridge::finished);
    const auto first = bridge.submit(request());
    const auto second = bridge.submit(request());
    service->push(ReplyScript(*second).say("x", 0.5).fail(ErrorCode::NonFiniteLogits));
    bridge.drain();
    QCOMPARE(failed.count(), 1);
    QVERIFY(bridge.busy(*first));
    QVERIFY(!bridge.busy(*second));
    // A ticket of several choices is over with the last of them.
    service->push(ReplyScript(*first, 0).say("y", 0.5).finish(FinishReason::Eos, 1));
    bridge.drain();
    QVERIFY(bridge.busy(*first));
    service->push(ReplyScript(*first, 1).say("z", 0.5).finish(FinishReason::Eos, 0));
    bridge.drain();
    QCOMPARE(finished.count(), 2);
    QCOMPARE(busy.count(), 2); // on once, off once
}

void TstGenerationBridge::replacedServiceIsCancelledAndSilent()
{
    const auto service = std::make_shared<FakeService>();
    GenerationBridge bridge;
    bridge.setService(service);
    QSignalSpy tokens(&bridge, &GenerationBridge::tokensArrived);
    const auto ticket = bridge.submit(request());
    bridge.setService(std::make_shared<FakeService>());
    QCOMPARE(service->cancelled, std::vector<Ticket> {*ticket});
    service->push(ReplyScript(*ticket).say("late", 0.5).finish());
    QTest::qWait(60);
    QCOMPARE(tokens.count(), 0);
}

void TstGenerationBridge::firstTokenDoesNotWaitForTheTimer()
{
    const auto service = std::make_shared<FakeService>();
    GenerationBridge bridge;
    bridge.setService(service);
    QSignalSpy tokens(&bridge, &GenerationBridge::tokensArrived);
    const auto ticket = bridge.submit(request());
    bridge.drain(); // a frame begins now
    service->push(ReplyScript(*ticket).say("a", 0.5));
    QCoreApplication::processEvents(); // the wake-up alone, no timer
    QCOMPARE(tokens.count(), 1);
    service->queueOf(*ticket).push(ReplyScript(*ticket).say("b", 0.5).events().back());
    QTRY_COMPARE(tokens.count(), 2); // later ones come with the next frame
}

void TstGenerationBridge::withoutServiceThereIsAnError()
{
    GenerationBridge bridge;
    QCOMPARE(bridge.submit(request()).error().code, ErrorCode::DeviceUnavailable);
    const auto service = std::make_shared<FakeService>();
    service->refuse = Error {ErrorCode::PromptTooLong, "too long", {}};
    bridge.setService(service);
    QCOMPARE(bridge.submit(request()).error().code, ErrorCode::PromptTooLong);
    QVERIFY(!bridge.busy());
}

void TstGenerationBridge::goesWhileTheServiceStillSpeaks()
{
    for (int round = 0; round < 20; ++round) {
        const auto service = std::make_shared<FakeService>(
            [](Ticket ticket, const Request&) { return flood(ticket, 2000); });
        GenerationBridge bridge;
        bridge.setService(service);
        QVERIFY(bridge.submit(request()).ok());
        QCoreApplication::processEvents();
    }
    QCoreApplication::processEvents(); // wake-ups of bridges that are gone find nobody
}

} // namespace kaikou::test

using kaikou::test::TstGenerationBridge;
KAIKOU_TEST(TstGenerationBridge)
#include "tst_generation_bridge.moc"
