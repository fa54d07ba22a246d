#include "ui/model/reply.h"

#include "inference/chat/visible_answer.h"
#include "inference/history/confidence.h"

namespace kaikou {

void dropLogits(ReplyToken& token)
{
    if (token.record)
        token.top = topTokens(token.record->logits, kKeptAlternatives);
    token.record = nullptr;
}

std::string Reply::answer() const
{
    return visibleAnswer(visible(), setup.family);
}

bool Reply::usable() const
{
    const bool whole = state == ReplyState::Complete || state == ReplyState::Interrupted;
    return whole && fallback.isEmpty() && finish != FinishReason::Error
        && answer().find_first_not_of(" \t\r\n") != std::string::npos;
}

void appendToken(Reply& reply, const Token& token)
{
    // A special token's bytes are empty; its place in the answer is the end so far.
    const std::uint64_t begin = reply.bytes.size();
    reply.bytes += token.bytes;
    reply.tokens.push_back({token.id, begin, reply.bytes.size(), token.stats, token.record, {}});
    reply.releasedTo = std::min<std::uint64_t>(token.releasedTo, reply.bytes.size());
    reply.state = ReplyState::Streaming;
}

void finishReply(Reply& reply, const Finished& finished)
{
    reply.state = ReplyState::Complete;
    reply.finish = finished.reason;
    reply.stopString = finished.stopString;
    reply.metrics = finished.metrics;
    reply.releasedTo = std::min<std::uint64_t>(finished.answerBytes, reply.bytes.size());
}

int openEnd(const Reply& reply)
{
    const bool byItself = reply.finish == FinishReason::Eos || reply.finish == FinishReason::Stop;
    if (reply.running() || byItself || !reply.fallback.isEmpty())
        return 0;
    auto count = static_cast<int>(reply.tokens.size());
    while (count > 0 && reply.tokens[static_cast<std::size_t>(count) - 1].byteEnd > reply.releasedTo)
        --count;
    return count;
}

std::optional<ReplyConfidence> confidenceOf(const Reply& reply)
{
    std::vector<AnswerToken> tokens;
    tokens.reserve(reply.tokens.size());
    for (const ReplyToken& token : reply.tokens)
        tokens.push_back(
            {token.stats, token.byteEnd > token.byteBegin && token.byteBegin < reply.releasedTo});
    const auto answer = answerConfidence(tokens);
    const auto teacher = gptTeacherConfidence(tokens);
    if (!answer || !teacher)
        return std::nullopt;
    return ReplyConfidence {answer->mean, answer->geometricMean, static_cast<int>(answer->lowest), *teacher};
}

Band bandOf(double probability)
{
    switch (confidenceLabel(probability)) {
    case ConfidenceLabel::High:
        return Band::High;
    case ConfidenceLabel::Medium:
        return Band::Medium;
    case ConfidenceLabel::Low:
        break;
    }
    return Band::Low;
}

} // namespace kaikou
