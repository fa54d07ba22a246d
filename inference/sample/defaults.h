#pragma once

#include "inference/model/checkpoint.h"
#include "inference/sample/params.h"

#include <cstdint>
#include <optional>
#include <string>

namespace kaikou {

// What the defaults depend on (settled.md 18).
enum class ModelKind : std::uint8_t
{
    Base, // continues text
    Chat, // trained on turns
    GptTeacher,
    GptTeacherFirst, // first generation: the same numbers, Standard semantics
    Embedded
};

[[nodiscard]] ModelKind modelKind(const Checkpoint& checkpoint);

// Where the first of the values that differ from the kind's own comes from.
enum class DefaultSource : std::uint8_t
{
    Kind,
    GenerationHints, // generation_config.json or GGUF keys
    Chat, // the values of this conversation
    User // typed for this request or set as the user's own default
};

// Values somebody has chosen; absent = no opinion.
struct SamplingOverrides
{
    std::optional<Semantics> semantics;
    std::optional<float> temperature, topP, minP;
    std::optional<float> repetitionPenalty, presencePenalty, frequencyPenalty;
    std::optional<std::int32_t> topK;
    std::optional<std::uint32_t> minTokens, maxTokens;
};

struct SamplingDefaults
{
    SampleParams params;
    std::uint32_t maxTokens = 512; // new tokens; the engine cuts it to what the context has left
    ModelKind kind = ModelKind::Base;
    DefaultSource source = DefaultSource::Kind; // the strongest layer that said anything
    std::string reason; // English, one sentence; the window translates by kind and source
};

// The one place of default values for window, command line and server: user > chat > hints > kind.
// Values are not checked here; see check().
[[nodiscard]] SamplingDefaults samplingDefaults(ModelKind kind, const GenerationHints& hints = {},
    const SamplingOverrides& chat = {}, const SamplingOverrides& user = {});

} // namespace kaikou
