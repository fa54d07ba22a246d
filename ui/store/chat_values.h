#pragma once

#include "ui/store/token_block.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <optional>

namespace kaikou {

// Numbers on disk, never to be changed. A later program's number is kept as it is.
enum class StoredRole : int
{
    System = 0, // not used in v1: the system prompt belongs to the chat
    User = 1,
    Assistant = 2,
    Note = 3
};
enum class StoredState : int
{
    Complete = 0,
    Streaming = 1,
    Stopped = 2,
    Interrupted = 3, // the program ended while it streamed
    Error = 4
};
enum class StoredStop : int
{
    None = 0,
    Eos = 1,
    Stop = 2,
    Length = 3,
    Context = 4,
    Cancelled = 5,
    Error = 6
};

// A line of the chat list. Times are milliseconds since 1970 UTC; order in time is `id`, clocks jump.
struct StoredChat
{
    qint64 id = 0; // from ChatStore::newId
    QString uuid;
    QString title;
    bool pinned = false;
    qint64 createdMs = 0;
    qint64 updatedMs = 0;
    std::optional<qint64> trashedMs; // set = in the trash
    qint64 activeLeaf = 0; // root..leaf is what is shown and sent; 0 = empty chat
    QString systemPrompt;
    QString paramsJson = QStringLiteral("{}");
    QString modelJson = QStringLiteral("{}");
    QString extraJson = QStringLiteral("{}"); // what this program does not know

    friend bool operator==(const StoredChat&, const StoredChat&) = default;
};

// How a reply was made: enough to do it again.
struct StoredRun
{
    quint64 seed = 0;
    QString paramsJson = QStringLiteral("{}");
    QString modelFingerprint, tokenizerFingerprint, backend, build, chatForm;
    QList<quint32> promptIds; // exactly what the engine got
    int droppedTurns = 0;
    int promptTokens = 0, cachedTokens = 0, newTokens = 0;
    qint64 ttftUs = 0, prefillUs = 0, decodeUs = 0;
    QString errorJson; // empty = none
    QString fallbackText; // not the model's words; empty = none
    int positionMode = 0;
    int saidCount = 0; // tokens the reply began with

    friend bool operator==(const StoredRun&, const StoredRun&) = default;
};

// A node of a chat's tree. Siblings (same parent) are variants, edits and forks.
struct StoredMessage
{
    qint64 id = 0; // from ChatStore::newId; greater than its parent's
    qint64 chat = 0;
    qint64 parent = 0; // 0 = first of the chat
    int variant = 0; // 0.. among its siblings; the store counts
    StoredRole role = StoredRole::User;
    StoredState state = StoredState::Complete;
    StoredStop stop = StoredStop::None;
    std::optional<qint64> forkToken; // token chosen instead, when made by "choose alternative"
    QByteArray text; // raw bytes; may end inside a character
    qint64 createdMs = 0;
    QString extraJson = QStringLiteral("{}");
    std::optional<StoredRun> run; // replies only
    QList<StoredToken> tokens; // replies only, in order; filled for the active path
    bool damaged = false; // read: the tokens cannot be trusted and are left out

    friend bool operator==(const StoredMessage&, const StoredMessage&) = default;
};

// A chat as opened: the whole tree without tokens, and the active path with them.
struct LoadedChat
{
    StoredChat chat;
    QList<StoredMessage> path; // root first
    QList<StoredMessage> others; // not on the path, by id; tokens are not read

    // Ids of the message's siblings with itself, by variant.
    [[nodiscard]] QList<qint64> variants(qint64 message) const;
};

struct Draft
{
    QString text;
    int cursor = 0;

    friend bool operator==(const Draft&, const Draft&) = default;
};

// Where a chat was scrolled to.
struct ViewPlace
{
    qint64 message = 0, byte = 0;
    int offsetPx = 0;

    friend bool operator==(const ViewPlace&, const ViewPlace&) = default;
};

// What one checkpoint adds: the whole text so far and the tokens from `firstToken` on.
struct ReplyPart
{
    qint64 message = 0;
    QByteArray text;
    qint64 firstToken = 0;
    QList<StoredToken> tokens;
};

// The end of a reply. `run` replaces the one of the beginning (metrics, prompt ids, error, fallback).
struct ReplyEnd
{
    ReplyPart last;
    StoredState state = StoredState::Complete;
    StoredStop stop = StoredStop::None;
    qint64 tokenCount = -1; // tokens that belong to the answer; a stop may take some back; -1 = all
    StoredRun run;
};

} // namespace kaikou
