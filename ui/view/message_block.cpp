#include "ui/view/message_block.h"

#include "ui/model/defaults_text.h"
#include "ui/view/theme.h"
#include "ui/view/transcript_words.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace kaikou {

namespace {

constexpr qreal kAbove = 10.0; // outside a bubble or above a label
constexpr qreal kBelow = 10.0;
constexpr qreal kPadX = 14.0; // inside a bubble
constexpr qreal kPadY = 6.0;
constexpr qreal kBubbleShare = 0.82; // of the column
constexpr qreal kFooterGap = 8.0;

TextStyle smallStyle(const BlockStyle& style)
{
    return {style.small, 4.0};
}

qreal labelHeight(const BlockStyle& style)
{
    return std::ceil(QFontMetricsF(style.small).height()) + 2.0;
}

} // namespace

MessageBlock::MessageBlock(const Message& message, const BlockStyle& style)
    : m_kind(message.kind)
{
    switch (m_kind) {
    case MessageKind::Question:
        m_plain.addPlain(message.text);
        m_flow = TextFlow(style.text, std::floor(style.width * kBubbleShare - 2 * kPadX));
        m_flow.append(m_plain.text());
        placeQuestion(message, style);
        break;
    case MessageKind::Answer:
        m_flow = TextFlow(style.text, style.width - style.indent);
        sync(message, style);
        break;
    case MessageKind::Note:
        m_plain.addPlain(TranscriptWords::note(message.note).toStdString());
        m_flow = TextFlow(smallStyle(style), style.width - 2 * kPadX);
        m_flow.append(m_plain.text());
        placeNote(message, style);
        break;
    }
}

void MessageBlock::placeQuestion(const Message& message, const BlockStyle& style)
{
    const qreal textWidth = std::min(m_flow.width(), std::ceil(m_flow.naturalWidth()));
    const qreal width = textWidth + 2 * kPadX;
    m_frame = QRectF(style.left + style.width - width, kAbove, width, m_flow.height() + 2 * kPadY);
    m_textAt = m_frame.topLeft() + QPointF(kPadX, kPadY);
    m_footer.setParts(variantParts(message), style.small, style.width - style.indent);
    m_footerAt = {style.left + style.width - m_footer.width(), m_frame.bottom() + kFooterGap};
    const qreal bottom = m_footer.height() > 0 ? m_footerAt.y() + m_footer.height() : m_frame.bottom();
    m_height = static_cast<int>(std::ceil(bottom + kBelow));
}

void MessageBlock::placeNote(const Message& message, const BlockStyle& style)
{
    m_running = message.note.kind == NoteKind::Problem; // painted as a warning
    const qreal width = std::min(m_flow.width(), std::ceil(m_flow.naturalWidth())) + 2 * kPadX;
    m_frame = QRectF(style.left + (style.width - width) / 2, kAbove, width, m_flow.height() + kPadY);
    m_textAt = m_frame.topLeft() + QPointF(kPadX, kPadY / 2);
    m_height = static_cast<int>(std::ceil(m_frame.bottom() + kBelow));
}

void MessageBlock::sync(const Message& message, const BlockStyle& style)
{
    if (m_kind == MessageKind::Question)
        placeQuestion(message, style);
    if (m_kind != MessageKind::Answer)
        return;
    const Reply& reply = message.reply;
    m_running = reply.running();
    m_spans.sync(reply);
    for (std::size_t i = m_tokenProbabilities.size(); i < reply.tokens.size(); ++i)
        m_tokenProbabilities.push_back(static_cast<float>(reply.tokens[i].stats.pModel));
    const bool fallback = !reply.fallback.isEmpty() && !m_rawShown;
    if (fallback) {
        m_plain = TokenSpans();
        m_plain.addPlain(reply.fallback.toStdString());
        m_flow.setText(m_plain.text());
        m_rects.clear();
    } else {
        if (m_fallback)
            m_flow.setText({});
        const int known = m_flow.length();
        if (spans().text().size() > known) {
            m_flow.append(spans().text().mid(known));
            cacheRects(m_flow.firstChanged());
        }
    }
    m_fallback = fallback;
    placeAnswer(message, style);
}

void MessageBlock::setRawShown(bool shown, const Message& message, const BlockStyle& style)
{
    m_rawShown = shown;
    sync(message, style);
}

void MessageBlock::placeAnswer(const Message& message, const BlockStyle& style)
{
    const qreal left = style.left + style.indent;
    m_label = modelTitle(message.reply.setup.modelName);
    m_labelFont = style.small;
    m_labelFont.setWeight(QFont::DemiBold);
    m_labelAt = {left, kAbove + QFontMetricsF(m_labelFont).ascent()};
    m_hasMark = style.indent > 0.0;
    m_mark = {style.left + style.indent * 0.36, kAbove + style.indent * 0.36};
    qreal y = kAbove + labelHeight(style);
    m_frame = {};
    m_textAt = {left, y};
    if (m_fallback) {
        m_frame = QRectF(left, y + 2, m_flow.width(), m_flow.height() + 2 * kPadY);
        m_textAt = m_frame.topLeft() + QPointF(kPadX, kPadY);
        y = m_frame.bottom();
    } else {
        y += m_flow.height();
    }
    m_footer.setParts(footerParts(message.reply, style.current, m_rawShown, message.id == style.again)
            + variantParts(message),
        style.small, style.width - style.indent);
    m_footerAt = {left, y + (m_flow.length() > 0 ? kFooterGap : 2.0)};
    if (m_footer.height() > 0)
        y = m_footerAt.y() + m_footer.height();
    m_height = static_cast<int>(std::ceil(y + kBelow));
}

void MessageBlock::cacheRects(int firstChunk)
{
    m_rects.resize(static_cast<std::size_t>(m_flow.chunkCount()));
    const auto& clusters = spans().clusters();
    QList<QRectF> boxes;
    for (int i = firstChunk; i < m_flow.chunkCount(); ++i) {
        const TextChunk& chunk = m_flow.chunk(i);
        auto& cached = m_rects[static_cast<std::size_t>(i)];
        cached.clear();
        for (auto c = static_cast<std::size_t>(spans().firstClusterAfter(chunk.begin()));
             c < clusters.size() && clusters[c].chars.begin < chunk.end(); ++c) {
            boxes.clear();
            chunk.appendRects(std::max(clusters[c].chars.begin, chunk.begin()) - chunk.begin(),
                std::min(clusters[c].chars.end, chunk.end()) - chunk.begin(), {0.0, chunk.top}, boxes);
            for (const QRectF& box : boxes)
                cached.push_back({box, static_cast<int>(c)});
        }
    }
}

qreal MessageBlock::changedTop() const
{
    if (m_fallback || m_flow.chunkCount() == 0)
        return 0.0;
    return m_textAt.y() + m_flow.chunk(m_flow.firstChanged()).top;
}

BlockHit MessageBlock::hit(QPointF point) const
{
    BlockHit result;
    result.part = m_footer.partAt(point - m_footerAt);
    result.action = m_footer.actionAt(point - m_footerAt);
    const QPointF local = point - m_textAt;
    if (local.y() < 0)
        return result;
    result.gap = m_flow.length();
    if (local.y() >= m_flow.height() || m_flow.length() == 0)
        return result;
    result.gap = m_flow.characterAt(local, QTextLine::CursorBetweenCharacters);
    result.onText = local.x() >= -4 && local.x() <= m_flow.width() + 4;
    if (m_kind != MessageKind::Answer || m_fallback)
        return result;
    const int index = spans().clusterAt(m_flow.characterAt(local));
    if (index < 0)
        return result;
    const Cluster& cluster = spans().clusters()[static_cast<std::size_t>(index)];
    for (const QRectF& box : m_flow.rects(cluster.chars)) {
        if (!box.contains(local))
            continue;
        // The parts of one character share its box as their ticks do.
        const auto part = static_cast<int>((local.x() - box.left()) / box.width() * cluster.tokens);
        result.token = cluster.firstToken + std::clamp(part, 0, cluster.tokens - 1);
    }
    return result;
}

int MessageBlock::nearestToken(QPointF point) const
{
    const QPointF local = point - m_textAt;
    if (m_fallback || local.y() < 0 || local.y() >= m_flow.height())
        return -1;
    const int index = spans().clusterAt(m_flow.characterAt(local));
    return index < 0 ? -1 : spans().clusters()[static_cast<std::size_t>(index)].firstToken;
}

QList<QRectF> MessageBlock::rectsOf(CharRange range) const
{
    QList<QRectF> boxes = m_flow.rects(range);
    for (QRectF& box : boxes)
        box.translate(m_textAt);
    return boxes;
}

QRectF MessageBlock::tokenRect(int token) const
{
    if (m_kind != MessageKind::Answer || m_fallback || token < 0 || token >= spans().tokenCount())
        return {};
    const QList<QRectF> boxes = rectsOf(spans().charsOf(token));
    return boxes.isEmpty() ? QRectF() : boxes.first();
}

int estimateHeight(const Message& message, const BlockStyle& style)
{
    if (message.kind == MessageKind::Note)
        return static_cast<int>(QFontMetricsF(style.small).height() + kPadY + kAbove + kBelow + 4);
    const bool question = message.kind == MessageKind::Question;
    const std::string_view text = question ? std::string_view(message.text) : message.reply.visible();
    const QFontMetricsF metrics(style.text.font);
    const qreal width = question ? style.width * kBubbleShare - 2 * kPadX : style.width - style.indent;
    const qreal em = metrics.horizontalAdvance(u'中');
    qreal x = 0.0;
    int lines = 1;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0U) == 0x80U)
            continue; // inside a character
        x += byte < 0xE0U ? em * 0.5 : em;
        if (c == '\n' || x > width) {
            ++lines;
            x = 0.0;
        }
    }
    const qreal body = lines * std::ceil(metrics.height() + style.text.leading) + kAbove + kBelow;
    const qreal rest = question ? 2 * kPadY : labelHeight(style) * 3 + kFooterGap;
    return static_cast<int>(std::ceil(body + rest));
}

QList<FooterPart> footerParts(
    const Reply& reply, const std::optional<SampleParams>& current, bool rawShown, bool again)
{
    using Look = FooterPart::Look;
    using Words = TranscriptWords;
    QList<FooterPart> parts;
    const auto add = [&parts](const QString& text, Look look = Look::Muted,
                         FooterAction action = FooterAction::None, bool newLine = false) {
        parts.append({text, look, Band::High, action, newLine});
    };
    if (reply.state == ReplyState::Waiting)
        add(Words::waiting());
    if (reply.running())
        return parts;
    if (reply.state == ReplyState::Failed)
        add(Words::failure(reply), Look::Problem);
    if (!reply.fallback.isEmpty()) {
        add(Words::notModelsWords(), Look::Warn);
        add(Words::rawToggle(rawShown), Look::Muted, FooterAction::ToggleRaw);
    } else if (reply.state == ReplyState::Complete && !reply.usable()) {
        add(Words::emptyReply(reply), Look::Warn);
    }
    if (const auto confidence = confidenceOf(reply)) {
        const double value = reply.setup.gptTeacher ? confidence->teacher : confidence->mean;
        parts.append({Words::chip(reply, *confidence), Look::Chip, bandOf(value), FooterAction::None, true});
        if (reply.setup.gptTeacher)
            add(Words::mean(*confidence));
        add(Words::geometric(*confidence));
        add(Words::lowest(reply, *confidence), Look::Muted, FooterAction::JumpToLowest);
    }
    if (reply.damaged)
        add(Words::damaged(), Look::Warn);
    if (reply.state == ReplyState::Interrupted)
        add(Words::interrupted(), Look::Warn, FooterAction::None, true);
    if (openEnd(reply) > 0)
        add(Words::goOn(), Look::Muted, FooterAction::GoOn);
    if (reply.state == ReplyState::Complete) {
        add(Words::ending(reply), Look::Muted, FooterAction::None, true);
        for (const QString& text : Words::numbers(reply))
            add(text);
        add(Words::seed(reply), Look::Muted, FooterAction::TakeSeed);
    }
    if (reply.prompt && reply.prompt->droppedTurns > 0)
        add(Words::droppedTurns(static_cast<int>(reply.prompt->droppedTurns)), Look::Warn, FooterAction::None,
            true);
    if (reply.prompt && !reply.prompt->unknownCharacters.empty())
        add(Words::unknownCharacters(reply.prompt->unknownCharacters), Look::Warn, FooterAction::None, true);
    if (const auto trouble = reply.fallback.isEmpty() ? troubleOf(reply) : std::nullopt) {
        add(Words::trouble(*trouble), Look::Warn, FooterAction::None, true);
        if (trouble->kind == TroubleKind::Loop && again)
            add(Words::againstLoop(), Look::Muted, FooterAction::AgainstLoop);
        else if (trouble->kind == TroubleKind::NoRoom)
            add(Words::newChat(), Look::Muted, FooterAction::NewChat);
    }
    const auto made = current ? Words::madeWith(reply.setup.params, *current) : std::nullopt;
    if (made)
        add(*made, Look::Warn, FooterAction::None, true);
    if (made && again) {
        add(Words::sameDice(), Look::Muted, FooterAction::SameDice);
        add(Words::newDice(), Look::Muted, FooterAction::NewDice);
    } else if (again) {
        add(Words::again(), Look::Muted, FooterAction::NewDice);
    }
    return parts;
}

QList<FooterPart> variantParts(const Message& message)
{
    if (message.variants < 2)
        return {};
    const auto link = [](bool there, FooterAction action) { return there ? action : FooterAction::None; };
    FooterPart before {QStringLiteral("‹"), FooterPart::Look::Muted, Band::High,
        link(message.variant > 1, FooterAction::VariantBefore)};
    FooterPart place {QStringLiteral("%1/%2").arg(message.variant).arg(message.variants)};
    FooterPart after {QStringLiteral("›"), FooterPart::Look::Muted, Band::High,
        link(message.variant < message.variants, FooterAction::VariantAfter)};
    place.joined = after.joined = true;
    return {before, place, after};
}

} // namespace kaikou
