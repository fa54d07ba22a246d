#pragma once

#include <cstdint>
#include <string>

namespace kaikou {

enum class Family : std::uint8_t
{
    GptTeacher, // GQA, SwiGLU, no biases: the current generation of GPT_teacher
    GptTeacherFirst, // fused qkv, biases, SiLU mlp without gate
    Llama, // Hugging Face `llama` shape
};

enum class NormKind : std::uint8_t
{
    Rms, // x / sqrt(mean(x^2) + eps) * w
    TeacherL2, // x / (|x|_2 + eps) * w: GPT_teacher, no 1/sqrt(d) and eps outside the root
};

enum class MlpKind : std::uint8_t
{
    SwiGlu, // down(silu(gate x) * (up x))
    Silu, // down(silu(up x)), gate absent
};

enum class RopeScaling : std::uint8_t
{
    None,
    Linear,
    Llama3
};

// Rotation frequencies; half split: element i of a head is paired with i + headSize / 2.
struct RopeConfig
{
    float base = 10000.0F;
    RopeScaling scaling = RopeScaling::None;
    float factor = 1.0F;
    float lowFrequencyFactor = 1.0F; // Llama3 only
    float highFrequencyFactor = 4.0F; // Llama3 only
    float originalContext = 8192.0F; // Llama3 only, in positions
};

// The numbers that describe a decoder. Sizes come from tensors, the rest from the file's config.
struct ModelConfig
{
    Family family = Family::Llama;
    NormKind norm = NormKind::Rms;
    MlpKind mlp = MlpKind::SwiGlu;
    std::uint32_t layers = 0; // transformer blocks, 1..512
    std::uint32_t width = 0; // residual width d
    std::uint32_t heads = 0; // query heads; width of one = headSize, not always width / heads
    std::uint32_t kvHeads = 0; // divides heads; < heads means grouped queries
    std::uint32_t headSize = 0; // even
    std::uint32_t feedForward = 0; // inner width of the mlp
    std::uint32_t vocabRows = 0; // rows of the embedding; may exceed the tokenizer's size
    std::uint32_t context = 0; // positions the model was trained for
    float normEps = 1e-5F;
    RopeConfig rope;
};

} // namespace kaikou
