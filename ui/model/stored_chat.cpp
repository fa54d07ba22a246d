#include "ui/model/stored_chat.h"

#include "ui/model/params_json.h"

#include <QDateTime>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kaikou {

namespace {

constexpr const char* kFamilies[] = {"gpt_teacher", "gpt_teacher_first", "llama"};

QString compact(const QJsonObject& json)
{
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

QJsonObject parsed(const QString& text)
{
    return QJsonDocument::fromJson(text.toUtf8()).object();
}

float logOf(double probability)
{
    return static_cast<float>(std::log(probability));
}

qint64 micros(double ms)
{
    return std::llround(ms * 1000.0);
}

StoredStop stopOf(const Reply& reply)
{
    if (!reply.finish)
        return StoredStop::None;
    constexpr StoredStop kStops[] = {StoredStop::Eos, StoredStop::Stop, StoredStop::Length,
        StoredStop::Context, StoredStop::Cancelled, StoredStop::Error};
    return kStops[static_cast<std::size_t>(*reply.finish)];
}

std::optional<FinishReason> finishOf(StoredStop stop)
{
    const auto number = static_cast<int>(stop) - static_cast<int>(StoredStop::Eos);
    if (number < 0 || number > static_cast<int>(FinishReason::Error))
        return std::nullopt;
    return static_cast<FinishReason>(number);
}

StoredState stateOf(const Reply& reply)
{
    if (reply.running())
        return StoredState::Streaming;
    if (reply.state == ReplyState::Failed)
        return StoredState::Error;
    if (reply.state == ReplyState::Interrupted)
        return StoredState::Interrupted;
    return reply.finish == FinishReason::Cancelled ? StoredState::Stopped : StoredState::Complete;
}

ReplyState stateOf(StoredState state)
{
    switch (state) {
    case StoredState::Error:
        return ReplyState::Failed;
    case StoredState::Streaming:
    case StoredState::Interrupted:
        return ReplyState::Interrupted;
    case StoredState::Complete:
    case StoredState::Stopped:
        break;
    }
    return ReplyState::Complete;
}

QString setupJson(const ReplySetup& setup)
{
    QJsonObject json = paramsToJson({setup.params, setup.stops, setup.positions, setup.maxTokens});
    json[QStringLiteral("use_earlier_turns")] = setup.useEarlier;
    json[QStringLiteral("model")] = setup.modelName;
    json[QStringLiteral("family")] = QLatin1String(kFamilies[static_cast<std::size_t>(setup.family)]);
    json[QStringLiteral("gpt_teacher")] = setup.gptTeacher;
    return compact(json);
}

ReplySetup setupOf(const StoredRun& run)
{
    const QJsonObject json = parsed(run.paramsJson);
    ReplySetup setup;
    if (const auto params = paramsFromJson(json)) {
        setup.params = params->sampling;
        setup.stops = params->stops;
        setup.positions = params->positions;
        setup.maxTokens = params->maxTokens;
    }
    setup.seed = run.seed;
    setup.said = run.saidCount;
    setup.useEarlier = json.value(QStringLiteral("use_earlier_turns")).toBool(true);
    setup.modelName = json.value(QStringLiteral("model")).toString();
    setup.gptTeacher = json.value(QStringLiteral("gpt_teacher")).toBool();
    const QString family = json.value(QStringLiteral("family")).toString();
    for (std::size_t i = 0; i < std::size(kFamilies); ++i) {
        if (family == QLatin1String(kFamilies[i]))
            setup.family = static_cast<Family>(i);
    }
    setup.fingerprint = run.modelFingerprint;
    setup.backend = run.backend;
    return setup;
}

StoredToken storedToken(const ReplyToken& token, std::uint64_t releasedTo)
{
    StoredToken stored;
    stored.id = token.id;
    stored.byteBegin = static_cast<quint32>(token.byteBegin);
    stored.byteLength = static_cast<quint16>(std::min(token.byteEnd, releasedTo) - token.byteBegin);
    stored.flags = static_cast<quint16>((token.stats.greedy ? StoredToken::Greedy : 0)
        | (token.stats.forced ? StoredToken::Forced : 0) | (token.stats.special ? StoredToken::Special : 0));
    stored.logModel = logOf(token.stats.pModel);
    stored.logShaped = logOf(token.stats.pShaped);
    stored.logSample = logOf(token.stats.pSample);
    stored.rank = token.stats.rank == 0 ? kNoRank : token.stats.rank;
    stored.entropy = static_cast<float>(token.stats.entropy);
    stored.u = token.stats.u;
    const std::vector<TopToken> top
        = token.record ? topTokens(token.record->logits, kKeptAlternatives) : token.top;
    for (const TopToken& candidate : top)
        stored.top.append({candidate.id, logOf(candidate.pModel)});
    return stored;
}

ReplyToken tokenOf(const StoredToken& stored)
{
    ReplyToken token;
    token.id = stored.id;
    token.byteBegin = stored.byteBegin;
    token.byteEnd = stored.byteBegin + stored.byteLength;
    token.stats.pModel = std::exp(static_cast<double>(stored.logModel));
    token.stats.pShaped = std::exp(static_cast<double>(stored.logShaped));
    token.stats.pSample = std::exp(static_cast<double>(stored.logSample));
    token.stats.rank = stored.rank == kNoRank ? 0 : stored.rank;
    token.stats.entropy = static_cast<double>(stored.entropy);
    token.stats.margin = std::numeric_limits<double>::quiet_NaN(); // not on disk
    token.stats.u = stored.u;
    token.stats.greedy = (stored.flags & StoredToken::Greedy) != 0;
    token.stats.forced = (stored.flags & StoredToken::Forced) != 0;
    token.stats.special = (stored.flags & StoredToken::Special) != 0;
    for (const StoredCandidate& candidate : stored.top)
        token.top.push_back({candidate.id, std::exp(static_cast<double>(candidate.logprob))});
    return token;
}

Metrics metricsOf(const StoredRun& run)
{
    Metrics metrics;
    metrics.promptTokens = static_cast<std::uint32_t>(run.promptTokens);
    metrics.cachedTokens = static_cast<std::uint32_t>(run.cachedTokens);
    metrics.newTokens = static_cast<std::uint32_t>(run.newTokens);
    metrics.ttftMs = static_cast<double>(run.ttftUs) / 1000.0;
    metrics.prefillMs = static_cast<double>(run.prefillUs) / 1000.0;
    if (run.newTokens > 1 && run.decodeUs > 0) {
        metrics.tpotMs = static_cast<double>(run.decodeUs) / 1000.0 / (run.newTokens - 1);
        metrics.tokensPerSecond = 1000.0 / metrics.tpotMs;
    }
    return metrics;
}

Error errorOf(const QString& json)
{
    const QJsonObject object = parsed(json);
    return {static_cast<ErrorCode>(
                object.value(QStringLiteral("code")).toInt(static_cast<int>(ErrorCode::Internal))),
        object.value(QStringLiteral("detail")).toString().toStdString(), {}};
}

} // namespace

int storableTokens(const Reply& reply)
{
    int count = 0;
    for (const ReplyToken& token : reply.tokens) {
        const bool begun = token.byteBegin < reply.releasedTo || token.byteEnd <= reply.releasedTo;
        const bool whole = token.byteEnd <= reply.releasedTo;
        if (!begun || (!whole && reply.running()))
            break;
        ++count;
    }
    return count;
}

QList<StoredToken> storedTokens(const Reply& reply, int from, int to)
{
    QList<StoredToken> tokens;
    for (int i = from; i < to; ++i)
        tokens.append(storedToken(reply.tokens[static_cast<std::size_t>(i)], reply.releasedTo));
    return tokens;
}

ReplyPart checkpointOf(quint64 id, const Reply& reply, int from)
{
    const std::string_view text = reply.visible();
    ReplyPart part;
    part.message = static_cast<qint64>(id);
    part.text = QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    part.firstToken = from;
    part.tokens = storedTokens(reply, from, storableTokens(reply));
    return part;
}

StoredRun runOf(const Reply& reply)
{
    StoredRun run;
    run.seed = reply.setup.seed;
    run.paramsJson = setupJson(reply.setup);
    run.modelFingerprint = reply.setup.fingerprint;
    run.backend = reply.setup.backend;
    run.build = QStringLiteral(KAIKOU_VERSION);
    run.fallbackText = reply.fallback;
    run.positionMode = static_cast<int>(reply.setup.positions);
    run.saidCount = reply.setup.said;
    if (reply.prompt) {
        run.promptIds = QList<quint32>(reply.prompt->ids.begin(), reply.prompt->ids.end());
        run.droppedTurns = static_cast<int>(reply.prompt->droppedTurns);
        run.chatForm = QString::fromStdString(reply.prompt->reason);
    }
    run.promptTokens = static_cast<int>(reply.metrics.promptTokens);
    run.cachedTokens = static_cast<int>(reply.metrics.cachedTokens);
    run.newTokens = static_cast<int>(reply.metrics.newTokens);
    run.ttftUs = micros(reply.metrics.ttftMs);
    run.prefillUs = micros(reply.metrics.prefillMs);
    run.decodeUs = run.newTokens > 1 ? micros(reply.metrics.tpotMs * (run.newTokens - 1)) : 0;
    if (reply.error)
        run.errorJson = compact(QJsonObject {{QStringLiteral("code"), static_cast<int>(reply.error->code)},
            {QStringLiteral("detail"), QString::fromStdString(reply.error->message)}});
    return run;
}

ReplyEnd endOf(quint64 id, const Reply& reply, int from)
{
    ReplyEnd end;
    const int count = storableTokens(reply);
    end.last = checkpointOf(id, reply, std::min(from, count));
    end.state = stateOf(reply);
    end.stop = stopOf(reply);
    end.tokenCount = count;
    end.run = runOf(reply);
    return end;
}

StoredMessage storedMessage(const Message& message, qint64 chat, qint64 parent)
{
    StoredMessage stored;
    stored.id = static_cast<qint64>(message.id);
    stored.chat = chat;
    stored.parent = parent;
    stored.createdMs = QDateTime::currentMSecsSinceEpoch();
    if (message.kind == MessageKind::Question) {
        stored.text = QByteArray::fromStdString(message.text);
        return stored;
    }
    const Reply& reply = message.reply;
    stored.role = StoredRole::Assistant;
    stored.state = stateOf(reply);
    stored.text = checkpointOf(message.id, reply, 0).text;
    stored.run = runOf(reply);
    if (!reply.tokens.empty() && reply.setup.said > 0
        && reply.tokens[static_cast<std::size_t>(reply.setup.said) - 1].stats.forced)
        stored.forkToken = reply.setup.said - 1;
    return stored;
}

std::pair<Message, quint64> messageOf(const StoredMessage& stored, bool read)
{
    Message message;
    message.id = static_cast<quint64>(stored.id);
    const auto parent = static_cast<quint64>(stored.parent);
    if (stored.role == StoredRole::User) {
        message.text = stored.text.toStdString();
        return {std::move(message), parent};
    }
    message.kind = MessageKind::Answer;
    Reply& reply = message.reply;
    const StoredRun run = stored.run.value_or(StoredRun {});
    reply.setup = setupOf(run);
    reply.state = stateOf(stored.state);
    reply.bytes = stored.text.toStdString();
    reply.releasedTo = reply.bytes.size();
    reply.finish = finishOf(stored.stop);
    reply.metrics = metricsOf(run);
    reply.fallback = run.fallbackText;
    reply.unread = !read;
    reply.damaged = stored.damaged;
    if (reply.state == ReplyState::Failed)
        reply.error = errorOf(run.errorJson);
    if (!run.promptIds.isEmpty()) {
        auto prompt = std::make_shared<PromptInfo>();
        prompt->ids.assign(run.promptIds.begin(), run.promptIds.end());
        prompt->droppedTurns = static_cast<std::uint32_t>(run.droppedTurns);
        prompt->reason = run.chatForm.toStdString();
        reply.prompt = std::move(prompt);
    }
    for (const StoredToken& token : stored.tokens)
        reply.tokens.push_back(tokenOf(token));
    return {std::move(message), parent};
}

QString titleOf(const QString& question)
{
    constexpr qsizetype kLength = 40;
    QString line = question.trimmed().section(QLatin1Char('\n'), 0, 0).simplified();
    if (line.size() <= kLength)
        return line;
    qsizetype cut = kLength;
    if (line.at(cut - 1).isHighSurrogate()) // a pair is one character
        --cut;
    return line.left(cut) + QStringLiteral("…");
}

} // namespace kaikou
