#include "tests/support/test_registry.h"
#include "ui/layout/text_flow.h"
#include "ui/view/theme.h"

#include <QRandomGenerator>

namespace kaikou::test {

class TstTextFlow : public QObject
{
    Q_OBJECT

private slots:
    void chunksDoNotChangeTheLines_data();
    void chunksDoNotChangeTheLines();
    void growingTouchesOnlyTheLastChunk();
    void pointAndRectAgree();
};

namespace {

TextStyle style()
{
    return {textFont(), 8.0};
}

QString randomText(int pieces, bool paragraphs)
{
    static const QString kPieces[] = {QStringLiteral("模型"), QStringLiteral(" attention"),
        QStringLiteral("，"), QStringLiteral("的概率"), QStringLiteral(" the"), QStringLiteral("。"),
        QStringLiteral("softmax(x)")};
    QRandomGenerator random(11);
    QString text;
    for (int i = 0; i < pieces; ++i) {
        text += kPieces[random.bounded(static_cast<int>(std::size(kPieces)))];
        if (paragraphs && i % 37 == 36)
            text += QChar(QChar::LineSeparator);
    }
    return text;
}

} // namespace

void TstTextFlow::chunksDoNotChangeTheLines_data()
{
    QTest::addColumn<int>("pieces");
    QTest::addColumn<bool>("paragraphs");
    QTest::newRow("short") << 20 << false;
    QTest::newRow("one paragraph") << 900 << false;
    QTest::newRow("paragraphs") << 900 << true;
}

// The same text as one layout, as chunks filled at once and as chunks that grew in small steps.
void TstTextFlow::chunksDoNotChangeTheLines()
{
    QFETCH(int, pieces);
    QFETCH(bool, paragraphs);
    const QString text = randomText(pieces, paragraphs);
    for (const qreal width : {180.0, 437.0, 800.0}) {
        TextChunk whole(0);
        whole.setText(text, style(), width);
        TextFlow filled(style(), width);
        filled.append(text);
        TextFlow grown(style(), width);
        for (qsizetype at = 0; at < text.size(); at += 5)
            grown.append(text.mid(at, 5));
        QCOMPARE(filled.height(), whole.height());
        QCOMPARE(grown.height(), whole.height());
        if (pieces > 500)
            QVERIFY(grown.chunkCount() > 2);
        QList<QRectF> expected;
        whole.appendRects(0, static_cast<int>(text.size()), {}, expected);
        const CharRange all {0, static_cast<int>(text.size())};
        const QList<QRectF> parts = grown.rects(all);
        QCOMPARE(parts.size(), expected.size());
        for (qsizetype i = 0; i < parts.size(); ++i) {
            QCOMPARE(parts[i].top(), expected[i].top());
            QVERIFY(std::abs(parts[i].width() - expected[i].width()) < 1.0);
        }
    }
}

void TstTextFlow::growingTouchesOnlyTheLastChunk()
{
    TextFlow flow(style(), 500.0);
    const QString text = randomText(3000, true);
    for (qsizetype at = 0; at < text.size(); at += 4) {
        const int before = flow.layouts();
        const int chunks = flow.chunkCount();
        flow.append(text.mid(at, 4));
        // One layout, or three on the frame that closes a chunk: grown, cut, rest.
        QVERIFY(flow.layouts() - before <= (flow.chunkCount() > chunks && chunks > 0 ? 3 : 1));
        QVERIFY(flow.firstChanged() >= chunks - 1);
        QVERIFY(flow.chunk(flow.chunkCount() - 1).length() <= TextFlow::kChunkChars);
    }
    QVERIFY(flow.chunkCount() > 10);
}

void TstTextFlow::pointAndRectAgree()
{
    TextFlow flow(style(), 300.0);
    const QString text = randomText(400, true);
    flow.append(text);
    for (int i = 0; i < flow.length(); ++i) {
        const QList<QRectF> boxes = flow.rects({i, i + 1});
        QVERIFY(boxes.size() <= 1);
        if (boxes.isEmpty() || boxes.first().width() < 1.0)
            continue; // a space that hangs behind the end of its line, or a line break
        QCOMPARE(flow.characterAt(boxes.first().center()), i);
    }
}

} // namespace kaikou::test

using kaikou::test::TstTextFlow;
KAIKOU_TEST(TstTextFlow)
#include "tst_text_flow.moc"
