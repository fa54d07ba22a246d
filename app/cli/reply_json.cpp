#include "app/cli/reply_json.h"

#include "app/cli/print.h"
#include "app/cli/sampling_options.h"
#include "inference/history/confidence.h"

namespace kaikou::cli {

namespace {

// The `top` most likely tokens of a step with their P_model.
Json alternatives(const StepRecord& record, std::uint32_t top)
{
    Json list = Json::array();
    for (const TopToken& token : topTokens(record.logits, top))
        list.push(Json::object().set("id", token.id).set("p_model", token.pModel));
    return list;
}

Json tokenJson(const Token& token, std::uint32_t top)
{
    Json json = Json::object()
                    .set("id", token.id)
                    .set("bytes", bytesJson(token.bytes))
                    .set("p_model", token.stats.pModel)
                    .set("p_shaped", token.stats.pShaped)
                    .set("p_sample", token.stats.pSample)
                    .set("rank", token.stats.rank)
                    .set("entropy", token.stats.entropy)
                    .set("u", token.stats.u);
    if (top > 0 && token.record)
        json.set("top", alternatives(*token.record, top));
    return json;
}

Json metricsJson(const Metrics& metrics)
{
    return Json::object()
        .set("prompt_tokens", metrics.promptTokens)
        .set("cached_tokens", metrics.cachedTokens)
        .set("new_tokens", metrics.newTokens)
        .set("ttft_ms", metrics.ttftMs)
        .set("tpot_ms", metrics.tpotMs)
        .set("tokens_per_second", metrics.tokensPerSecond);
}

const char* labelName(ConfidenceLabel label)
{
    constexpr const char* kNames[] = {"high", "medium", "low"};
    return kNames[static_cast<std::size_t>(label)];
}

Json confidenceJson(const Reply& reply)
{
    std::vector<AnswerToken> tokens;
    for (const Token& token : reply.tokens)
        tokens.push_back({token.stats, !token.bytes.empty() && token.byteBegin < reply.end.answerBytes});
    const auto confidence = answerConfidence(tokens);
    const auto teacher = gptTeacherConfidence(tokens);
    if (!confidence || !teacher)
        return {};
    return Json::object()
        .set("mean", confidence->mean)
        .set("label", labelName(confidence->label))
        .set("geometric_mean", confidence->geometricMean)
        .set("lowest",
            Json::object().set("index", confidence->lowest).set("p_model", confidence->lowestProbability))
        .set("gpt_teacher",
            Json::object().set("mean", *teacher).set("label", labelName(confidenceLabel(*teacher))));
}

} // namespace

std::string_view finishName(FinishReason reason)
{
    constexpr std::string_view kNames[] = {"eos", "stop", "length", "context", "cancelled", "error"};
    return kNames[static_cast<std::size_t>(reason)];
}

Json replyJson(
    const CompletionService& service, const Request& request, const Completion& completion, std::uint32_t top)
{
    const Reply& reply = completion.replies.front();
    const Capabilities capabilities = service.capabilities();
    Json ids = Json::array();
    for (const TokenId id : completion.prompt ? completion.prompt->ids : std::vector<TokenId> {})
        ids.push(id);
    Json tokens = Json::array();
    for (const Token& token : reply.tokens)
        tokens.push(tokenJson(token, top));
    return Json::object()
        .set("prompt_ids", ids)
        .set("tokens", tokens)
        .set("text", reply.text)
        .set("finish_reason", finishName(reply.end.reason))
        .set("stop_string", reply.end.reason == FinishReason::Stop ? Json(reply.end.stopString) : Json())
        .set("confidence", confidenceJson(reply))
        .set("metrics", metricsJson(reply.end.metrics))
        .set("seed", request.seed)
        .set("parameters", toJson(request.sampling))
        .set("model",
            Json::object().set("name", capabilities.model).set("fingerprint", capabilities.fingerprint))
        .set("backend", capabilities.backend)
        .set("threads", capabilities.threads);
}

} // namespace kaikou::cli
