#include "tests/support/test_registry.h"
#include "ui/view/composer.h"
#include "ui/view/theme.h"

#include <QInputMethodEvent>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

namespace kaikou::test {

class TstComposer : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void cleanup() { m_composer.reset(); }

    void returnInACompositionNeverSends();
    void buttonWaitsForTheCommit();
    void shortcutsBelongToTheComposition();
    void enterSendsAndShiftEnterBreaks();
    void enterWhileGeneratingKeepsTheDraft();
    void withoutModelTheButtonOpensOne();
    void loadingQueuesAndWithdraws();
    void blankTextIsNotSent();
    void growsToSixLines();
    void hugePasteBecomesAnAttachment();
    void upBringsBackWhatWasSent();
    void cursorRectangleFollowsTheText();

private:
    void compose(const QString& preedit, const QString& commit = {});

    std::unique_ptr<Composer> m_composer;
    QPlainTextEdit* m_edit = nullptr;
    QPushButton* m_button = nullptr;
    std::unique_ptr<QSignalSpy> m_sent;
};

void TstComposer::init()
{
    m_composer = std::make_unique<Composer>();
    m_composer->setFont(textFont()); // one font for Latin and Chinese: lines of one height
    m_composer->resize(600, 140);
    m_composer->show();
    m_composer->setState(Composer::State::Ready);
    m_edit = m_composer->findChild<QPlainTextEdit*>();
    for (QPushButton* button : m_composer->findChildren<QPushButton*>())
        m_button = button->property("role").toString() == QStringLiteral("primary") ? button : m_button;
    QVERIFY(m_edit != nullptr && m_button != nullptr);
    m_sent = std::make_unique<QSignalSpy>(m_composer.get(), &Composer::sendRequested);
}

void TstComposer::compose(const QString& preedit, const QString& commit)
{
    QInputMethodEvent event(preedit, {});
    event.setCommitString(commit);
    QCoreApplication::sendEvent(m_edit, &event);
}

void TstComposer::returnInACompositionNeverSends()
{
    compose(QStringLiteral("ni hao"));
    QVERIFY(m_composer->composing());
    QTest::keyClick(m_edit, Qt::Key_Return);
    QCOMPARE(m_sent->count(), 0);
    compose({}, QStringLiteral("你好"));
    QCOMPARE(m_sent->count(), 0);
    QCOMPARE(m_composer->draft(), QStringLiteral("你好"));
    QTest::keyClick(m_edit, Qt::Key_Return);
    QCOMPARE(m_sent->count(), 1);
    QCOMPARE((*m_sent)[0][0].toString(), QStringLiteral("你好"));
    QVERIFY(m_composer->draft().isEmpty());
}

void TstComposer::buttonWaitsForTheCommit()
{
    compose({}, QStringLiteral("问："));
    compose(QStringLiteral("wen du"));
    QTest::mouseClick(m_button, Qt::LeftButton);
    QCOMPARE(m_sent->count(), 0); // the input method was asked to commit and has not answered yet
    compose({}, QStringLiteral("温度"));
    QCOMPARE(m_sent->count(), 1);
    QCOMPARE((*m_sent)[0][0].toString(), QStringLiteral("问：温度"));
}

void TstComposer::shortcutsBelongToTheComposition()
{
    compose(QStringLiteral("ni"));
    QKeyEvent override(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
    override.ignore();
    QCoreApplication::sendEvent(m_edit, &override);
    QVERIFY(override.isAccepted());
    QSignalSpy stopped(m_composer.get(), &Composer::stopRequested);
    m_composer->setState(Composer::State::Generating);
    QTest::keyClick(m_edit, Qt::Key_Escape);
    QCOMPARE(stopped.count(), 0);
    compose({});
    QTest::keyClick(m_edit, Qt::Key_Escape);
    QCOMPARE(stopped.count(), 1);
}

void TstComposer::enterSendsAndShiftEnterBreaks()
{
    QTest::keyClicks(m_edit, QStringLiteral("a"));
    QTest::keyClick(m_edit, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClicks(m_edit, QStringLiteral("b"));
    QCOMPARE(m_sent->count(), 0);
    QTest::keyClick(m_edit, Qt::Key_Enter, Qt::KeypadModifier);
    QCOMPARE((*m_sent)[0][0].toString(), QStringLiteral("a\nb"));
}

void TstComposer::enterWhileGeneratingKeepsTheDraft()
{
    m_composer->setState(Composer::State::Generating);
    QCOMPARE(m_button->text(), QStringLiteral("Stop"));
    QTest::keyClicks(m_edit, QStringLiteral("next"));
    QTest::keyClick(m_edit, Qt::Key_Return);
    QCOMPARE(m_sent->count(), 0);
    QCOMPARE(m_composer->draft(), QStringLiteral("next"));
    QSignalSpy stopped(m_composer.get(), &Composer::stopRequested);
    QTest::mouseClick(m_button, Qt::LeftButton);
    QCOMPARE(stopped.count(), 1);
}

void TstComposer::withoutModelTheButtonOpensOne()
{
    m_composer->setState(Composer::State::NoModel);
    QCOMPARE(m_button->text(), QStringLiteral("Open a model"));
    QSignalSpy open(m_composer.get(), &Composer::openModelRequested);
    m_composer->setDraft(QStringLiteral("typed before"));
    QTest::keyClick(m_edit, Qt::Key_Return);
    QTest::mouseClick(m_button, Qt::LeftButton);
    QCOMPARE(open.count(), 2);
    QCOMPARE(m_sent->count(), 0);
    QCOMPARE(m_composer->draft(), QStringLiteral("typed before"));
}

void TstComposer::loadingQueuesAndWithdraws()
{
    m_composer->setState(Composer::State::Loading);
    QSignalSpy withdrawn(m_composer.get(), &Composer::withdrawRequested);
    QTest::keyClicks(m_edit, QStringLiteral("early"));
    QTest::keyClick(m_edit, Qt::Key_Return);
    QCOMPARE(m_sent->count(), 1);
    QCOMPARE(m_button->text(), QStringLiteral("Withdraw"));
    QTest::mouseClick(m_button, Qt::LeftButton);
    QCOMPARE(withdrawn.count(), 1);
    QCOMPARE(m_button->text(), QStringLiteral("Send"));
}

void TstComposer::blankTextIsNotSent()
{
    QTest::keyClicks(m_edit, QStringLiteral("  "));
    QTest::keyClick(m_edit, Qt::Key_Return);
    QTest::mouseClick(m_button, Qt::LeftButton);
    QCOMPARE(m_sent->count(), 0);
}

void TstComposer::growsToSixLines()
{
    const int one = m_edit->height();
    m_composer->setDraft(QStringLiteral("1\n2\n3"));
    const int three = m_edit->height();
    m_composer->setDraft(QStringLiteral("1\n2\n3\n4\n5\n6"));
    const int six = m_edit->height();
    m_composer->setDraft(QStringLiteral("1\n2\n3\n4\n5\n6\n7\n8\n9"));
    QVERIFY(three > one && six > three);
    QCOMPARE(m_edit->height(), six);
    m_composer->setDraft({});
    QCOMPARE(m_edit->height(), one);
    m_composer->setDraft(QString(2000, u'字'));
    QCOMPARE(m_edit->height(), six); // wrapped lines count
}

void TstComposer::hugePasteBecomesAnAttachment()
{
    const QString huge(1'000'000, u'字');
    QMimeData data;
    data.setText(huge);
    m_composer->setDraft(QStringLiteral("请总结："));

    struct Open : QPlainTextEdit
    {
        using QPlainTextEdit::insertFromMimeData;
    };

    (static_cast<QPlainTextEdit*>(m_edit)->*(&Open::insertFromMimeData))(&data);
    QVERIFY(m_edit->toPlainText().size() < 100); // the field itself stays small and quick
    QCOMPARE(m_composer->draft().size(), huge.size() + 4);
    QTest::keyClick(m_edit, Qt::Key_Return);
    QCOMPARE(m_sent->count(), 1);
    QCOMPARE((*m_sent)[0][0].toString(), QString(QStringLiteral("请总结：") + huge));
    QVERIFY(m_composer->draft().isEmpty());
}

void TstComposer::upBringsBackWhatWasSent()
{
    for (const auto& text : {QStringLiteral("first"), QStringLiteral("second")}) {
        m_composer->setDraft(text);
        QTest::keyClick(m_edit, Qt::Key_Return);
    }
    QTest::keyClick(m_edit, Qt::Key_Up);
    QCOMPARE(m_composer->draft(), QStringLiteral("second"));
    QTest::keyClick(m_edit, Qt::Key_Up);
    QCOMPARE(m_composer->draft(), QStringLiteral("first"));
    QTest::keyClick(m_edit, Qt::Key_Down);
    QTest::keyClick(m_edit, Qt::Key_Down);
    QVERIFY(m_composer->draft().isEmpty());
    QTest::keyClicks(m_edit, QStringLiteral("draft"));
    QTest::keyClick(m_edit, Qt::Key_Up);
    QCOMPARE(m_composer->draft(), QStringLiteral("draft"));
}

void TstComposer::cursorRectangleFollowsTheText()
{
    const QRect before = m_edit->inputMethodQuery(Qt::ImCursorRectangle).toRectF().toRect();
    QTest::keyClicks(m_edit, QStringLiteral("some text"));
    const QRect after = m_edit->inputMethodQuery(Qt::ImCursorRectangle).toRectF().toRect();
    QVERIFY(after.left() > before.left() + 20);
    QVERIFY(m_edit->rect().contains(after.center()));
}

} // namespace kaikou::test

using kaikou::test::TstComposer;
KAIKOU_TEST(TstComposer)
#include "tst_composer.moc"
