#include "tests/support/paths.h"
#include "tests/support/test_registry.h"
#include "ui/model/error_text.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace kaikou;

class TstErrorText : public QObject
{
    Q_OBJECT

private slots:
    void everyCodeHasSentences();
    void detailsNameThePlace();
};

// The enum itself is the list: a code added there without a sentence fails here.
void TstErrorText::everyCodeHasSentences()
{
    QFile header(QString::fromStdString((test::sourceDir() / "inference/base/error_code.h").string()));
    QVERIFY(header.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(header.readAll());
    static const QRegularExpression entry(
        QStringLiteral("^\\s+(\\w+) = (\\d+),"), QRegularExpression::MultilineOption);
    QSet<QString> sentences;
    int codes = 0;
    for (auto it = entry.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        const auto code = static_cast<ErrorCode>(match.captured(2).toInt());
        const ErrorText found = errorText(code);
        QVERIFY2(!found.what.isEmpty() && !found.next.isEmpty(), qPrintable(match.captured(1)));
        QVERIFY2(!sentences.contains(found.what), qPrintable(match.captured(1)));
        sentences += found.what;
        ++codes;
    }
    QVERIFY(codes > 50);
    QVERIFY(errorText(static_cast<ErrorCode>(9999)).what.isEmpty());
}

void TstErrorText::detailsNameThePlace()
{
    const QString details = errorDetails(
        {ErrorCode::FormatTruncated, "header needs 8 bytes, 3 are there", "最佳.safetensors+0"});
    QVERIFY(details.contains(QStringLiteral("header needs 8 bytes")));
    QVERIFY(details.contains(QStringLiteral("203")));
    QVERIFY(details.contains(QStringLiteral("最佳.safetensors+0")));
}

KAIKOU_TEST(TstErrorText)
#include "tst_error_text.moc"
