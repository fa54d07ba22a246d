#pragma once

#include "inference/history/chat_export.h"
#include "ui/store/chat_values.h"

#include <functional>

namespace kaikou {

// Chats between the store and files.

[[nodiscard]] ChatDocument documentOf(const LoadedChat& chat);

// A chat from a file, ready to be written to the store under new ids.
struct ImportedChat
{
    StoredChat chat;
    QList<StoredMessage> messages; // parents first; replies carry run and tokens
};

[[nodiscard]] ImportedChat importedChat(const ChatDocument& document, const std::function<qint64()>& newId);

// Writes what the name's suffix says: .md, .csv, .html, anything else JSON. Replaces the file only when all
// of it is written. Errors: FileWrite.
[[nodiscard]] Result<void> writeChatFile(const QString& path, const LoadedChat& chat,
    const ExportWords& words, const std::function<std::string(TokenId)>& piece);

// Errors: FileRead, FileTooLarge (above 256 MiB), those of readChatJson.
[[nodiscard]] Result<ChatDocument> readChatFile(const QString& path);

} // namespace kaikou
