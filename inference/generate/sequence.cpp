#include "inference/generate/sequence.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace kaikou {

std::optional<std::uint32_t> generatedPosition(PositionMode mode, const ModelConfig& config)
{
    const bool teacher = mode == PositionMode::GptTeacher
        || (mode == PositionMode::Automatic && config.family == Family::GptTeacher);
    return teacher ? std::optional(config.kvHeads) : std::nullopt;
}

void placeRows(Job& job)
{
    job.rows.resize(job.tokens.size());
    for (std::uint32_t i = 0; i < job.tokens.size(); ++i) {
        const bool generated = i >= job.promptTokens();
        job.rows[i] = {job.tokens[i], generated ? job.generatedPosition.value_or(i) : i};
    }
}

Sequence::Sequence(std::shared_ptr<Job> job, std::uint32_t choice, const Tokenizer& tokenizer,
    std::uint32_t context, PrefixCache::Lease lease)
    : m_job(std::move(job))
    , m_choice(choice)
    , m_tokenizer(tokenizer)
    , m_context(context)
    , m_slot(lease.slot)
    , m_computed(lease.rows)
    , m_needed(m_job->rowsNeeded())
    , m_answerFrom(m_job->promptTokens())
    , m_sampler(*m_job->params, tokenizer.special(), m_job->seed + choice)
    , m_stops(m_job->stops)
{
    m_tokens.reserve(std::min<std::size_t>(context, m_job->tokens.size() + m_job->maxTokens) + 1);
    m_tokens = m_job->tokens;
    m_timeline.submitted = m_job->submitted;
    if (m_job->mode == Mode::Score)
        m_answerFrom = std::min(m_answerFrom, m_job->scoreFrom);
    const std::size_t known = m_job->mode == Mode::Score ? m_job->scoreFrom : m_tokens.size();
    for (std::size_t i = m_answerFrom; i < known; ++i)
        static_cast<void>(m_stops.feed(bytesOf(m_tokens[i]), false)); // said bytes end nothing by themselves
}

Sequence::Phase Sequence::phase() const
{
    if (m_end)
        return Phase::Done;
    return m_tokens.size() > m_job->tokens.size() ? Phase::Decode : Phase::Prefill;
}

CachedRow Sequence::row(std::uint32_t index) const
{
    if (index < m_job->rows.size())
        return m_job->rows[index];
    return {m_tokens[index], m_job->generatedPosition.value_or(index)};
}

bool Sequence::wantsLogits(std::uint32_t index) const
{
    if (m_job->mode == Mode::Score)
        return index + 1 >= m_job->scoreFrom;
    const bool shared = phase() == Phase::Prefill && !m_job->firstLogits.empty();
    return index + 1 == m_needed && !shared;
}

void Sequence::stepStarts(TimePoint now)
{
    if (m_timeline.firstStep == TimePoint {})
        m_timeline.firstStep = now;
}

void Sequence::scoreFirstToken()
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    TokenStats none;
    none.pModel = none.pShaped = none.pSample = none.entropy = none.margin = kNone;
    const std::uint64_t begin = m_stops.totalBytes();
    static_cast<void>(m_stops.feed(bytesOf(m_tokens.front()), false));
    if (m_needed == 0)
        m_end = End {FinishReason::Length, {}};
    m_answerBytes = m_stops.totalBytes();
    publish(m_tokens.front(), begin, none, nullptr);
}

Result<void> Sequence::take(std::uint32_t index, std::span<const float> logits, TimePoint now)
{
    return m_job->mode == Mode::Score ? score(index, logits, now) : draw(logits, now);
}

Result<void> Sequence::draw(std::span<const float> logits, TimePoint now)
{
    const std::size_t step = m_tokens.size() - m_answerFrom;
    KAIKOU_TRY(const Drawn drawn, m_sampler.draw(logits, historyBefore(m_tokens.size())));
    m_timeline.token(now);
    m_tokens.push_back(drawn.token);
    ++m_needed;
    const bool mayStop = m_job->stops.beforeMinTokens || step >= m_job->params->minTokens;
    const std::uint64_t begin = m_stops.totalBytes();
    std::optional<StopMatcher::Match> match = m_stops.feed(bytesOf(drawn.token), mayStop);
    m_answerBytes = match ? match->answerBytes : m_stops.totalBytes();
    m_end = endAfter(drawn.token, match);
    publish(drawn.token, begin, drawn.stats, recordOf(drawn.token, step, logits, drawn.stats));
    return {};
}

Result<void> Sequence::score(std::uint32_t index, std::span<const float> logits, TimePoint now)
{
    const std::size_t token = index + 1;
    const History history = historyBefore(token);
    const TokenId id = m_tokens[token];
    KAIKOU_TRY(const TokenStats stats, m_sampler.score(logits, history, id));
    m_timeline.token(now);
    const std::uint64_t begin = m_stops.totalBytes();
    static_cast<void>(m_stops.feed(bytesOf(id), false));
    m_answerBytes = m_stops.totalBytes();
    if (token + 1 == m_tokens.size())
        m_end = End {isEos(id) ? FinishReason::Eos : FinishReason::Length, {}};
    publish(id, begin, stats, recordOf(id, history.generated.size(), logits, stats));
    return {};
}

// What the sampler saw before m_tokens[token] was chosen: prompt tokens have only prompt before them.
History Sequence::historyBefore(std::size_t token) const
{
    const std::span<const TokenId> all = m_tokens;
    const std::size_t prompt = std::min<std::size_t>(token, m_job->promptTokens());
    return {all.first(prompt), all.subspan(prompt, token - prompt)};
}

std::string_view Sequence::bytesOf(TokenId id) const
{
    if (m_tokenizer.isSpecial(id) || isEos(id))
        return {};
    return m_tokenizer.piece(id);
}

bool Sequence::isEos(TokenId id) const
{
    const std::vector<TokenId>& eos = m_tokenizer.special().eos;
    return std::find(eos.begin(), eos.end(), id) != eos.end();
}

std::optional<Sequence::End> Sequence::endAfter(TokenId id, std::optional<StopMatcher::Match>& match) const
{
    if (isEos(id) && !m_job->ignoreEos)
        return End {FinishReason::Eos, {}};
    if (match)
        return End {FinishReason::Stop, std::move(match->stop)};
    if (m_timeline.newTokens >= m_job->maxTokens)
        return End {FinishReason::Length, {}};
    if (m_tokens.size() >= m_context)
        return End {FinishReason::Context, {}};
    return std::nullopt;
}

std::shared_ptr<const StepRecord> Sequence::recordOf(
    TokenId id, std::size_t step, std::span<const float> logits, const TokenStats& stats) const
{
    if (!m_job->record)
        return nullptr;
    auto record = std::make_shared<StepRecord>();
    record->token = id;
    record->step = step;
    record->logits = RawLogits::keep(logits, *m_job->record);
    record->params = m_job->params;
    record->stats = stats;
    record->stats.special = m_tokenizer.isSpecial(id);
    return record;
}

void Sequence::publish(
    TokenId id, std::uint64_t byteBegin, TokenStats stats, std::shared_ptr<const StepRecord> record) const
{
    stats.special = m_tokenizer.isSpecial(id);
    Token token;
    token.ticket = m_job->ticket;
    token.choice = m_choice;
    token.id = id;
    token.bytes = bytesOf(id);
    token.byteBegin = byteBegin;
    token.releasedTo = m_end ? m_answerBytes : m_stops.releasedTo();
    token.stats = stats;
    token.record = std::move(record);
    m_job->events->push(std::move(token));
}

// Tokens from the first of the answer to the last that has a byte of it or stands before one; an end token
// and what a stop string took back do not belong to it.
std::uint32_t Sequence::answerTokens() const
{
    std::size_t count = m_tokens.size();
    if (m_end && m_end->reason == FinishReason::Eos)
        --count;
    std::uint64_t begin = m_stops.totalBytes();
    while (m_end && m_end->reason == FinishReason::Stop && count > m_answerFrom) {
        begin -= bytesOf(m_tokens[count - 1]).size();
        if (begin < m_answerBytes)
            break;
        --count;
    }
    return static_cast<std::uint32_t>(count) - m_answerFrom;
}

Finished Sequence::finished() const
{
    Finished finished;
    finished.ticket = m_job->ticket;
    finished.choice = m_choice;
    finished.reason = m_end ? m_end->reason : FinishReason::Cancelled;
    if (m_end)
        finished.stopString = m_end->stopString;
    finished.answerBytes = m_end ? m_answerBytes : m_stops.totalBytes();
    finished.tokens = answerTokens();
    finished.metrics = measure(m_timeline, m_job->promptTokens(), m_job->cachedTokens);
    return finished;
}

} // namespace kaikou
