#include "tests/support/test_registry.h"
#include "tests/ui/view/desk.h"

#include <QtTest>

using namespace kaikou;
using kaikou::test::Desk;

// What typing costs the thread that the keys arrive on.
class TstTyping : public QObject
{
    Q_OBJECT

private slots:
    void previewsAreMadeElsewhere();
    void previewIsOfWhatWillBeSent();
};

void TstTyping::previewsAreMadeElsewhere()
{
    Desk desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    QTRY_COMPARE(desk.text->elsewhere.load(), 1); // of the empty draft; it waits for its permit
    QString draft;
    for (int i = 0; i < 200; ++i) {
        draft += QLatin1Char('a');
        desk.window.composer()->setDraft(draft);
        QCoreApplication::processEvents();
    }
    QCOMPARE(desk.text->onGuiThread.load(), 0);
    QCOMPARE(desk.text->elsewhere.load(), 1); // 200 keys, and none queued up behind it
    desk.text->permits.release(1000);
    QTRY_VERIFY2(desk.hint().contains(QStringLiteral("200 token")), qPrintable(desk.hint()));
    QVERIFY(desk.text->elsewhere.load() <= 4); // empty draft, what was typed since, the latest
    desk.service->script = {"ok"};
    emit desk.window.composer()->sendRequested(draft);
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    QCOMPARE(desk.text->onGuiThread.load(), 0); // sending previews nothing either
}

void TstTyping::previewIsOfWhatWillBeSent()
{
    Desk desk;
    desk.text->permits.release(1000);
    desk.service->script = {"four"};
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    emit desk.window.composer()->sendRequested(QStringLiteral("one"));
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    QTRY_COMPARE(desk.chat.count(), 2);
    desk.window.composer()->setDraft(QStringLiteral("fives"));
    QTRY_VERIFY2(desk.hint().contains(QStringLiteral("12 token")), qPrintable(desk.hint()));
    const Request previewed = desk.session.requestWith(QStringLiteral("fives"), {});
    QVERIFY(desk.session.ask(QStringLiteral("fives"), {}).ok());
    QTRY_COMPARE(desk.service->requests.size(), 2U);
    QCOMPARE(
        std::get<Turns>(previewed.prompt).turns, std::get<Turns>(desk.service->requests.back().prompt).turns);
}

KAIKOU_TEST(TstTyping)
#include "tst_typing.moc"
