#pragma once

#include "ui/model/chat_model.h"
#include "ui/store/chat_values.h"

#include <utility>

namespace kaikou {

// Between the conversation on screen and its form on disk. Ids are the same on both sides.

// Tokens of a reply that are part of its text so far; what is held back is not.
[[nodiscard]] int storableTokens(const Reply& reply);

// Tokens [from, to) with their ten best alternatives, from the step's logits where they are still there.
[[nodiscard]] QList<StoredToken> storedTokens(const Reply& reply, int from, int to);
[[nodiscard]] ReplyPart checkpointOf(quint64 id, const Reply& reply, int from); // tokens from `from` on
[[nodiscard]] ReplyEnd endOf(quint64 id, const Reply& reply, int from);
[[nodiscard]] StoredRun runOf(const Reply& reply);

// The row of a message when it begins; a reply's row is `Streaming` and gets its tokens by checkpoints.
[[nodiscard]] StoredMessage storedMessage(const Message& message, qint64 chat, qint64 parent);

// A message as read and the one it follows. read: its tokens were read too (it lies on the active path).
[[nodiscard]] std::pair<Message, quint64> messageOf(const StoredMessage& stored, bool read);

// "中国的首都是哪里": the first line of a question, at most 40 characters.
[[nodiscard]] QString titleOf(const QString& question);

} // namespace kaikou
