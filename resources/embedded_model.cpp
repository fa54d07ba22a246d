#include "resources/embedded_model.h"

// Made by embedded_model.S.
extern "C" {
extern const std::byte kaikou_embedded_config[], kaikou_embedded_config_end[];
extern const std::byte kaikou_embedded_weights[], kaikou_embedded_weights_end[];
extern const std::byte kaikou_embedded_tokenizer[], kaikou_embedded_tokenizer_end[];
extern const std::byte kaikou_embedded_generation[], kaikou_embedded_generation_end[];
}

namespace kaikou {

EmbeddedModel embeddedModel()
{
    return {
        {kaikou_embedded_config, kaikou_embedded_config_end},
        {kaikou_embedded_weights, kaikou_embedded_weights_end},
        {kaikou_embedded_tokenizer, kaikou_embedded_tokenizer_end},
        {kaikou_embedded_generation, kaikou_embedded_generation_end},
    };
}

} // namespace kaikou
