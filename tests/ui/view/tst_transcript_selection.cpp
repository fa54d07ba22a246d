#include "tests/support/test_registry.h"
#include "tests/ui/view/sample_chat.h"
#include "tests/ui/view/transcript_rig.h"
#include "ui/view/message_block.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QtTest>

namespace kaikou::test {

// Selected tokens and selected text: by mouse, by keys, and what is copied.
class TstTranscriptSelection : public TranscriptRig
{
    Q_OBJECT

private slots:

    void init() { openView(); }

    void cleanup() { closeView(); }

    void clickSelectsTheTokenUnderIt();
    void keysWalkTheTokens();
    void upAndDownKeepTheColumn();
    void selectionIsTheBytes();
    void tableHasARowPerToken();
    void removalDropsTheSelection();
};

void TstTranscriptSelection::clickSelectsTheTokenUnderIt()
{
    ask();
    const quint64 id = play(*m_chat, attentionScript().finish());
    QSignalSpy selected(m_view.get(), &TranscriptView::tokenSelected);
    for (const int token : {0, 5, 13, 22}) {
        clickAt(m_view->tokenRect({id, token}).center());
        QCOMPARE(m_view->selectedToken(), (TokenPlace {id, token}));
    }
    // 量 is two tokens in one box: the left half is the first, the right half the second.
    const QRect box = m_view->tokenRect({id, 11});
    QCOMPARE(m_view->tokenRect({id, 12}), box);
    clickAt({box.left() + 2, box.center().y()});
    QCOMPARE(m_view->selectedToken().token, 11);
    clickAt({box.right() - 2, box.center().y()});
    QCOMPARE(m_view->selectedToken().token, 12);
    QCOMPARE(selected.count(), 6);
}

void TstTranscriptSelection::keysWalkTheTokens()
{
    ask();
    const quint64 first = play(*m_chat, ReplyScript(nextTicket()).say("甲", 0.9).say("乙", 0.9).finish());
    ask();
    const quint64 second = play(*m_chat, attentionScript().finish());
    QSignalSpy alternatives(m_view.get(), &TranscriptView::alternativesRequested);
    QSignalSpy leave(m_view.get(), &TranscriptView::leaveRequested);
    m_view->activateWindow();
    m_view->clearFocus();
    m_view->setFocus(Qt::ShortcutFocusReason);
    QTRY_COMPARE(m_view->selectedToken(), (TokenPlace {second, 0}));
    for (int token = 1; token < 23; ++token) {
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_view->selectedToken(), (TokenPlace {second, token}));
    }
    QTest::keyClick(m_view.get(), Qt::Key_Right); // nothing follows
    QCOMPARE(m_view->selectedToken().token, 22);
    QTest::keyClick(m_view.get(), Qt::Key_Return);
    QCOMPARE(alternatives.count(), 1);
    QCOMPARE(alternatives[0][1].toInt(), 22);
    QTest::keyClick(m_view.get(), Qt::Key_Home);
    QCOMPARE(m_view->selectedToken().token, 0);
    QTest::keyClick(m_view.get(), Qt::Key_Left); // into the answer before
    QCOMPARE(m_view->selectedToken(), (TokenPlace {first, 1}));
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(m_view->selectedToken().token, -1);
    QCOMPARE(leave.count(), 0);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(leave.count(), 1);
}

void TstTranscriptSelection::upAndDownKeepTheColumn()
{
    ask();
    const quint64 id = play(*m_chat, longScript(300).finish());
    bar()->setValue(0);
    m_view->selectToken({id, 3});
    for (int line = 0; line < 4; ++line) {
        const QRect before = m_view->tokenRect(m_view->selectedToken());
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        const QRect after = m_view->tokenRect(m_view->selectedToken());
        QVERIFY(m_view->selectedToken().token > 3);
        QVERIFY(after.top() > before.top() || bar()->value() > 0);
    }
    for (int line = 0; line < 4; ++line)
        QTest::keyClick(m_view.get(), Qt::Key_Up);
    QVERIFY(m_view->selectedToken().token <= 8);
}

// Drag from a place in the question to a place in the answer; the clipboard holds exactly those bytes.
void TstTranscriptSelection::selectionIsTheBytes()
{
    const quint64 question = m_chat->addQuestion("一二三四");
    const quint64 id = play(*m_chat, attentionScript().finish());
    const QRect bubble = m_view->messageRect(question);
    const QRect to = m_view->tokenRect({id, 11}); // 量
    QWidget* area = m_view->viewport();
    QTest::mousePress(area, Qt::LeftButton, {}, {bubble.left() + 2, bubble.center().y()});
    QTest::mouseMove(area, {to.center().x(), to.center().y()});
    QMouseEvent move(QEvent::MouseMove, QPointF(to.right() - 1, to.center().y()),
        area->mapToGlobal(QPointF(to.center())), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(area, &move);
    QTest::mouseRelease(area, Qt::LeftButton, {}, {to.right() - 1, to.center().y()});
    QCOMPARE(m_view->selectedText(), QStringLiteral("一二三四\n注意力机制是一种让模型在处理序列时，能够量"));
    m_view->copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), m_view->selectedText());
    QTest::keyClick(m_view.get(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(m_view->selectedText().toStdString(), "一二三四\n" + std::string(m_chat->reply(id)->visible()));
    // A double click takes the token.
    QTest::mouseDClick(area, Qt::LeftButton, {}, m_view->tokenRect({id, 0}).center());
    QCOMPARE(m_view->selectedText(), QStringLiteral("注意力机制"));
}

void TstTranscriptSelection::tableHasARowPerToken()
{
    ask();
    const quint64 id = play(*m_chat, attentionScript().finish());
    m_view->selectToken({id, 0});
    m_view->copyWithProbabilities();
    const QStringList rows = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 24);
    const QStringList cells = rows[12].split(u'\t');
    QCOMPARE(cells.size(), rows[0].split(u'\t').size());
    QCOMPARE(cells[3], QStringLiteral("0.7"));
    QCOMPARE(cells.last(), QStringLiteral("e987"));
}

void TstTranscriptSelection::removalDropsTheSelection()
{
    ask();
    const quint64 id = play(*m_chat, attentionScript().finish());
    m_view->selectToken({id, 3});
    QSignalSpy selected(m_view.get(), &TranscriptView::tokenSelected);
    m_chat->remove(1, 1);
    QCOMPARE(m_view->selectedToken().token, -1);
    QCOMPARE(selected.count(), 1);
    m_chat->clear();
    m_view->grab();
    QCOMPARE(bar()->maximum(), 0);
}

} // namespace kaikou::test

using kaikou::test::TstTranscriptSelection;
KAIKOU_TEST(TstTranscriptSelection)
#include "tst_transcript_selection.moc"
