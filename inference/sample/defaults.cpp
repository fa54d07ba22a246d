#include "inference/sample/defaults.h"

namespace kaikou {

namespace {

constexpr std::uint32_t kMaxTokens = 512;
constexpr std::uint32_t kTeacherMaxTokens = 128;

SampleParams teacherParams(Semantics semantics)
{
    SampleParams params;
    params.semantics = semantics;
    params.temperature = 0.0F;
    params.topK = 50;
    params.topP = 0.9F;
    params.repetitionPenalty = 1.5F;
    params.minTokens = 5;
    return params;
}

SampleParams kindParams(ModelKind kind)
{
    SampleParams params;
    params.topP = 0.9F;
    switch (kind) {
    case ModelKind::Base:
        params.temperature = 0.7F;
        params.repetitionPenalty = 1.15F;
        break;
    case ModelKind::Chat:
        params.temperature = 0.5F;
        params.topK = 50;
        break;
    case ModelKind::GptTeacher:
        return teacherParams(Semantics::GptTeacher);
    case ModelKind::GptTeacherFirst:
        return teacherParams(Semantics::Standard);
    case ModelKind::Embedded:
        params.temperature = 0.7F;
        break;
    }
    return params;
}

const char* kindReason(ModelKind kind)
{
    switch (kind) {
    case ModelKind::Base:
        return "base model: it continues text, a light repetition penalty keeps it from looping";
    case ModelKind::Chat:
        return "chat model: a low temperature suits answers";
    case ModelKind::GptTeacher:
        return "GPT_teacher checkpoint: the values of that project's own page";
    case ModelKind::GptTeacherFirst:
        return "GPT_teacher checkpoint of the first generation: that project's values, standard sampling";
    case ModelKind::Embedded:
        return "embedded model: the values its lessons were made for";
    }
    return "";
}

const char* sourceReason(DefaultSource source)
{
    switch (source) {
    case DefaultSource::GenerationHints:
        return "the model's generation_config; the rest as ";
    case DefaultSource::Chat:
        return "this chat's settings; the rest as ";
    case DefaultSource::User:
        return "your own settings; the rest as ";
    case DefaultSource::Kind:
        break;
    }
    return "";
}

// Puts the values that are there over the ones below; true where there was one.
bool overlay(SamplingDefaults& out, const SamplingOverrides& over)
{
    bool any = false;
    const auto put = [&any](auto& target, const auto& value) {
        if (!value)
            return;
        target = *value;
        any = true;
    };
    put(out.params.semantics, over.semantics);
    put(out.params.temperature, over.temperature);
    put(out.params.topP, over.topP);
    put(out.params.minP, over.minP);
    put(out.params.repetitionPenalty, over.repetitionPenalty);
    put(out.params.presencePenalty, over.presencePenalty);
    put(out.params.frequencyPenalty, over.frequencyPenalty);
    put(out.params.topK, over.topK);
    put(out.params.minTokens, over.minTokens);
    put(out.maxTokens, over.maxTokens);
    return any;
}

SamplingOverrides fromHints(const GenerationHints& hints)
{
    SamplingOverrides over;
    over.temperature = hints.temperature;
    over.topP = hints.topP;
    over.minP = hints.minP;
    over.repetitionPenalty = hints.repetitionPenalty;
    over.topK = hints.topK;
    return over;
}

} // namespace

ModelKind modelKind(const Checkpoint& checkpoint)
{
    if (checkpoint.path.empty())
        return ModelKind::Embedded;
    switch (checkpoint.config.family) {
    case Family::GptTeacher:
        return ModelKind::GptTeacher;
    case Family::GptTeacherFirst:
        return ModelKind::GptTeacherFirst;
    case Family::Llama:
        break;
    }
    return checkpoint.instructionTuned ? ModelKind::Chat : ModelKind::Base;
}

SamplingDefaults samplingDefaults(ModelKind kind, const GenerationHints& hints, const SamplingOverrides& chat,
    const SamplingOverrides& user)
{
    const bool teacher = kind == ModelKind::GptTeacher || kind == ModelKind::GptTeacherFirst;
    SamplingDefaults out;
    out.params = kindParams(kind);
    out.maxTokens = teacher ? kTeacherMaxTokens : kMaxTokens;
    out.kind = kind;
    if (overlay(out, fromHints(hints)))
        out.source = DefaultSource::GenerationHints;
    if (overlay(out, chat))
        out.source = DefaultSource::Chat;
    if (overlay(out, user))
        out.source = DefaultSource::User;
    out.reason = std::string(sourceReason(out.source)) + kindReason(kind);
    return out;
}

} // namespace kaikou
