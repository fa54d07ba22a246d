#include "tests/support/test_registry.h"
#include "ui/model/settings.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace kaikou;

class TstSettings : public QObject
{
    Q_OBJECT

private slots:
    void keepsWhatWasSet();
    void wrongValuesCountAsDefaults();
    void unknownKeysSurvive();
    void recentModels();
    void damagedFileIsKept();
};

void TstSettings::keepsWhatWasSet()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("设置 é/kaikou.ini"));
    {
        Settings settings(file);
        settings.setTheme(ThemeChoice::Dark);
        settings.setLanguage(LanguageChoice::English);
        settings.setFontPercent(130);
        settings.setColourTokens(false);
        settings.setUseEarlierTurns(false);
        settings.setRecordLimitMiB(64);
        settings.setSamples(20);
        settings.setWindow("geometry", QByteArray("\0\1\2", 3));
    }
    const Settings again(file);
    QCOMPARE(again.theme(), ThemeChoice::Dark);
    QCOMPARE(again.language(), LanguageChoice::English);
    QCOMPARE(again.fontPercent(), 130);
    QVERIFY(!again.colourTokens());
    QVERIFY(!again.useEarlierTurns());
    QCOMPARE(again.recordLimitMiB(), 64);
    QCOMPARE(again.samples(), 20);
    QCOMPARE(again.windowState(), QByteArray("\0\1\2", 3));
    QFile text(file);
    QVERIFY(text.open(QIODevice::ReadOnly));
    QVERIFY(text.readAll().contains("schema=1"));
}

void TstSettings::wrongValuesCountAsDefaults()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("kaikou.ini"));
    QFile text(file);
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("[appearance]\ntheme=pink\nlanguage=7\nfont_percent=9000\ncolour_tokens=maybe\n"
               "[engine]\nrecord_limit_mib=lots\n[study]\nsamples=2\n");
    text.close();
    const Settings settings(file);
    QCOMPARE(settings.theme(), ThemeChoice::System);
    QCOMPARE(settings.language(), LanguageChoice::System);
    QCOMPARE(settings.fontPercent(), 100);
    QVERIFY(settings.colourTokens());
    QCOMPARE(settings.recordLimitMiB(), 256);
    QCOMPARE(settings.samples(), 5);
    QCOMPARE(settings.backend(), QStringLiteral("cpu"));
}

void TstSettings::unknownKeysSurvive()
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("kaikou.ini"));
    QFile text(file);
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("[later]\nshiny=42\n");
    text.close();
    {
        Settings settings(file);
        settings.setSamples(7);
    }
    QVERIFY(text.open(QIODevice::ReadOnly));
    const QByteArray all = text.readAll();
    QVERIFY(all.contains("shiny=42"));
    QVERIFY(all.contains("samples=7"));
}

void TstSettings::recentModels()
{
    const QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("kaikou.ini")));
    for (int i = 0; i < 12; ++i)
        settings.addRecentModel(QStringLiteral("/models/%1").arg(i));
    settings.addRecentModel(QStringLiteral("/models/9"));
    const QStringList recent = settings.recentModels();
    QCOMPARE(recent.size(), Settings::kMaxRecent);
    QCOMPARE(recent.front(), QStringLiteral("/models/9"));
    QCOMPARE(recent.count(QStringLiteral("/models/9")), 1);
    settings.clearRecentModels();
    QVERIFY(settings.recentModels().isEmpty());
}

void TstSettings::damagedFileIsKept()
{
    const QByteArray damaged[]
        = {QByteArray("\x89PNG\0\0\x1f not settings", 20), "[appearance\ntheme dark\n"};
    for (const QByteArray& bytes : damaged) {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kaikou.ini"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        {
            Settings settings(path);
            QVERIFY(settings.damaged().startsWith(path + QStringLiteral(".bad-")));
            QCOMPARE(settings.theme(), ThemeChoice::System);
            QFile kept(settings.damaged());
            QVERIFY(kept.open(QIODevice::ReadOnly));
            QCOMPARE(kept.readAll(), bytes);
            settings.setTheme(ThemeChoice::Dark);
        }
        const Settings again(path); // and is no matter the next time
        QVERIFY(again.damaged().isEmpty());
        QCOMPARE(again.theme(), ThemeChoice::Dark);
    }
    const QTemporaryDir folder;
    QVERIFY(Settings(folder.filePath(QStringLiteral("none.ini"))).damaged().isEmpty());
}

KAIKOU_TEST(TstSettings)
#include "tst_settings.moc"
