#pragma once

#include <cstddef>
#include <span>

namespace kaikou {

// The files of the model that comes with the program, a Hugging Face folder as bytes. They live as long as
// the program.
struct EmbeddedModel
{
    std::span<const std::byte> config, weights, tokenizer, generationConfig;
};

[[nodiscard]] EmbeddedModel embeddedModel();

} // namespace kaikou
