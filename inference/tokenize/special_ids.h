#pragma once

#include "inference/model/ids.h"
#include "inference/tokenize/added_tokens.h"
#include "inference/tokenize/post_processor.h"

#include <optional>

namespace kaikou {

// What the config files say, completed by the tokenizer itself: BOS by the post-processor or by name, every
// control token whose text ends an answer (llama.cpp's list, formats.md §1.7, settled.md 43), pad, unk.
[[nodiscard]] SpecialIds completeSpecialIds(SpecialIds configured, const AddedTokens& added,
    const PostProcessor& postProcessor, std::optional<TokenId> unknown);

} // namespace kaikou
