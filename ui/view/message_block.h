#pragma once

#include "ui/layout/text_flow.h"
#include "ui/model/chat_model.h"
#include "ui/view/confidence_scale.h"
#include "ui/view/footer.h"
#include "ui/view/reply_spans.h"

#include <optional>

class QPainter;

namespace kaikou {

struct Theme;

// Fonts and columns of the transcript at its present width.
struct BlockStyle
{
    TextStyle text;
    QFont small;
    qreal left = 0.0; // of the column
    qreal width = 0.0; // of the column
    qreal indent = 0.0; // of answers; 0 = no room for the mark beside them
    std::optional<SampleParams> current; // of the panel
    quint64 again = 0; // the answer that may be generated again; 0 = none
};

// How the transcript looks at the moment; none of it changes a layout.
struct BlockPaint
{
    const Theme* theme = nullptr;
    ConfidenceScale scale;
    bool coloured = true;
    CharRange selected; // of this block's text
    int token = -1; // outlined
    int hoveredPart = -1; // of the footer
};

// What lies under a point of a block.
struct BlockHit
{
    int gap = 0; // nearest place between characters of the text, for selections
    bool onText = false;
    int token = -1; // exactly under the point
    int part = -1; // of the footer
    FooterAction action = FooterAction::None;
};

// One message, laid out: text, frame and footer. Coordinates are relative to its top left corner in the view.
class MessageBlock
{
public:
    MessageBlock(const Message& message, const BlockStyle& style);

    // Takes over new tokens and states; chunks before the last stay as they are.
    void sync(const Message& message, const BlockStyle& style);
    void setRawShown(bool shown, const Message& message, const BlockStyle& style);

    [[nodiscard]] bool rawShown() const { return m_rawShown; }

    [[nodiscard]] int height() const { return m_height; }

    [[nodiscard]] qreal changedTop() const; // of what the last sync may have changed

    [[nodiscard]] const TokenSpans& spans() const { return m_spans.spans(); }

    [[nodiscard]] const TokenSpans& textSpans() const
    {
        return m_kind == MessageKind::Answer ? spans() : m_plain;
    }

    [[nodiscard]] const TextFlow& flow() const { return m_flow; }

    [[nodiscard]] BlockHit hit(QPointF point) const;
    // The token whose character is nearest to a point between the first and the last line; else -1.
    [[nodiscard]] int nearestToken(QPointF point) const;
    [[nodiscard]] QList<QRectF> rectsOf(CharRange range) const;
    [[nodiscard]] QRectF tokenRect(int token) const; // first line of its cluster; null when it is not shown
    void paint(QPainter& painter, QPointF origin, const QRectF& clip, const BlockPaint& look) const;

private:
    struct ClusterRect
    {
        QRectF rect; // relative to the text
        int cluster = 0;
    };

    void placeQuestion(const Message& message, const BlockStyle& style);
    void placeAnswer(const Message& message, const BlockStyle& style);
    void placeNote(const Message& message, const BlockStyle& style);
    void cacheRects(int firstChunk);
    void paintFrame(QPainter& painter, QPointF origin, const Theme& theme) const;
    void paintFills(QPainter& painter, const QRectF& clip, const BlockPaint& look) const;
    void paintMarks(QPainter& painter, const QRectF& clip, const BlockPaint& look) const;
    void paintTicks(
        QPainter& painter, const QRectF& rect, const Cluster& cluster, const BlockPaint& look) const;

    MessageKind m_kind;
    int m_height = 0;
    ReplySpans m_spans;
    TokenSpans m_plain; // of the user's words, a note or a fallback
    QString m_label; // above an answer
    QFont m_labelFont;
    QPointF m_labelAt; // base line
    TextFlow m_flow;
    QPointF m_textAt;
    QRectF m_frame; // bubble of a question, box of a note or a fallback
    QPointF m_mark; // centre of the sign beside an answer
    bool m_hasMark = false;
    bool m_rawShown = false;
    bool m_fallback = false; // m_flow holds a fallback sentence or nothing of the model
    bool m_running = false; // an answer grows; of a note: it reports a problem
    Footer m_footer;
    QPointF m_footerAt;
    std::vector<float> m_tokenProbabilities; // P_model of each token, for the ticks
    std::vector<std::vector<ClusterRect>> m_rects; // per chunk of m_flow
};

// A guess of the height without a layout, by classes of characters. O(text).
[[nodiscard]] int estimateHeight(const Message& message, const BlockStyle& style);

// The parts below an answer. again: it offers to be generated once more.
[[nodiscard]] QList<FooterPart> footerParts(
    const Reply& reply, const std::optional<SampleParams>& current, bool rawShown, bool again);

// "‹ 2/3 ›": the way to the other variants of a message; nothing where there is one.
[[nodiscard]] QList<FooterPart> variantParts(const Message& message);

} // namespace kaikou
