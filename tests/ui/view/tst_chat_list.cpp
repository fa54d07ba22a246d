#include "tests/support/test_registry.h"
#include "tests/ui/view/sample_chat_list.h"
#include "ui/model/language.h"
#include "ui/view/chat_list.h"
#include "ui/view/chat_list_view.h"
#include "ui/view/guarded_line_edit.h"
#include "ui/view/theme.h"
#include "ui/view/undo_strip.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QInputMethodEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

namespace kaikou::test {

using namespace std::chrono_literals;

class TstChatList : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void clickAndEnterOpen();
    void headingsBelongToNoChat();
    void renameInPlace();
    void renameWaitsForTheComposition();
    void renameSurvivesAChangingList();
    void deleteAndUndo();
    void undoStripWaitsForMouseAndFocus();
    void menuByKeyAndMouse();
    void searchWaitsForAPause();
    void searchFindsNothing();
    void compositionIsNotSearched();
    void hitsOpenTheirMessage();
    void escapeClearsThenLeaves();
    void keyboardOnly();
    void everythingHasAName();
    void selectionSurvivesNewLists();

private:
    void compose(QWidget* to, const QString& preedit, const QString& commit = {});

    [[nodiscard]] QModelIndex row(int i) const { return m_list->model()->index(i, 0); }

    [[nodiscard]] GuardedLineEdit* titleField() const;
    [[nodiscard]] qint64 current() const;
    void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);

    LanguageSwitcher m_language;
    std::unique_ptr<ChatList> m_list;
    ChatListView* m_view = nullptr;
    GuardedLineEdit* m_search = nullptr;
    UndoStrip* m_strip = nullptr;
};

namespace {

QList<StoredChat> someChats()
{
    return {chat(1, 900, QStringLiteral("什么是温度？"), true), chat(2, 0, QStringLiteral("What is top-p?")),
        chat(3, 3, QStringLiteral("1+1")), chat(4, 20, QString())};
}

QAction* actionOf(const QMenu& menu, const QString& text)
{
    for (QAction* action : menu.actions()) {
        if (action->text().remove(u'&').section(u'\t', 0, 0) == text)
            return action;
    }
    return nullptr;
}

} // namespace

void TstChatList::init()
{
    m_language.use(LanguageChoice::English);
    applyTheme(*qApp, ThemeMode::Light);
    m_list = std::make_unique<ChatList>();
    m_list->model()->setClock([] { return now(); });
    m_view = m_list->findChild<ChatListView*>();
    m_search = m_list->findChild<GuardedLineEdit*>();
    m_strip = m_list->findChild<UndoStrip*>();
    QVERIFY(m_view != nullptr && m_search != nullptr && m_strip != nullptr);
    m_list->resize(280, 560);
    m_list->setChats(someChats());
    m_list->show();
    m_list->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_list.get()));
    QVERIFY(m_view->visualRect(row(3)).isValid());
}

void TstChatList::cleanup()
{
    m_list.reset();
}

void TstChatList::compose(QWidget* to, const QString& preedit, const QString& commit)
{
    QInputMethodEvent event(preedit, {});
    event.setCommitString(commit);
    QCoreApplication::sendEvent(to, &event);
}

GuardedLineEdit* TstChatList::titleField() const
{
    return m_view->viewport()->findChild<GuardedLineEdit*>();
}

qint64 TstChatList::current() const
{
    return m_view->currentIndex().data(ChatListModel::IdRole).toLongLong();
}

// As a person does: to whatever has the focus.
void TstChatList::press(int key, Qt::KeyboardModifiers modifiers)
{
    QVERIFY(QApplication::focusWidget() != nullptr);
    QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key), modifiers);
}

void TstChatList::clickAndEnterOpen()
{
    QSignalSpy opened(m_list.get(), &ChatList::openRequested);
    QTest::mouseClick(
        m_view->viewport(), Qt::LeftButton, {}, m_view->visualRect(row(2)).bottomLeft() + QPoint(30, -10));
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened[0][0].toLongLong(), 3);
    const QPoint first = m_view->visualRect(row(0)).center() + QPoint(0, 8);
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, first);
    QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, first); // only its second press
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, first);
    QCOMPARE(opened.count(), 2); // once, not twice
    QCOMPARE(opened[1][0].toLongLong(), 1);
    m_view->setFocus();
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    press(Qt::Key_Enter, Qt::KeypadModifier);
    QCOMPARE(opened.count(), 4);
    QCOMPARE(opened[3][0].toLongLong(), 2);
}

void TstChatList::headingsBelongToNoChat()
{
    QSignalSpy opened(m_list.get(), &ChatList::openRequested);
    const QRect first = m_view->visualRect(row(1)); // first of "Today"
    QVERIFY(first.height() > m_view->visualRect(row(2)).height() + 10);
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, first.topLeft() + QPoint(30, 5));
    QCOMPARE(opened.count(), 0);
    QVERIFY(!m_view->indexAt(first.topLeft() + QPoint(30, 5)).isValid());
    QCOMPARE(m_view->indexAt(first.bottomLeft() + QPoint(30, -5)), row(1));
}

void TstChatList::renameInPlace()
{
    QSignalSpy renamed(m_list.get(), &ChatList::renameRequested);
    m_view->setFocus();
    m_view->setCurrentIndex(row(1));
    press(Qt::Key_F2);
    QVERIFY(titleField() != nullptr);
    QCOMPARE(titleField()->selectedText(), QStringLiteral("What is top-p?"));
    QTest::keyClicks(titleField(), QStringLiteral("thrown away"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(titleField() == nullptr);
    QCOMPARE(renamed.count(), 0);
    QVERIFY(m_view->hasFocus());
    press(Qt::Key_F2);
    QTest::keyClicks(titleField(), QStringLiteral("nucleus"));
    press(Qt::Key_Return);
    QTRY_COMPARE(renamed.count(), 1);
    QCOMPARE(renamed[0][0].toLongLong(), 2);
    QCOMPARE(renamed[0][1].toString(), QStringLiteral("nucleus"));
    QCOMPARE(row(1).data().toString(), QStringLiteral("nucleus"));
}

void TstChatList::renameWaitsForTheComposition()
{
    QSignalSpy renamed(m_list.get(), &ChatList::renameRequested);
    m_view->setFocus();
    m_view->setCurrentIndex(row(3));
    press(Qt::Key_F2);
    QPointer<GuardedLineEdit> field = titleField();
    QVERIFY(field != nullptr);
    compose(field, QStringLiteral("wen du"));
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape, Qt::Key_Tab}) {
        QKeyEvent override(QEvent::ShortcutOverride, key, Qt::NoModifier);
        override.ignore();
        QCoreApplication::sendEvent(field, &override);
        QVERIFY(override.isAccepted());
        QTest::keyClick(field, key);
    }
    QTest::qWait(0); // an accepted title would close the field now
    QVERIFY(field != nullptr && field->hasFocus());
    QCOMPARE(renamed.count(), 0);
    compose(field, {}, QStringLiteral("温度"));
    QTest::qWait(0);
    QVERIFY(field != nullptr);
    QCOMPARE(renamed.count(), 0);
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(renamed.count(), 1);
    QCOMPARE(renamed[0][1].toString(), QStringLiteral("温度"));
}

void TstChatList::renameSurvivesAChangingList()
{
    QSignalSpy renamed(m_list.get(), &ChatList::renameRequested);
    m_view->setFocus();
    m_view->setCurrentIndex(row(2));
    press(Qt::Key_F2);
    QTest::keyClicks(titleField(), QStringLiteral("half"));
    QList<StoredChat> chats = someChats();
    chats[2].updatedMs = now().toMSecsSinceEpoch(); // its reply ended: it goes up
    chats[2].title = QStringLiteral("from the store");
    chats.prepend(chat(9, 1, QStringLiteral("another")));
    m_list->setChats(chats);
    QVERIFY(titleField() != nullptr);
    QTest::keyClicks(titleField(), QStringLiteral(" done"));
    press(Qt::Key_Return);
    QTRY_COMPARE(renamed.count(), 1);
    QCOMPARE(renamed[0][0].toLongLong(), 3);
    QCOMPARE(renamed[0][1].toString(), QStringLiteral("half done"));
}

void TstChatList::deleteAndUndo()
{
    QSignalSpy deleted(m_list.get(), &ChatList::deleteRequested);
    QSignalSpy undone(m_list.get(), &ChatList::undoDeleteRequested);
    m_view->setFocus();
    m_view->setCurrentIndex(row(1));
    press(Qt::Key_Delete);
    QCOMPARE(deleted.count(), 1);
    QCOMPARE(deleted[0][0].toLongLong(), 2);
    QCOMPARE(m_list->model()->rowCount(), 3);
    QVERIFY(m_strip->isVisible());
    QCOMPARE(m_strip->text(), QStringLiteral("“What is top-p?” was deleted"));
    QVERIFY(m_view->currentIndex().isValid());
    press(Qt::Key_Delete); // the next line
    QCOMPARE(deleted.count(), 2);
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(undone.count(), 1);
    QCOMPARE(undone[0][0], deleted[1][0]);
    QCOMPARE(current(), undone[0][0].toLongLong());
    QVERIFY(m_strip->isVisible()); // the first can still come back
    QTest::mouseClick(m_strip->findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(undone.count(), 2);
    QCOMPARE(undone[1][0].toLongLong(), 2);
    QVERIFY(!m_strip->isVisible());
    QCOMPARE(m_list->model()->rowCount(), 4);
    QVERIFY(m_view->hasFocus());
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(undone.count(), 2);
    // The last chat of all: Ctrl+Z still works in the empty list.
    m_list->setChats({chat(5, 1, QStringLiteral("only"))});
    m_view->setCurrentIndex(row(0));
    press(Qt::Key_Delete);
    QCOMPARE(m_list->model()->rowCount(), 0);
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(undone.count(), 3);
    QCOMPARE(current(), 5);
}

void TstChatList::undoStripWaitsForMouseAndFocus()
{
    QSignalSpy over(m_strip, &UndoStrip::timeOver);
    m_list->setUndoTime(30ms);
    m_view->setFocus();
    m_view->setCurrentIndex(row(1));
    press(Qt::Key_Delete);
    auto* button = m_strip->findChild<QPushButton*>();
    button->setFocus();
    QVERIFY(!over.wait(150));
    QVERIFY(m_strip->isVisible());
    QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
    QCoreApplication::sendEvent(m_strip, &enter);
    m_view->setFocus();
    QVERIFY(!over.wait(150));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_strip, &leave);
    QVERIFY(over.count() == 1 || over.wait());
    QVERIFY(!m_strip->isVisible());
    QSignalSpy undone(m_list.get(), &ChatList::undoDeleteRequested);
    press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(undone.count(), 0);
}

void TstChatList::menuByKeyAndMouse()
{
    m_view->setFocus();
    m_view->setCurrentIndex(row(2));
    for (const auto& [key, modifier] : {std::pair(Qt::Key_Menu, Qt::KeyboardModifier::NoModifier),
             std::pair(Qt::Key_F10, Qt::KeyboardModifier::ShiftModifier)}) {
        press(key, modifier);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        menu->close();
        QTRY_VERIFY(m_list->findChild<QMenu*>() == nullptr);
        m_list->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_list.get()));
    }
    QContextMenuEvent click(QContextMenuEvent::Mouse, {},
        m_view->viewport()->mapToGlobal(m_view->visualRect(row(1)).bottomLeft() + QPoint(30, -8)));
    QCoreApplication::sendEvent(m_view->viewport(), &click);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    QSignalSpy exported(m_list.get(), &ChatList::exportRequested);
    QSignalSpy pinned(m_list.get(), &ChatList::pinRequested);
    QVERIFY(actionOf(*menu, QStringLiteral("Rename")) != nullptr);
    QVERIFY(actionOf(*menu, QStringLiteral("Delete")) != nullptr);
    actionOf(*menu, QStringLiteral("Export…"))->trigger();
    QCOMPARE(exported.value(0).value(0).toLongLong(), 2);
    actionOf(*menu, QStringLiteral("Pin"))->trigger();
    QCOMPARE(pinned.value(0).value(0).toLongLong(), 2);
    QCOMPARE(pinned.value(0).value(1).toBool(), true);
    QCOMPARE(row(0).data(ChatListModel::IdRole).toLongLong(), 2); // newest of the pinned
    menu->close();
    QMenu* unpin = m_list->menuFor(1, 0);
    actionOf(*unpin, QStringLiteral("Unpin"))->trigger();
    QCOMPARE(pinned.value(1).value(1).toBool(), false);
    delete unpin;
    QCOMPARE(m_list->menuFor(77, 0), nullptr);
}

void TstChatList::searchWaitsForAPause()
{
    QSignalSpy searched(m_list.get(), &ChatList::searchChanged);
    QTest::keyClicks(m_search, QStringLiteral(" top"));
    QCOMPARE(searched.count(), 0);
    QVERIFY(searched.wait());
    QCOMPARE(searched.count(), 1); // for all keys together
    QCOMPARE(searched[0][0].toString(), QStringLiteral("top"));
    QCOMPARE(m_list->words(), QStringLiteral("top"));
    QTest::keyClicks(m_search, QStringLiteral("  ")); // the same words
    QTest::keyClick(m_search, Qt::Key_Return);
    QCOMPARE(searched.count(), 1);
    m_search->setFocus();
    QTest::keyClicks(m_search, QStringLiteral("p"));
    QTest::keyClick(m_search, Qt::Key_Return); // no need to wait
    QCOMPARE(searched.count(), 2);
    QVERIFY(m_view->hasFocus());
    m_search->clear(); // at once
    QCOMPARE(searched.count(), 3);
    QVERIFY(searched[2][0].toString().isEmpty());
    QCOMPARE(m_list->model()->rowCount(), 4);
}

void TstChatList::searchFindsNothing()
{
    auto* state = m_view->viewport()->findChild<QLabel*>();
    QVERIFY(!state->isVisible());
    m_search->setText(QStringLiteral("xyz"));
    QTest::keyClick(m_search, Qt::Key_Return);
    QVERIFY(state->isVisible());
    QCOMPARE(state->text(), QStringLiteral("Searching …"));
    m_list->endSearch();
    QCOMPARE(state->text(), QStringLiteral("Nothing found for “xyz”."));
    QCOMPARE(m_view->accessibleName(), QStringLiteral("Search results"));
    m_search->clear();
    QVERIFY(!state->isVisible());
    m_list->setChats({});
    QVERIFY(state->isVisible());
    QVERIFY(state->text().startsWith(QStringLiteral("No chats yet")));
    m_language.use(LanguageChoice::Chinese);
    QTRY_VERIFY(state->text().startsWith(QStringLiteral("还没有对话")));
    QCOMPARE(m_search->placeholderText(), QStringLiteral("搜索对话"));
    m_list->setChats(someChats());
    QVERIFY(!state->isVisible());
    QCOMPARE(row(3).data().toString(), QStringLiteral("新对话"));
}

void TstChatList::compositionIsNotSearched()
{
    QSignalSpy searched(m_list.get(), &ChatList::searchChanged);
    m_search->setFocus();
    compose(m_search, QStringLiteral("wen"));
    press(Qt::Key_Return);
    press(Qt::Key_Escape);
    press(Qt::Key_Down);
    QVERIFY(m_search->hasFocus());
    QCOMPARE(searched.count(), 0);
    compose(m_search, {}, QStringLiteral("温"));
    QVERIFY(searched.wait());
    QCOMPARE(searched[0][0].toString(), QStringLiteral("温"));
}

void TstChatList::hitsOpenTheirMessage()
{
    QSignalSpy chatOpened(m_list.get(), &ChatList::openRequested);
    QSignalSpy messageOpened(m_list.get(), &ChatList::openMessageRequested);
    m_search->setText(QStringLiteral("温度"));
    QTest::keyClick(m_search, Qt::Key_Return);
    m_list->showHits({{1, 0, QStringLiteral("什么是温度？"), QStringLiteral("什么是温度？"), 3, 3},
        {3, 31, QStringLiteral("1+1"), QStringLiteral("再说说温度"), 3, 3}});
    m_list->endSearch();
    m_view->setFocus();
    m_view->setCurrentIndex(row(0));
    press(Qt::Key_Return);
    QCOMPARE(chatOpened.count(), 1);
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QCOMPARE(chatOpened.count(), 1);
    QCOMPARE(messageOpened.count(), 1);
    QCOMPARE(messageOpened[0][0].toLongLong(), 3);
    QCOMPARE(messageOpened[0][1].toLongLong(), 31);
    m_search->clear();
    QCOMPARE(current(), 3); // the chat of the hit stays current
}

void TstChatList::escapeClearsThenLeaves()
{
    m_list->focusSearch();
    QVERIFY(m_search->hasFocus());
    QTest::keyClicks(m_search, QStringLiteral("top"));
    QKeyEvent override(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
    override.ignore();
    QCoreApplication::sendEvent(m_search, &override);
    QVERIFY(override.isAccepted()); // the window's Stop does not get it
    press(Qt::Key_Escape);
    QVERIFY(m_search->text().isEmpty());
    QVERIFY(m_search->hasFocus());
    press(Qt::Key_Escape);
    QVERIFY(m_view->hasFocus());
    // In the lines Esc ends the search, and is the window's when there is none.
    override.ignore();
    QCoreApplication::sendEvent(m_view, &override);
    QVERIFY(!override.isAccepted());
    m_search->setText(QStringLiteral("top"));
    QTest::keyClick(m_search, Qt::Key_Return);
    QCoreApplication::sendEvent(m_view, &override);
    QVERIFY(override.isAccepted());
    press(Qt::Key_Escape);
    QVERIFY(m_list->words().isEmpty());
}

// New chat, search, go to a hit, rename, delete, bring back, open: no mouse.
void TstChatList::keyboardOnly()
{
    QSignalSpy fresh(m_list.get(), &ChatList::newRequested);
    QSignalSpy renamed(m_list.get(), &ChatList::renameRequested);
    QSignalSpy deleted(m_list.get(), &ChatList::deleteRequested);
    QSignalSpy undone(m_list.get(), &ChatList::undoDeleteRequested);
    QSignalSpy opened(m_list.get(), &ChatList::openRequested);
    m_list->focusSearch();
    press(Qt::Key_Tab);
    press(Qt::Key_Space);
    QCOMPARE(fresh.count(), 1);
    press(Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(m_search->hasFocus());
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("1+1"));
    press(Qt::Key_Return);
    m_list->showHits({{3, 0, QStringLiteral("1+1"), QStringLiteral("1+1"), 0, 0}});
    m_list->endSearch();
    QVERIFY(m_view->hasFocus());
    QCOMPARE(current(), 3); // the first hit
    press(Qt::Key_F2);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("sums"));
    press(Qt::Key_Return);
    QTRY_COMPARE(renamed.count(), 1);
    QTRY_VERIFY(m_view->hasFocus());
    press(Qt::Key_Escape);
    QVERIFY(m_list->words().isEmpty());
    QCOMPARE(current(), 3);
    press(Qt::Key_Delete);
    QCOMPARE(deleted.count(), 1);
    press(Qt::Key_Tab); // to the button of the strip
    QCOMPARE(QApplication::focusWidget(), m_strip->findChild<QPushButton*>());
    press(Qt::Key_Space);
    QCOMPARE(undone.count(), 1);
    QCOMPARE(current(), 3);
    press(Qt::Key_Return);
    QCOMPARE(opened.value(0).value(0).toLongLong(), 3);
}

void TstChatList::everythingHasAName()
{
    m_view->setCurrentIndex(row(1));
    QTest::keyClick(m_view, Qt::Key_Delete);
    for (const LanguageChoice language : {LanguageChoice::English, LanguageChoice::Chinese}) {
        m_language.use(language);
        QCoreApplication::processEvents();
        int named = 0;
        for (const QWidget* widget : m_list->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus
                && qobject_cast<const QAbstractButton*>(widget) == nullptr)
                continue;
            if (widget->parentWidget() == m_view && widget != m_view->viewport())
                continue; // scroll bars
            if (widget == m_view->viewport())
                continue;
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
            ++named;
        }
        QVERIFY(named >= 5);
    }
    m_language.use(LanguageChoice::English);
    QCoreApplication::processEvents();
    QAccessibleInterface* lines = QAccessible::queryAccessibleInterface(m_view);
    QVERIFY(lines != nullptr);
    QCOMPARE(lines->role(), QAccessible::List);
    QCOMPARE(lines->childCount(), 3);
    QCOMPARE(lines->child(0)->text(QAccessible::Name), QStringLiteral("什么是温度？, 2 Feb, pinned"));
}

void TstChatList::selectionSurvivesNewLists()
{
    m_list->setCurrent(3);
    QCOMPARE(current(), 3);
    QVERIFY(row(2).data(ChatListModel::OpenRole).toBool());
    QList<StoredChat> chats = someChats();
    chats.append(chat(8, 0, QStringLiteral("new")));
    chats[2].updatedMs = now().toMSecsSinceEpoch();
    m_list->setChats(chats);
    QCOMPARE(current(), 3);
    QCOMPARE(m_view->selectionModel()->selectedIndexes().value(0), m_view->currentIndex());
    m_list->setCurrent(50); // known before its line is
    chats.append(chat(50, 0, QStringLiteral("later")));
    m_list->setChats(chats);
    QCOMPARE(current(), 50);
}

} // namespace kaikou::test

using kaikou::test::TstChatList;
KAIKOU_TEST(TstChatList)
#include "tst_chat_list.moc"
