#include "tests/support/test_registry.h"
#include "tests/ui/view/sample_chat.h"
#include "tests/ui/view/transcript_rig.h"
#include "ui/view/message_block.h"
#include "ui/view/theme.h"
#include "ui/view/transcript_view.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

namespace kaikou::test {

// What is laid out, painted and scrolled, and what stands below an answer.
class TstTranscript : public TranscriptRig
{
    Q_OBJECT

private slots:

    void init() { openView(); }

    void cleanup() { closeView(); }

    void streamingLaysOutOnlyTheLastChunk();
    void recolouringLaysOutNothing();
    void paintsOnlyWhatIsVisible();
    void sticksToTheEndOnlyNearIt();
    void correctedHeightsKeepTheTopLine();
    void longChatOpensWithFewLayouts();
    void footerLinksWork();
    void onlyTheLastAnswerOffersItself();
    void emptyStateInvites();
    void widthChangeKeepsThePlace();
};

void TstTranscript::streamingLaysOutOnlyTheLastChunk()
{
    ask();
    const Ticket ticket = nextTicket();
    m_chat->beginReply(ticket, sampleSetup());
    QCoreApplication::processEvents();
    const ReplyScript script = longScript(2000, ticket);
    QList<Token> batch;
    int frames = 0;
    const int before = m_view->counters().layouts;
    for (const Event& event : script.events()) {
        if (const auto* token = std::get_if<Token>(&event))
            batch.append(*token);
        if (batch.size() < 8)
            continue;
        const int start = m_view->counters().layouts;
        m_chat->append(std::exchange(batch, {}));
        QVERIFY(m_view->counters().layouts - start <= 3); // 1, or 3 where a chunk closes
        ++frames;
    }
    QVERIFY(m_view->counters().layouts - before <= frames + frames / 4);
}

void TstTranscript::recolouringLaysOutNothing()
{
    ask();
    play(*m_chat, longScript(1000).finish());
    QTest::qWait(50); // idle measuring is over
    const int layouts = m_view->counters().layouts;
    m_view->setScale(ConfidenceScale(0.6, 0.3));
    m_view->grab();
    m_view->setColoured(false);
    m_view->grab();
    QApplication::setPalette(paletteOf(darkTheme()));
    m_view->grab();
    QApplication::setPalette(paletteOf(lightTheme()));
    QCOMPARE(m_view->counters().layouts, layouts);
}

void TstTranscript::paintsOnlyWhatIsVisible()
{
    for (int i = 0; i < 200; ++i) {
        ask();
        play(*m_chat, attentionScript().finish());
    }
    QCoreApplication::processEvents();
    const int before = m_view->counters().paintedMessages;
    m_view->grab();
    const int painted = m_view->counters().paintedMessages - before;
    QVERIFY2(painted > 1 && painted <= 14, qPrintable(QString::number(painted)));
}

void TstTranscript::sticksToTheEndOnlyNearIt()
{
    ask();
    const Ticket ticket = nextTicket();
    m_chat->beginReply(ticket, sampleSetup());
    const ReplyScript script = longScript(1200, ticket);
    QList<Token> tokens;
    for (const Event& event : script.events()) {
        if (const auto* token = std::get_if<Token>(&event))
            tokens.append(*token);
    }
    auto* pill = m_view->findChild<QPushButton*>();
    m_chat->append(tokens.mid(0, 600));
    QVERIFY(bar()->maximum() > 100);
    QCOMPARE(bar()->value(), bar()->maximum());
    wheel(+1); // the user's scroll wins at once
    const int place = bar()->value();
    QVERIFY(bar()->maximum() - place > 8);
    m_chat->append(tokens.mid(600, 300));
    QCOMPARE(bar()->value(), place);
    QVERIFY(pill->isVisible());
    bar()->setValue(bar()->maximum() - 8);
    QVERIFY(!pill->isVisible());
    m_chat->append(tokens.mid(900));
    QCOMPARE(bar()->value(), bar()->maximum());
    wheel(+2);
    m_chat->addQuestion("the user's own words always show");
    QCOMPARE(bar()->value(), bar()->maximum());
}

// Messages above get their real height while the user looks at the middle: what is on top stays on top.
void TstTranscript::correctedHeightsKeepTheTopLine()
{
    std::vector<quint64> replies;
    for (int i = 0; i < 60; ++i) {
        ask("q");
        replies.push_back(play(*m_chat, longScript(150 + i).finish()));
    }
    m_view->resize(420, 500); // all heights are guesses again
    bar()->setValue(bar()->maximum() / 2);
    QCoreApplication::sendPostedEvents();
    m_view->grab();
    quint64 top = 0;
    for (const quint64 id : replies) {
        if (top == 0 && m_view->messageRect(id).bottom() > 40)
            top = id;
    }
    const int y = m_view->messageRect(top).top();
    QTest::qWait(300); // idle slices measure everything
    QCOMPARE(m_view->messageRect(top).top(), y);
}

void TstTranscript::longChatOpensWithFewLayouts()
{
    m_view->hide();
    for (int i = 0; i < 3000; ++i) {
        m_chat->addQuestion("什么是注意力机制？");
        m_chat->addNote({NoteKind::EarlierTurnsOff, {}});
    }
    m_view->show();
    const int before = m_view->counters().layouts;
    m_view->resize(650, 480);
    m_view->grab();
    QVERIFY(m_view->counters().layouts - before < 100);
    QCOMPARE(bar()->value(), bar()->maximum());
}

void TstTranscript::footerLinksWork()
{
    ask();
    const quint64 id = play(*m_chat, attentionScript().finish());
    SampleParams now = sampleSetup().params;
    now.temperature = 1.5F;
    m_view->setCurrentParams(now);
    m_view->grab();
    QSignalSpy seed(m_view.get(), &TranscriptView::seedClicked);
    QSignalSpy again(m_view.get(), &TranscriptView::regenerateRequested);
    const QRect area = m_view->messageRect(id);
    for (int y = m_view->tokenRect({id, 22}).bottom() + 6; y < area.bottom(); y += 6) {
        for (int x = area.left(); x < area.right(); x += 25)
            clickAt({x, y});
    }
    QVERIFY(seed.count() > 0);
    QCOMPARE(seed[0][0].toULongLong(), sampleSetup().seed);
    QVERIFY(again.count() > 1);
    QCOMPARE(m_view->selectedToken(), (TokenPlace {id, 13})); // 化, 15 %: the lowest
    now.temperature = sampleSetup().params.temperature;
    const int withNote = m_view->messageRect(id).height();
    m_view->setCurrentParams(now);
    QVERIFY(m_view->messageRect(id).height() < withNote);
}

void TstTranscript::onlyTheLastAnswerOffersItself()
{
    const auto offers = [](const QList<FooterPart>& parts) {
        return std::ranges::count_if(parts, [](const FooterPart& part) {
            return part.action == FooterAction::NewDice || part.action == FooterAction::SameDice;
        });
    };
    ask();
    const quint64 id = play(*m_chat, attentionScript().finish());
    const Reply& reply = *m_chat->reply(id);
    QCOMPARE(offers(footerParts(reply, reply.setup.params, false, true)), 1);
    QCOMPARE(offers(footerParts(reply, reply.setup.params, false, false)), 0);
    SampleParams now = reply.setup.params;
    now.temperature = 1.5F;
    QCOMPARE(offers(footerParts(reply, now, false, true)), 2); // same dice, new dice
    QCOMPARE(offers(footerParts(reply, now, false, false)), 0);

    const auto clicks = [this](quint64 message) {
        QSignalSpy again(m_view.get(), &TranscriptView::regenerateRequested);
        m_view->grab();
        const QRect area = m_view->messageRect(message);
        for (int y = area.top() + 4; y < area.bottom(); y += 6) {
            for (int x = area.left(); x < area.right(); x += 25)
                clickAt({x, y});
        }
        return again.count();
    };
    QVERIFY(clicks(id) > 0);
    ask();
    QCOMPARE(clicks(id), 0);
    const quint64 second = play(*m_chat, attentionScript().finish());
    QVERIFY(clicks(second) > 0);
    m_chat->remove(2, 2);
    QVERIFY(clicks(id) > 0);
}

void TstTranscript::emptyStateInvites()
{
    QSignalSpy open(m_view.get(), &TranscriptView::openModelRequested);
    QSignalSpy starter(m_view.get(), &TranscriptView::starterChosen);
    const QPoint middle(m_view->viewport()->width() / 2, m_view->viewport()->height() * 2 / 5);
    m_view->grab();
    clickAt(middle);
    QCOMPARE(open.count(), 1);
    m_view->setInvitation(TranscriptView::Invitation::Ask);
    Starter one;
    one.question = QStringLiteral("one");
    Starter two = one;
    two.question = QStringLiteral("two");
    two.caption = QStringLiteral("shows something");
    m_view->setStarters({one, two});
    m_view->grab();
    for (int x = 0; x < m_view->viewport()->width(); x += 20) {
        for (int y = 0; y < m_view->viewport()->height(); y += 10)
            clickAt({x, y});
    }
    QCOMPARE(open.count(), 1);
    QVERIFY(starter.count() >= 2);
    QCOMPARE(starter.first()[0].toInt(), 0);
    QCOMPARE(starter.last()[0].toInt(), 1);

    // And by the keyboard, spoken as it moves.
    QVERIFY(!m_view->emptyText().contains(QStringLiteral("one")));
    starter.clear();
    QTest::keyClick(m_view.get(), Qt::Key_Home);
    QCOMPARE(m_view->emptyText(), QStringLiteral("one"));
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QTest::keyClick(m_view.get(), Qt::Key_Down);
    QCOMPARE(m_view->emptyText(), QStringLiteral("two — shows something"));
    QTest::keyClick(m_view.get(), Qt::Key_Return);
    QCOMPARE(starter.count(), 1);
    QCOMPARE(starter.first()[0].toInt(), 1);
}

void TstTranscript::widthChangeKeepsThePlace()
{
    for (int i = 0; i < 30; ++i) {
        ask();
        play(*m_chat, longScript(120).finish());
    }
    QCoreApplication::processEvents();
    QCOMPARE(bar()->value(), bar()->maximum());
    m_view->resize(500, 400);
    m_view->grab();
    QCOMPARE(bar()->value(), bar()->maximum()); // at the end before, at the end after
    bar()->setValue(bar()->maximum() / 3);
    m_view->grab();
    const auto topMessage = [&] {
        for (int i = 0; i < m_chat->count(); ++i) {
            if (m_view->messageRect(m_chat->at(i).id).bottom() > 0)
                return i;
        }
        return -1;
    };
    const int before = topMessage();
    m_view->resize(820, 400);
    m_view->grab();
    QVERIFY(std::abs(topMessage() - before) <= 1);
}

} // namespace kaikou::test

using kaikou::test::TstTranscript;
KAIKOU_TEST(TstTranscript)
#include "tst_transcript.moc"
