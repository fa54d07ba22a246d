#pragma once

#include "ui/store/chat_values.h"

#include <QtCore/QUuid>

namespace kaikou::test {

inline StoredChat sampleChat(qint64 id, const QString& title)
{
    StoredChat chat;
    chat.id = id;
    chat.uuid = QUuid::createUuid().toString(QUuid::WithoutBraces);
    chat.title = title;
    chat.createdMs = chat.updatedMs = 1700000000000 + id;
    chat.systemPrompt = QStringLiteral("简短回答。");
    return chat;
}

inline StoredMessage question(qint64 id, qint64 chat, qint64 parent, const QByteArray& text)
{
    StoredMessage message;
    message.id = id;
    message.chat = chat;
    message.parent = parent;
    message.text = text;
    message.createdMs = 1700000000000 + id;
    return message;
}

// The row of a reply that is about to be asked for.
inline StoredMessage openReply(qint64 id, qint64 chat, qint64 parent)
{
    StoredMessage message = question(id, chat, parent, {});
    message.role = StoredRole::Assistant;
    message.state = StoredState::Streaming;
    message.run.emplace();
    message.run->seed = 0xFEDCBA9876543210;
    message.run->backend = QStringLiteral("cpu");
    message.run->promptIds = {1, 0xFFFFFFFF, 7};
    return message;
}

// `count` tokens "a" from `first` on, each one byte.
inline QList<StoredToken> letters(int first, int count)
{
    QList<StoredToken> tokens;
    for (int i = first; i < first + count; ++i) {
        StoredToken token;
        token.id = static_cast<quint32>(i);
        token.byteBegin = static_cast<quint32>(i);
        token.byteLength = 1;
        token.logModel = token.logShaped = token.logSample = -0.25F;
        token.rank = 1;
        token.entropy = 0.5F;
        token.u = 0.125;
        token.top = {{static_cast<quint32>(i), -0.25F}, {9, -2.0F}};
        tokens.append(token);
    }
    return tokens;
}

inline ReplyPart part(qint64 message, int first, int count)
{
    return {message, QByteArray(first + count, 'a'), first, letters(first, count)};
}

} // namespace kaikou::test
