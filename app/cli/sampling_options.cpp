#include "app/cli/sampling_options.h"

#include "app/cli/print.h"
#include "inference/sample/reshape.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <string>

namespace kaikou::cli {

namespace {

template <class T>
void lay(T& field, const std::optional<T>& given)
{
    if (given)
        field = *given;
}

// Digits that fit 64 bits; CLI11 would take -1 and what is too large for the largest number.
std::string wholeNumber(const std::string& text)
{
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::string()
                                                     : text + " is not a whole number from 0 to 2^64 - 1";
}

} // namespace

void SamplingOptions::addTo(CLI::App& app)
{
    app.add_option("--temperature", temperature, "Flatness of the distribution; 0 = greedy");
    app.add_option("--top-k", topK, "Keep the k most likely; 0 or -1 = off")
        ->check(CLI::Range(-1, INT32_MAX));
    app.add_option("--top-p", topP, "Keep the most likely tokens up to this mass; 1 = off");
    app.add_option("--min-p", minP, "Drop tokens below this share of the best; 0 = off");
    app.add_option(
        "--repetition-penalty", repetitionPenalty, "Divide the logit of tokens seen before; 1 = off");
    app.add_option("--presence-penalty", presencePenalty, "Subtract once from generated tokens; 0 = off");
    app.add_option(
        "--frequency-penalty", frequencyPenalty, "Subtract per occurrence in the console; 0 = off");
    app.add_option("--min-new-tokens", minNewTokens, "Do not end before this many tokens");
    app.add_option("--max-new-tokens", maxNewTokens, "End after this many tokens")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", seed, "Number of the dice, 0 to 2^64 - 1; the same seed gives the same answer")
        ->check(wholeNumber);
    app.add_option("--semantics", semantics, "Whose rules: standard, llama.cpp, vllm, litgpt, gpt_teacher");
    app.add_flag("--greedy", greedy, "Always the most likely token");
    app.add_flag("--temperature-last", temperatureLast, "Cut at temperature 1, then apply the temperature");
}

Result<SampleParams> SamplingOptions::over(SampleParams base) const
{
    if (temperature.value_or(0.0F) < 0.0F)
        return Error {ErrorCode::ParameterRange, "temperature is 0 (greedy) or more", "--temperature"};
    if (minNewTokens.value_or(0) > maxNewTokens.value_or(UINT32_MAX))
        return Error {ErrorCode::ParameterRange,
            "more tokens are asked for than allowed: " + std::to_string(*minNewTokens) + " and "
                + std::to_string(*maxNewTokens),
            "--min-new-tokens, --max-new-tokens"};
    if (!semantics.empty()) {
        KAIKOU_TRY(base.semantics, semanticsByName(semantics));
    }
    lay(base.temperature, temperature);
    lay(base.topK, topK);
    lay(base.topP, topP);
    lay(base.minP, minP);
    lay(base.repetitionPenalty, repetitionPenalty);
    lay(base.presencePenalty, presencePenalty);
    lay(base.frequencyPenalty, frequencyPenalty);
    lay(base.minTokens, minNewTokens);
    base.greedy = base.greedy || greedy;
    base.temperatureLast = base.temperatureLast || temperatureLast;
    KAIKOU_CHECK(check(base));
    return base;
}

void noteIgnored(const SamplingOptions& given, const SampleParams& params, const Console& console)
{
    const std::string system = std::string(semanticsName(params.semantics)) + " semantics";
    const auto check = [&](const char* name, bool isGiven, StageKind stage) {
        if (isGiven && !hasStage(params.semantics, stage))
            note(console, "note: " + std::string(name) + " does nothing under " + system);
    };
    check("--min-p", given.minP.value_or(0.0F) > 0.0F, StageKind::MinP);
    check("--repetition-penalty", given.repetitionPenalty.value_or(1.0F) != 1.0F, StageKind::Repetition);
    check("--presence-penalty", given.presencePenalty.value_or(0.0F) != 0.0F, StageKind::FrequencyPresence);
    check("--frequency-penalty", given.frequencyPenalty.value_or(0.0F) != 0.0F, StageKind::FrequencyPresence);
    if (given.temperatureLast && params.semantics != Semantics::Standard)
        note(console, "note: --temperature-last does nothing under " + system);
    if (given.temperature && *given.temperature <= 0.0F && params.semantics == Semantics::LitGpt
        && !params.greedy && params.topP > 0.0F)
        note(console,
            "note: --temperature 0 samples at temperature 1 under " + system
                + " while --top-p is above 0; --greedy takes the most likely token");
}

Json toJson(const SampleParams& params)
{
    return Json::object()
        .set("semantics", semanticsName(params.semantics))
        .set("temperature", params.temperature)
        .set("greedy", params.greedy)
        .set("top_k", params.topK)
        .set("top_p", params.topP)
        .set("min_p", params.minP)
        .set("repetition_penalty", params.repetitionPenalty)
        .set("presence_penalty", params.presencePenalty)
        .set("frequency_penalty", params.frequencyPenalty)
        .set("min_new_tokens", params.minTokens)
        .set("temperature_last", params.temperatureLast);
}

} // namespace kaikou::cli
