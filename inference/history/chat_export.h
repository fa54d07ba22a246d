#pragma once

#include "inference/history/chat_document.h"

#include <functional>
#include <string_view>

namespace kaikou {

// The active path of a chat for people and spreadsheets.

struct ExportWords // in the reader's language
{
    std::string user = "User", assistant = "Assistant";
    std::string legend = "Background: P_model of each token";
};

// Roles as headings; a text that would break out of its place is fenced.
[[nodiscard]] std::string chatMarkdown(const ChatDocument& chat, const ExportWords& words);

// RFC 4180 with a byte order mark, which spreadsheets need for Chinese: one row per token with message,
// index, id, text, P_model, P_shaped, P_sample, rank, entropy in nats, u. Bytes that are no UTF-8 are written
// as \xNN; a text that a spreadsheet would run as a formula gets an apostrophe in front.
[[nodiscard]] std::string chatCsv(const ChatDocument& chat);

// One file that opens from disk: no script, nothing from the network; tokens coloured by P_model, with their
// probability, rank and best alternatives on hover. piece: bytes of a token for the alternatives' names; may
// be empty.
[[nodiscard]] std::string chatHtml(const ChatDocument& chat, const ExportWords& words,
    const std::function<std::string(TokenId)>& piece = {});

} // namespace kaikou
