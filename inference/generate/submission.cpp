#include "inference/generate/submission.h"

#include "inference/generate/sequence.h"

#include <algorithm>
#include <string>
#include <utility>

namespace kaikou {

namespace {

constexpr std::uint32_t kMaxChoices = 50;

Error rangeError(std::string message, std::string field)
{
    return {ErrorCode::ParameterRange, std::move(message), std::move(field)};
}

Result<void> checkRequest(const Request& request)
{
    KAIKOU_CHECK(check(request.sampling));
    if (request.choices < 1 || request.choices > kMaxChoices)
        return rangeError("choices must be 1.." + std::to_string(kMaxChoices), "choices");
    if (request.mode == Mode::Score && request.choices != 1)
        return rangeError("scoring has one choice", "choices");
    for (const std::string& stop : request.stops.strings)
        if (stop.empty())
            return rangeError("a stop string must not be empty", "stops");
    return {};
}

Result<void> checkIds(const std::vector<TokenId>& ids, std::uint32_t rows, const char* field)
{
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] >= rows)
            return Error {ErrorCode::TokenIdRange,
                "token id " + std::to_string(ids[i]) + " is not below " + std::to_string(rows),
                std::string(field) + "[" + std::to_string(i) + "]"};
    return {};
}

Result<void> checkShapingIds(const SampleParams& params, std::uint32_t rows)
{
    KAIKOU_CHECK(checkIds(params.masked, rows, "masked"));
    std::vector<TokenId> biased;
    for (const auto& [id, bias] : params.logitBias)
        biased.push_back(id);
    return checkIds(biased, rows, "logit_bias");
}

// Generating needs a free position after prompt and said; scoring computes no row for the last token.
Result<void> checkLength(const Job& job, std::uint32_t context)
{
    if (job.tokens.empty())
        return Error {ErrorCode::PromptEmpty, "the prompt has no tokens", "prompt"};
    const std::uint32_t needed = job.rowsNeeded() + (job.mode == Mode::Score ? 0 : 1);
    if (needed > context)
        return Error {ErrorCode::PromptTooLong,
            "the prompt needs " + std::to_string(needed) + " positions, the context has "
                + std::to_string(context),
            "prompt"};
    if (job.mode == Mode::Score && job.scoreFrom >= job.tokens.size())
        return rangeError("nothing to score from token " + std::to_string(job.scoreFrom), "score_from");
    return {};
}

// The request's parameters with the ids masked that must never be drawn: rows of the embedding that no token
// has, and the end tokens where they are to be ignored.
std::shared_ptr<const SampleParams> maskedParams(const Request& request, const SubmitContext& context)
{
    auto params = std::make_shared<SampleParams>(request.sampling);
    for (TokenId id = context.tokenizer.info().vocab; id < context.model.config.vocabRows; ++id)
        params->masked.push_back(id);
    if (request.ignoreEos)
        for (const TokenId id : context.tokenizer.special().eos)
            if (id < context.model.config.vocabRows)
                params->masked.push_back(id);
    return params;
}

// The form is fixed here, from the steps this job can make, and does not change midway.
void chooseRecord(Job& job, const Request& request, const SubmitContext& context)
{
    if (request.trace == TraceLevel::Stats)
        return;
    const std::uint32_t vocab = context.model.config.vocabRows;
    const auto length = static_cast<std::uint32_t>(job.tokens.size());
    const std::uint32_t steps = job.mode == Mode::Score
        ? length - job.scoreFrom
        : std::min(job.maxTokens, context.model.context - length);
    const std::uint64_t siblings = std::uint64_t {request.choices} * std::max(1U, request.liveSiblings);
    job.record = request.trace == TraceLevel::Top
        ? RecordForm::Top
        : chooseRecordForm(vocab, steps, siblings, request.recordLimitBytes);
    switch (*job.record) {
    case RecordForm::F32:
        job.recordBytes = std::uint64_t {vocab} * sizeof(float);
        break;
    case RecordForm::F16:
        job.recordBytes = std::uint64_t {vocab} * sizeof(std::uint16_t);
        break;
    case RecordForm::Top:
        job.recordBytes = std::uint64_t {std::min(vocab, kTopRecordSize)} * (sizeof(float) + sizeof(TokenId));
        break;
    }
}

// Prompt and said as one row of tokens, and where scoring begins.
Result<void> placeTokens(Job& job, const Request& request, PromptInfo prompt, const SubmitContext& context)
{
    const std::uint32_t vocab = context.model.config.vocabRows;
    KAIKOU_CHECK(checkIds(prompt.ids, vocab, "prompt"));
    KAIKOU_CHECK(checkIds(request.said, vocab, "said"));
    job.tokens = prompt.ids;
    job.tokens.insert(job.tokens.end(), request.said.begin(), request.said.end());
    job.prompt = std::make_shared<const PromptInfo>(std::move(prompt));
    job.scoreFrom = request.scoreFrom == UINT32_MAX ? job.promptTokens() : request.scoreFrom;
    KAIKOU_CHECK(checkLength(job, context.model.context));
    job.generatedPosition = generatedPosition(request.positions, context.model.config);
    placeRows(job);
    return {};
}

} // namespace

Result<std::shared_ptr<Job>> prepareJob(
    const Request& request, std::shared_ptr<EventQueue> events, const SubmitContext& context)
{
    auto job = std::make_shared<Job>();
    job->submitted = std::chrono::steady_clock::now();
    KAIKOU_CHECK(checkRequest(request));
    KAIKOU_CHECK(checkShapingIds(request.sampling, context.model.config.vocabRows));
    job->owner = request.owner;
    job->mode = request.mode;
    job->maxTokens = request.maxTokens == 0 ? UINT32_MAX : request.maxTokens;
    job->choices = job->open = request.choices;
    job->seed = request.seed;
    job->ignoreEos = request.ignoreEos;
    job->params = maskedParams(request, context);
    job->events = std::move(events);
    KAIKOU_TRY(PromptInfo prompt, context.text.preview(request));
    job->stops = effectiveStops(request.stops, prompt.form, context.model.config.family);
    KAIKOU_CHECK(placeTokens(*job, request, std::move(prompt), context));
    chooseRecord(*job, request, context);
    return job;
}

} // namespace kaikou
