#include "ui/view/transcript_selection.h"

#include "ui/view/transcript_words.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace kaikou {

namespace {

// Column names are for spreadsheets and scripts: the same in every language.
constexpr auto kHead = "token\ttext\tid\tp_model\tp_shaped\tp_sample\trank\tentropy_bits\tbytes\n";

QString rowOf(const Reply& reply, std::size_t index)
{
    const ReplyToken& token = reply.tokens[index];
    const std::string_view bytes = reply.bytesOf(token);
    const QByteArray hex = QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())).toHex();
    const QStringList cells {QString::number(index + 1),
        TranscriptWords::tokenText(reply, static_cast<int>(index)), QString::number(token.id),
        QString::number(token.stats.pModel, 'g', 9), QString::number(token.stats.pShaped, 'g', 9),
        QString::number(token.stats.pSample, 'g', 9), QString::number(token.stats.rank),
        QString::number(token.stats.entropy / std::numbers::ln2, 'g', 6), QString::fromLatin1(hex)};
    return cells.join(u'\t') + u'\n';
}

} // namespace

std::string_view visibleText(const Message& message)
{
    switch (message.kind) {
    case MessageKind::Question:
        return message.text;
    case MessageKind::Answer:
        return message.reply.visible();
    case MessageKind::Note:
        break;
    }
    return {};
}

void TranscriptSelection::set(TextPlace anchor, TextPlace head)
{
    m_anchor = anchor;
    m_head = head;
}

std::pair<std::uint64_t, std::uint64_t> TranscriptSelection::bytesOf(const Message& message) const
{
    const std::uint64_t size = visibleText(message).size();
    if (empty() || message.id < first().message || message.id > last().message)
        return {0, 0};
    const std::uint64_t begin = message.id == first().message ? std::min(first().byte, size) : 0;
    const std::uint64_t end = message.id == last().message ? std::min(last().byte, size) : size;
    return {begin, end};
}

std::string TranscriptSelection::bytes(const ChatModel& chat) const
{
    std::string result;
    for (int i = 0; i < chat.count(); ++i) {
        const auto [begin, end] = bytesOf(chat.at(i));
        if (begin >= end)
            continue;
        if (!result.empty())
            result += '\n';
        result += visibleText(chat.at(i)).substr(begin, end - begin);
    }
    return result;
}

QString TranscriptSelection::table(const ChatModel& chat) const
{
    QString result = QString::fromLatin1(kHead);
    for (int i = 0; i < chat.count(); ++i) {
        const Message& message = chat.at(i);
        const auto [begin, end] = bytesOf(message);
        if (message.kind != MessageKind::Answer || begin >= end)
            continue;
        for (std::size_t t = 0; t < message.reply.tokens.size(); ++t) {
            const ReplyToken& token = message.reply.tokens[t];
            if (token.byteBegin < end && token.byteEnd > begin)
                result += rowOf(message.reply, t);
        }
    }
    return result;
}

QString replyTable(const Reply& reply)
{
    QString result = QString::fromLatin1(kHead);
    for (std::size_t t = 0; t < reply.tokens.size(); ++t)
        result += rowOf(reply, t);
    return result;
}

} // namespace kaikou
