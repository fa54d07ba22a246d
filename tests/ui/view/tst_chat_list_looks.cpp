#include "tests/support/test_registry.h"
#include "tests/ui/view/sample_chat_list.h"
#include "ui/model/language.h"
#include "ui/view/chat_list.h"
#include "ui/view/chat_list_view.h"
#include "ui/view/guarded_line_edit.h"
#include "ui/view/theme.h"

#include <QApplication>
#include <QDir>
#include <QtTest>

namespace kaikou::test {

// Renders the list in its states. With KAIKOU_SHOTS set to a folder the pictures are kept there for the eye.
class TstChatListLooks : public QObject
{
    Q_OBJECT

private slots:
    void looks_data();
    void looks();

    void cleanup() { m_list.reset(); }

private:
    void enter(const QString& state);

    LanguageSwitcher m_language;
    std::unique_ptr<ChatList> m_list;
    ChatListView* m_view = nullptr;
    GuardedLineEdit* m_search = nullptr;
};

namespace {

constexpr int kFadeMs = 200; // of the clear button

QList<StoredChat> manyChats()
{
    return {
        chat(1, 900, QStringLiteral("什么是温度？为什么温度高了回答会变得更随机，低了又总是一样？"), true),
        chat(2, 70, QStringLiteral("Pinned: notes on sampling"), true),
        chat(3, 0, QStringLiteral("What is top-p?")), chat(4, 1, QString()),
        chat(5, 4, QStringLiteral("写一首关于秋天的五言绝句")),
        chat(6, 20,
            QStringLiteral("Explain the attention mechanism in one very long sentence without a stop")),
        chat(7, 25, QStringLiteral("1+1")), chat(8, 60, QStringLiteral("交叉熵 cross entropy 是什么")),
        chat(9, 140, QStringLiteral("Aufgabe für Schüler – größer, schöner")),
        chat(10, 300, QStringLiteral("过拟合")), chat(11, 500, QStringLiteral("😀 emoji 和 ℵ₀")),
        chat(12, 3000, QStringLiteral("KV cache")),
        chat(13, 9000, QStringLiteral("Averyveryverylongwordwithoutanyspaceinsidethatmustbecutsomewhere"))};
}

QList<SearchHit> manyHits()
{
    return {{1, 0, {}, QStringLiteral("什么是温度？为什么温度高了回答"), 3, 3},
        {8, 80, {},
            QStringLiteral(
                "前面的文字很长很长很长很长很长很长很长，所以温度越高概率越平，后面的文字也很长很长很长很长"),
            22, 90},
        {3, 31, {}, QStringLiteral("温度 is called temperature in English and comes before top-p"), 0, 0},
        {6, 61, {}, QStringLiteral("and at the end of a long English sentence there is the word 温度"), 60,
            99},
        {7, 71, {}, QStringLiteral("温度"), 0, 0}};
}

} // namespace

void TstChatListLooks::looks_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("chinese");
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("scale");
    const auto add = [](const char* state, bool dark, bool chinese, int width, double scale) {
        QTest::addRow(
            "list-%s-%s-%s-%d-%.1f", state, dark ? "dark" : "light", chinese ? "zh" : "en", width, scale)
            << QString::fromLatin1(state) << dark << chinese << width << scale;
    };
    for (const bool dark : {false, true}) {
        for (const bool chinese : {false, true}) {
            for (const char* state : {"all", "search"}) {
                add(state, dark, chinese, 200, 0.8);
                add(state, dark, chinese, 280, 1.0);
                add(state, dark, chinese, 360, 2.5);
                add(state, dark, chinese, 200, 2.5);
            }
            add("empty", dark, chinese, 200, 2.5);
            add("nothing", dark, chinese, 280, 1.0);
            add("rename", dark, chinese, 280, 1.0);
            add("rename", dark, chinese, 200, 2.5);
        }
    }
}

void TstChatListLooks::enter(const QString& state)
{
    m_list->setChats(state == QStringLiteral("empty") ? QList<StoredChat>() : manyChats());
    m_list->setCurrent(3);
    m_view->setFocus();
    m_view->setCurrentIndex(m_list->model()->index(4, 0));
    if (state == QStringLiteral("search") || state == QStringLiteral("nothing")) {
        m_search->setText(QStringLiteral("温度"));
        QTest::keyClick(m_search, Qt::Key_Return);
        if (state == QStringLiteral("search"))
            m_list->showHits(manyHits());
        m_list->endSearch();
    } else if (state == QStringLiteral("rename")) {
        QTest::keyClick(m_view, Qt::Key_F2);
    } else if (state == QStringLiteral("all")) {
        QTest::keyClick(m_view, Qt::Key_Delete);
    }
}

void TstChatListLooks::looks()
{
    QFETCH(QString, state);
    QFETCH(bool, dark);
    QFETCH(bool, chinese);
    QFETCH(int, width);
    QFETCH(double, scale);
    m_language.use(chinese ? LanguageChoice::Chinese : LanguageChoice::English);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light, scale);
    // Made here: a program that does not run sends no ApplicationFontChange.
    m_list = std::make_unique<ChatList>();
    m_list->model()->setClock([] { return now(); });
    m_view = m_list->findChild<ChatListView*>();
    m_search = m_list->findChild<GuardedLineEdit*>();
    m_list->resize(width, scale > 2 ? 1500 : 820);
    m_list->show();
    m_list->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_list.get()));
    enter(state);
    QTest::qWait(m_search->text().isEmpty() ? 20 : kFadeMs); // language, then layout, then paint
    QCOMPARE(m_list->width(), width); // nothing asks for more room
    const QImage picture = m_list->grab().toImage();
    const Theme& theme = dark ? darkTheme() : lightTheme();
    QCOMPARE(picture.pixelColor(2, m_view->geometry().bottom() - 2), theme.window);
    const QModelIndex open = m_list->model()->indexOf(3, state == QStringLiteral("search") ? 31 : 0);
    const QRect line = m_view->visualRect(open);
    if (open.isValid()) {
        int lit = 0;
        const int y = m_view->mapTo(m_list.get(), line.bottomLeft()).y() - 4;
        for (int x = 20; x < line.width() - 20; ++x)
            lit += picture.pixelColor(x, y) == theme.bubble ? 1 : 0;
        QVERIFY2(lit > (line.width() - 40) * 9 / 10, qPrintable(QString::number(lit)));
    }
    if (const auto* field = m_view->viewport()->findChild<GuardedLineEdit*>())
        QVERIFY(m_view->viewport()->rect().contains(field->geometry()));
    const QString folder = qEnvironmentVariable("KAIKOU_SHOTS");
    if (!folder.isEmpty())
        QVERIFY(picture.save(
            QDir(folder).filePath(QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".png"))));
}

} // namespace kaikou::test

using kaikou::test::TstChatListLooks;
KAIKOU_TEST(TstChatListLooks)
#include "tst_chat_list_looks.moc"
