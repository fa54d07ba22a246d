#include "tests/support/paths.h"
#include "tests/support/test_registry.h"
#include "ui/model/error_text.h"
#include "ui/model/fallback_lines.h"
#include "ui/model/language.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using namespace kaikou;

class TstTranslations : public QObject
{
    Q_OBJECT

private slots:
    void chineseIsComplete();
    void switchesAtRunTime();
    void fallbackLinesCanBeEdited();
};

namespace {

QStringList placeholders(const QString& text)
{
    static const QRegularExpression marker(QStringLiteral("%L?\\d|%n"));
    QStringList found;
    for (auto it = marker.globalMatch(text); it.hasNext();)
        found += it.next().captured();
    found.sort();
    return found;
}

} // namespace

void TstTranslations::chineseIsComplete()
{
    QFile file(QString::fromStdString((test::sourceDir() / "resources/i18n/zh_CN.ts").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString source;
    int messages = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("source")) {
            source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            QVERIFY2(!xml.attributes().hasAttribute(QStringLiteral("type")), qPrintable(source));
            const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
            QVERIFY2(!text.isEmpty(), qPrintable(source));
            QVERIFY2(placeholders(text) == placeholders(source), qPrintable(source));
            ++messages;
        }
    }
    QVERIFY(!xml.hasError());
    QVERIFY(messages > 300);
}

void TstTranslations::switchesAtRunTime()
{
    LanguageSwitcher language;
    language.use(LanguageChoice::Chinese);
    QVERIFY(language.chinese());
    QCOMPARE(errorText(ErrorCode::FileEmpty).what, QStringLiteral("文件是空的。"));
    language.use(LanguageChoice::English);
    QCOMPARE(errorText(ErrorCode::FileEmpty).what, QStringLiteral("The file is empty."));
}

void TstTranslations::fallbackLinesCanBeEdited()
{
    const QTemporaryDir folder;
    const auto shipped = fallbackLines(QLocale::Chinese, folder.path());
    QVERIFY(shipped.size() >= 3);
    for (const std::string& line : shipped)
        QVERIFY(!line.starts_with('#'));
    QFile own(folder.filePath(QStringLiteral("fallback.zh.txt")));
    QVERIFY(own.open(QIODevice::WriteOnly));
    own.write("# mine\n\n  我的句子  \r\n");
    own.close();
    QCOMPARE(fallbackLines(QLocale::Chinese, folder.path()), std::vector<std::string> {"我的句子"});
    QVERIFY(fallbackLines(QLocale::English, folder.path()) != shipped);
}

KAIKOU_TEST(TstTranslations)
#include "tst_translations.moc"
