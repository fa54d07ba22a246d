#include "ui/model/trouble.h"

#include "inference/study/loop.h"

#include <cmath>

namespace kaikou {

namespace {

constexpr std::size_t kFewTokens = 8; // below that nothing is said about the model
constexpr double kBrokenShare = 0.5; // of the tokens
constexpr double kFlat = 0.85; // of ln V

// Characters of the answer that are no UTF-8, per token.
double brokenShare(const Reply& reply)
{
    const std::string_view bytes = reply.visible();
    const QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    return static_cast<double>(text.count(QChar::ReplacementCharacter))
        / static_cast<double>(reply.tokens.size());
}

// Mean entropy as a share of the largest possible one; 0 where the vocabulary is not known.
double flatness(const Reply& reply)
{
    double sum = 0.0;
    std::uint32_t vocab = 0;
    for (const ReplyToken& token : reply.tokens) {
        sum += token.stats.entropy;
        if (token.record)
            vocab = token.record->logits.vocab;
    }
    return vocab < 2 ? 0.0 : sum / static_cast<double>(reply.tokens.size()) / std::log(vocab);
}

} // namespace

std::optional<Trouble> troubleOf(const Reply& reply)
{
    if (reply.running())
        return std::nullopt;
    if (reply.finish == FinishReason::Context)
        return Trouble {TroubleKind::NoRoom, {}, static_cast<int>(reply.metrics.promptTokens)};
    if (reply.tokens.size() < kFewTokens)
        return std::nullopt;
    if (brokenShare(reply) > kBrokenShare)
        return Trouble {TroubleKind::BrokenText, {}, 0};
    if (flatness(reply) > kFlat)
        return Trouble {TroubleKind::Untrained, {}, 0};
    const auto loop = findLoop(QString::fromStdString(reply.answer()).toStdU32String());
    if (!loop)
        return std::nullopt;
    return Trouble {
        TroubleKind::Loop, QString::fromStdU32String(loop->phrase), static_cast<int>(loop->times)};
}

} // namespace kaikou
