#pragma once

#include "inference/chat/render.h"
#include "inference/tokenize/tokenizer.h"

#include <span>
#include <vector>

namespace kaikou {

// Where each id of a prompt comes from. `ids` = what the tokenizer made of textOf(segments), with or without
// BOS and EOS around. The ids are laid along the text by the bytes of their pieces; a token over a border
// belongs to the segment it begins in. Where a normaliser changed the text the ids are found again at the
// next piece that is in it.
[[nodiscard]] std::vector<TokenOrigin> originsOf(
    std::span<const TokenId> ids, const std::vector<Segment>& segments, const Tokenizer& tokenizer);

} // namespace kaikou
