#include "tests/support/test_registry.h"
#include "tests/ui/view/desk.h"
#include "ui/view/chat_list.h"
#include "ui/view/consistency_view.h"
#include "ui/view/error_banner.h"
#include "ui/view/inspector_panel.h"
#include "ui/view/transcript_view.h"

#include <QAction>
#include <QListView>
#include <QPlainTextEdit>
#include <QTreeView>
#include <QtTest>

using namespace kaikou;
using kaikou::test::Desk;

namespace {

QStringList texts(const ChatModel& chat)
{
    QStringList result;
    for (int i = 0; i < chat.count(); ++i) {
        const Message& message = chat.at(i);
        if (message.kind == MessageKind::Question)
            result += QString::fromStdString(message.text);
        else if (message.kind == MessageKind::Answer)
            result += QString::fromStdString(message.reply.answer());
    }
    return result;
}

// A desk that is shown and ready, with keys going to the field.
struct Shown : Desk
{
    Shown()
    {
        text->permits.release(100000);
        window.resize(1300, 800);
        window.show();
        window.activateWindow();
    }

    [[nodiscard]] QPlainTextEdit* field() { return window.composer()->findChild<QPlainTextEdit*>(); }

    void key(int code, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target ? target : &window, static_cast<Qt::Key>(code), modifiers);
    }

    // KAIKOU_SHOTS=folder keeps pictures to look at.
    void shot(const QString& name)
    {
        if (const QString to = qEnvironmentVariable("KAIKOU_SHOTS"); !to.isEmpty())
            window.grab().save(to + QLatin1Char('/') + name + QStringLiteral(".png"));
    }

    // Types and sends with the keyboard; the answer is `words`.
    void say(const QString& question, std::vector<std::string> words)
    {
        service->script = std::move(words);
        QSignalSpy ended(&session, &ChatSession::replyEnded);
        field()->insertPlainText(question);
        key(Qt::Key_Return);
        QTRY_COMPARE(ended.count(), 1);
    }
};

} // namespace

// Chats and branches by keyboard, through the real window.
class TstWindowChats : public QObject
{
    Q_OBJECT

private slots:
    void editMakesASibling();
    void escapeLeavesTheMessage();
    void variantsByKeyboard();
    void anotherTokenMakesAVariant();
    void otherModelsTokensAreRefused();
    void sampleOpensAsAVariant();
    void chatsAndDrafts();
    void temporaryIsMarked();
    void searchIsOneKeyAway();
    void unsavedChatsAreSaid();
};

void TstWindowChats::editMakesASibling()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.say(QStringLiteral("一"), {"甲"});
    desk.key(Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(desk.window.composer()->draft(), QStringLiteral("一"));
    QVERIFY(!desk.window.composer()->mode().isEmpty());
    desk.shot(QStringLiteral("editing"));
    desk.say(QStringLiteral("加"), {"乙"});
    QVERIFY(desk.window.composer()->mode().isEmpty());
    QCOMPARE(texts(desk.chat).back(), QStringLiteral("乙"));
    QCOMPARE(desk.chat.at(0).variants, 2);
    desk.shot(QStringLiteral("edited"));
}

void TstWindowChats::escapeLeavesTheMessage()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.say(QStringLiteral("一"), {"甲"});
    desk.field()->insertPlainText(QStringLiteral("草稿"));
    desk.window.action(ActionId::EditLast)->trigger();
    QCOMPARE(desk.window.composer()->draft(), QStringLiteral("一"));
    desk.key(Qt::Key_Escape);
    QCOMPARE(desk.window.composer()->draft(), QStringLiteral("草稿"));
    QVERIFY(desk.window.composer()->mode().isEmpty());
    QCOMPARE(desk.chat.at(0).variants, 1);
}

void TstWindowChats::variantsByKeyboard()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.say(QStringLiteral("一"), {"甲"});
    desk.service->script = {"乙"};
    desk.key(Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE(texts(desk.chat).back(), QStringLiteral("乙"));
    QTRY_VERIFY(!desk.session.replying());
    desk.key(Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(texts(desk.chat).back(), QStringLiteral("甲"));
    desk.key(Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(texts(desk.chat).back(), QStringLiteral("乙"));
}

void TstWindowChats::anotherTokenMakesAVariant()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.say(QStringLiteral("数"), {"一", "二"});
    desk.window.inspectLast(1);
    desk.service->script = {"。"};
    emit desk.window.inspector()->alternativeChosen(7);
    QTRY_COMPARE(desk.service->requests.size(), 2U);
    QCOMPARE(desk.service->requests.back().said.size(), 2U);
    QCOMPARE(desk.service->requests.back().said.back(), TokenId {7});
    QTRY_VERIFY(!desk.session.replying());
    QCOMPARE(desk.chat.at(1).variants, 2);
}

void TstWindowChats::otherModelsTokensAreRefused()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.say(QStringLiteral("数"), {"一", "二"});
    desk.window.inspectLast(1);
    desk.service->can.fingerprint = "another";
    emit desk.window.inspector()->alternativeChosen(7);
    QCOMPARE(desk.service->requests.size(), 1U);
    QVERIFY(desk.window.banner()->isVisible());
}

void TstWindowChats::sampleOpensAsAVariant()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.say(QStringLiteral("问"), {"甲"});
    desk.service->perChoice = {{"乙"}, {"乙"}, {"丙"}};
    desk.window.consistency()->setSamples(3);
    desk.window.action(ActionId::Consistency)->trigger();
    auto* tree = desk.window.consistency()->findChild<QTreeView*>();
    QTRY_COMPARE(tree->model()->rowCount(), 2);
    const std::uint64_t seed = desk.service->requests.back().seed;
    emit tree->activated(tree->model()->index(1, 0)); // a group of one
    QCOMPARE(texts(desk.chat), (QStringList {QStringLiteral("问"), QStringLiteral("丙")}));
    QCOMPARE(desk.chat.at(1).variants, 2);
    QCOMPARE(desk.chat.at(1).reply.setup.seed, seed + 2);
    QCOMPARE(desk.chat.at(1).reply.tokens.size(), std::size_t {1});
    desk.keeper.flush();
    const qint64 chat = desk.keeper.current();
    desk.window.action(ActionId::NewChat)->trigger();
    emit desk.window.chats()->openRequested(chat);
    QTRY_COMPARE(texts(desk.chat), (QStringList {QStringLiteral("问"), QStringLiteral("丙")}));
    QCOMPARE(desk.chat.at(1).reply.tokens.size(), std::size_t {1}); // with its tokens
}

void TstWindowChats::chatsAndDrafts()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.say(QStringLiteral("一"), {"甲"});
    const qint64 first = desk.keeper.current();
    desk.field()->insertPlainText(QStringLiteral("没写完"));
    desk.key(Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(desk.chat.count(), 0);
    QCOMPARE(desk.window.composer()->draft(), QString());
    desk.say(QStringLiteral("二"), {"乙"});
    QTRY_COMPARE(desk.window.chats()->model()->rowCount(), 2);
    emit desk.window.chats()->openRequested(first);
    QTRY_COMPARE(texts(desk.chat), (QStringList {QStringLiteral("一"), QStringLiteral("甲")}));
    QTRY_COMPARE(desk.window.composer()->draft(), QStringLiteral("没写完"));
}

void TstWindowChats::temporaryIsMarked()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.window.action(ActionId::NewTemporaryChat)->trigger();
    QVERIFY(!desk.window.composer()->mode().isEmpty());
    desk.say(QStringLiteral("一"), {"甲"});
    QCOMPARE(desk.keeper.current(), 0);
    QVERIFY(!desk.window.composer()->mode().isEmpty());
    desk.shot(QStringLiteral("temporary"));
    desk.window.action(ActionId::NewChat)->trigger();
    QVERIFY(desk.window.composer()->mode().isEmpty());
}

void TstWindowChats::searchIsOneKeyAway()
{
    Shown desk;
    QTRY_COMPARE(desk.window.composer()->state(), Composer::State::Ready);
    desk.field()->insertPlainText(QStringLiteral("留着")); // Ctrl+K of text fields must not delete it
    desk.field()->moveCursor(QTextCursor::Start);
    desk.key(Qt::Key_K, Qt::ControlModifier);
    QCOMPARE(desk.window.composer()->draft(), QStringLiteral("留着"));
    QVERIFY(desk.window.chats()->isAncestorOf(QApplication::focusWidget()));
}

void TstWindowChats::unsavedChatsAreSaid()
{
    Shown desk;
    SavingState state;
    state.saved = false;
    state.cause = StoreCause::DiskFull;
    state.waiting = 2;
    emit desk.store.savingChanged(state);
    QVERIFY(desk.window.savingBanner()->isVisible());
    QVERIFY(desk.window.savingBanner()->title().contains(QStringLiteral("disk")));
    desk.shot(QStringLiteral("unsaved"));
    emit desk.store.savingChanged({});
    QVERIFY(!desk.window.savingBanner()->isVisible());
}

KAIKOU_TEST(TstWindowChats)
#include "tst_window_chats.moc"
