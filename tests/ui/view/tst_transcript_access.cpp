#include "tests/support/test_registry.h"
#include "tests/ui/view/sample_chat.h"
#include "ui/view/transcript_access.h"
#include "ui/view/transcript_view.h"

#include <QAccessible>
#include <QtTest>

namespace kaikou::test {

// What a screen reader gets, and how often it is spoken to. The offscreen platform delivers no accessibility
// events, so their content is asked for directly.
class TstTranscriptAccess : public QObject
{
    Q_OBJECT

private slots:

    void everyMessageIsAChild();
    void streamingSpeaksInSentences();
    void tokenCursorIsSpoken();
    void onlyTheLastAnswerHasAnAction();
    void removedMessagesGo();
};

void TstTranscriptAccess::everyMessageIsAChild()
{
    ChatModel chat;
    TranscriptView view(&chat);
    chat.addQuestion("什么是注意力机制？");
    play(chat, attentionScript().finish());
    chat.addNote({NoteKind::EarlierTurnsOff, {}});
    for (int i = 0; i < 500; ++i)
        chat.addQuestion("more");
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view);
    QVERIFY(list != nullptr);
    QCOMPARE(list->role(), QAccessible::List);
    QCOMPARE(list->childCount(), 503);
    const int layouts = view.counters().layouts;
    for (int i = 0; i < 3; ++i) {
        QAccessibleInterface* item = list->child(i);
        QCOMPARE(item->role(), QAccessible::ListItem);
        QVERIFY(!item->text(QAccessible::Name).isEmpty());
        QCOMPARE(list->indexOfChild(item), i);
        QCOMPARE(item->parent(), list);
        QCOMPARE(list->child(i), item);
    }
    QCOMPARE(view.counters().layouts, layouts); // names and texts need no layout
    QAccessibleInterface* answer = list->child(1);
    QVERIFY(answer->text(QAccessible::Description).contains(QStringLiteral("79")));
    QAccessibleTextInterface* text = answer->textInterface();
    QVERIFY(text != nullptr);
    QCOMPARE(text->text(0, 5), QStringLiteral("注意力机制"));
    QCOMPARE(text->characterCount(),
        static_cast<int>(QString::fromStdString(std::string(chat.at(1).reply.visible())).size()));
}

void TstTranscriptAccess::streamingSpeaksInSentences()
{
    ChatModel chat;
    QStringList spoken;
    QList<int> offsets;
    connect(&chat, &ChatModel::replyGrew, this, [&](int index, int first) {
        const SpokenText now = newSentences(chat.at(index).reply, first);
        if (!now.text.isEmpty()) {
            spoken << now.text;
            offsets << now.offset;
        }
    });
    ReplyScript script(nextTicket());
    script.say("一", 0.9).say("句。", 0.9).say("第二", 0.9).say("句", 0.9).say("！还", 0.9).finish();
    play(chat, script, sampleSetup(), 1);
    QCOMPARE(spoken, QStringList({QStringLiteral("一句。"), QStringLiteral("第二句！")}));
    QCOMPARE(offsets, QList<int>({0, 3}));
}

void TstTranscriptAccess::tokenCursorIsSpoken()
{
    ChatModel chat;
    TranscriptView view(&chat);
    chat.addQuestion("?");
    const quint64 id = play(chat, attentionScript().finish());
    view.selectToken({id, 5});
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view);
    const QString line = list->text(QAccessible::Value);
    QVERIFY2(line.contains(QStringLiteral("在")) && line.contains(QStringLiteral("31")), qPrintable(line));
    QCOMPARE(list->child(1)->textInterface()->cursorPosition(), 11);
    list->child(1)->textInterface()->setCursorPosition(0);
    QCOMPARE(view.selectedToken(), (TokenPlace {id, 0}));
}

void TstTranscriptAccess::onlyTheLastAnswerHasAnAction()
{
    ChatModel chat;
    TranscriptView view(&chat);
    QSignalSpy again(&view, &TranscriptView::regenerateRequested);
    for (int i = 0; i < 2; ++i) {
        chat.addQuestion("?");
        play(chat, attentionScript().finish());
    }
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view);
    for (int i = 0; i < 3; ++i)
        QVERIFY(list->child(i)->actionInterface()->actionNames().isEmpty());
    QAccessibleActionInterface* actions = list->child(3)->actionInterface();
    QCOMPARE(actions->actionNames().size(), 1);
    list->child(1)->actionInterface()->doAction(actions->actionNames().first());
    QCOMPARE(again.count(), 0);
    actions->doAction(actions->actionNames().first());
    QCOMPARE(again.count(), 1);
}

void TstTranscriptAccess::removedMessagesGo()
{
    ChatModel chat;
    TranscriptView view(&chat);
    chat.addQuestion("a");
    chat.addQuestion("b");
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view);
    QVERIFY(list->child(0)->isValid());
    chat.remove(0, 1);
    QCOMPARE(list->childCount(), 1);
    QCOMPARE(list->child(0)->text(QAccessible::Value), QStringLiteral("b"));
    chat.clear();
    QCOMPARE(list->childCount(), 0);
    QVERIFY(list->child(0) == nullptr);
}

} // namespace kaikou::test

using kaikou::test::TstTranscriptAccess;
KAIKOU_TEST(TstTranscriptAccess)
#include "tst_transcript_access.moc"
