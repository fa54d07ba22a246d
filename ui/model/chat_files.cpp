#include "ui/model/chat_files.h"

#include "inference/history/chat_json.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QSaveFile>
#include <QUuid>

#include <algorithm>
#include <array>

namespace kaikou {

namespace {

constexpr qint64 kLargestFile = 256LL << 20;

// In the order of the enums on disk.
constexpr std::array kStates {"complete", "interrupted", "stopped", "interrupted", "error"};
constexpr std::array kStops {"", "eos", "stop", "length", "context", "cancelled", "error"};

template <std::size_t N>
std::string nameAt(const std::array<const char*, N>& names, int index)
{
    return index >= 0 && index < static_cast<int>(N) ? names[static_cast<std::size_t>(index)] : names[0];
}

template <std::size_t N>
int placeOf(const std::array<const char*, N>& names, std::string_view name, int last)
{
    for (int i = last; i >= 0; --i) {
        if (name == names[static_cast<std::size_t>(i)])
            return i;
    }
    return 0;
}

double ms(qint64 micros)
{
    return static_cast<double>(micros) / 1000.0;
}

ChatRun fileRun(const StoredRun& stored)
{
    ChatRun run;
    run.seed = stored.seed;
    run.params = jsonOf(stored.paramsJson.toStdString());
    run.model = stored.modelFingerprint.toStdString();
    run.tokenizer = stored.tokenizerFingerprint.toStdString();
    run.backend = stored.backend.toStdString();
    run.build = stored.build.toStdString();
    run.form = stored.chatForm.toStdString();
    run.fallback = stored.fallbackText.toStdString();
    run.promptIds.assign(stored.promptIds.begin(), stored.promptIds.end());
    run.droppedTurns = stored.droppedTurns;
    run.promptTokens = stored.promptTokens;
    run.cachedTokens = stored.cachedTokens;
    run.newTokens = stored.newTokens;
    run.said = stored.saidCount;
    run.ttftMs = ms(stored.ttftUs);
    run.prefillMs = ms(stored.prefillUs);
    run.decodeMs = ms(stored.decodeUs);
    return run;
}

StoredRun storedRun(const ChatRun& run)
{
    StoredRun stored;
    stored.seed = run.seed;
    stored.paramsJson = QString::fromStdString(run.params.dump());
    stored.modelFingerprint = QString::fromStdString(run.model);
    stored.tokenizerFingerprint = QString::fromStdString(run.tokenizer);
    stored.backend = QString::fromStdString(run.backend);
    stored.build = QString::fromStdString(run.build);
    stored.chatForm = QString::fromStdString(run.form);
    stored.fallbackText = QString::fromStdString(run.fallback);
    stored.promptIds = QList<quint32>(run.promptIds.begin(), run.promptIds.end());
    stored.droppedTurns = static_cast<int>(run.droppedTurns);
    stored.promptTokens = static_cast<int>(run.promptTokens);
    stored.cachedTokens = static_cast<int>(run.cachedTokens);
    stored.newTokens = static_cast<int>(run.newTokens);
    stored.saidCount = static_cast<int>(run.said);
    stored.ttftUs = std::llround(run.ttftMs * 1000.0);
    stored.prefillUs = std::llround(run.prefillMs * 1000.0);
    stored.decodeUs = std::llround(run.decodeMs * 1000.0);
    return stored;
}

ChatToken fileToken(const StoredToken& stored)
{
    ChatToken token;
    token.id = stored.id;
    token.begin = stored.byteBegin;
    token.length = stored.byteLength;
    token.logModel = static_cast<double>(stored.logModel);
    token.logShaped = static_cast<double>(stored.logShaped);
    token.logSample = static_cast<double>(stored.logSample);
    token.rank = stored.rank == kNoRank ? 0 : stored.rank;
    token.entropy = static_cast<double>(stored.entropy);
    token.u = stored.u;
    token.greedy = (stored.flags & StoredToken::Greedy) != 0;
    token.forced = (stored.flags & StoredToken::Forced) != 0;
    token.special = (stored.flags & StoredToken::Special) != 0;
    for (const StoredCandidate& candidate : stored.top)
        token.top.emplace_back(candidate.id, static_cast<double>(candidate.logprob));
    return token;
}

StoredToken storedToken(const ChatToken& token)
{
    StoredToken stored;
    stored.id = token.id;
    stored.byteBegin = static_cast<quint32>(token.begin);
    stored.byteLength = static_cast<quint16>(std::min<std::uint64_t>(token.length, 0xFFFF));
    stored.logModel = static_cast<float>(token.logModel);
    stored.logShaped = static_cast<float>(token.logShaped);
    stored.logSample = static_cast<float>(token.logSample);
    stored.rank = token.rank == 0 ? kNoRank : token.rank;
    stored.entropy = static_cast<float>(token.entropy);
    stored.u = token.u;
    stored.flags = static_cast<quint16>((token.greedy ? StoredToken::Greedy : 0)
        | (token.forced ? StoredToken::Forced : 0) | (token.special ? StoredToken::Special : 0));
    for (const auto& [id, logprob] : token.top)
        stored.top.append({id, static_cast<float>(logprob)});
    return stored;
}

ChatNode nodeOf(const StoredMessage& message)
{
    ChatNode node;
    node.id = message.id;
    node.parent = message.parent;
    node.assistant = message.role == StoredRole::Assistant;
    node.state = nameAt(kStates, static_cast<int>(message.state));
    node.stop = nameAt(kStops, static_cast<int>(message.stop));
    node.forkToken = message.forkToken;
    node.text = message.text.toStdString();
    node.createdMs = message.createdMs;
    if (message.run)
        node.run = fileRun(*message.run);
    for (const StoredToken& token : message.tokens)
        node.tokens.push_back(fileToken(token));
    return node;
}

} // namespace

ChatDocument documentOf(const LoadedChat& loaded)
{
    ChatDocument document;
    const StoredChat& chat = loaded.chat;
    document.uuid = chat.uuid.toStdString();
    document.title = chat.title.toStdString();
    document.systemPrompt = chat.systemPrompt.toStdString();
    document.pinned = chat.pinned;
    document.createdMs = chat.createdMs;
    document.updatedMs = chat.updatedMs;
    document.params = jsonOf(chat.paramsJson.toStdString());
    document.activeLeaf = chat.activeLeaf;
    for (const QList<StoredMessage>* list : {&loaded.path, &loaded.others}) {
        for (const StoredMessage& message : *list) {
            if (message.role == StoredRole::User || message.role == StoredRole::Assistant)
                document.nodes.push_back(nodeOf(message));
        }
    }
    std::ranges::sort(document.nodes, {}, &ChatNode::id); // parents first
    return document;
}

ImportedChat importedChat(const ChatDocument& document, const std::function<qint64()>& newId)
{
    ImportedChat imported;
    StoredChat& chat = imported.chat;
    chat.id = newId();
    chat.uuid = QUuid::createUuid().toString(QUuid::WithoutBraces); // a copy: the first one may be here too
    chat.title = QString::fromStdString(document.title);
    chat.systemPrompt = QString::fromStdString(document.systemPrompt);
    chat.createdMs = document.createdMs;
    chat.updatedMs = QDateTime::currentMSecsSinceEpoch();
    chat.paramsJson = QString::fromStdString(document.params.dump());
    QHash<qint64, qint64> ids;
    for (const ChatNode& node : document.nodes) {
        StoredMessage message;
        newId(); // notes of the window stand just below an answer's id
        newId();
        message.id = newId();
        ids.insert(node.id, message.id);
        message.chat = chat.id;
        message.parent = ids.value(node.parent, 0);
        message.role = node.assistant ? StoredRole::Assistant : StoredRole::User;
        message.state = static_cast<StoredState>(placeOf(kStates, node.state, 4));
        message.stop = static_cast<StoredStop>(placeOf(kStops, node.stop, 6));
        message.forkToken = node.forkToken;
        message.text = QByteArray::fromStdString(node.text);
        message.createdMs = node.createdMs;
        if (node.assistant)
            message.run = storedRun(node.run.value_or(ChatRun {}));
        for (const ChatToken& token : node.tokens)
            message.tokens.append(storedToken(token));
        imported.messages.append(message);
    }
    chat.activeLeaf = ids.value(document.activeLeaf, 0);
    return imported;
}

Result<void> writeChatFile(const QString& path, const LoadedChat& chat, const ExportWords& words,
    const std::function<std::string(TokenId)>& piece)
{
    const ChatDocument document = documentOf(chat);
    const QString suffix = QFileInfo(path).suffix().toLower();
    const std::string text = suffix == QStringLiteral("md") ? chatMarkdown(document, words)
        : suffix == QStringLiteral("csv")                   ? chatCsv(document)
        : suffix.startsWith(QStringLiteral("htm"))          ? chatHtml(document, words, piece)
                                                            : writeChatJson(document);
    QSaveFile file(path);
    const auto size = static_cast<qint64>(text.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), size) != size || !file.commit())
        return Error {ErrorCode::FileWrite, file.errorString().toStdString(), path.toStdString()};
    return {};
}

Result<ChatDocument> readChatFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error {ErrorCode::FileRead, file.errorString().toStdString(), path.toStdString()};
    if (file.size() > kLargestFile)
        return Error {ErrorCode::FileTooLarge, "a chat file has at most 256 MiB", path.toStdString()};
    return readChatJson(file.readAll().toStdString(), path.toStdString());
}

} // namespace kaikou
