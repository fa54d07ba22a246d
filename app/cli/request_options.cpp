#include "app/cli/request_options.h"

#include <CLI/CLI.hpp>

#include <random>

namespace kaikou::cli {

namespace {

Result<PositionMode> positionMode(const std::string& name)
{
    if (name == "auto")
        return PositionMode::Automatic;
    if (name == "correct")
        return PositionMode::Correct;
    if (name == "gpt_teacher")
        return PositionMode::GptTeacher;
    return Error {ErrorCode::ParameterRange,
        "unknown position mode " + name + " (auto, correct, gpt_teacher)", "--position-mode"};
}

} // namespace

std::uint64_t randomSeed()
{
    std::random_device device;
    return (std::uint64_t {device()} << 31) ^ device();
}

void RequestOptions::addTo(CLI::App& app)
{
    sampling.addTo(app);
    app.add_option("--stop", stops, "End the answer at this text (repeatable)")->take_all();
    app.add_option("--position-mode", positions,
        "GPT_teacher only: gpt_teacher (its own offset, the default) or correct");
    app.add_flag(
        "--ignore-eos", ignoreEos, "Never choose an end token: only stops and lengths end the answer");
}

Result<Request> RequestOptions::make(const Engine& engine) const
{
    const SamplingDefaults defaults = samplingDefaults(engine.kind, engine.hints);
    Request request;
    KAIKOU_TRY(request.sampling, sampling.over(defaults.params));
    KAIKOU_TRY(request.positions, positionMode(positions));
    request.stops.strings = stops;
    request.maxTokens = sampling.maxNewTokens.value_or(defaults.maxTokens);
    request.seed = sampling.seed ? *sampling.seed : randomSeed();
    request.ignoreEos = ignoreEos;
    return request;
}

Result<void> RequestOptions::noteIgnored(const Engine& engine, const Console& console) const
{
    KAIKOU_TRY(const SampleParams params, sampling.over(samplingDefaults(engine.kind, engine.hints).params));
    cli::noteIgnored(sampling, params, console);
    return {};
}

} // namespace kaikou::cli
