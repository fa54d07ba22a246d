#pragma once

#include "inference/base/json.h"
#include "inference/model/ids.h"
#include "inference/tokenize/vocabulary.h"

#include <functional>
#include <vector>

namespace kaikou {

// The "post_processor" of a tokenizer.json for a single text: the ids put before and behind it.
struct PostProcessor
{
    std::vector<TokenId> before, after;

    // TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel (no ids) and Sequence; null = nothing.
    // `known` tells whether an id exists. Errors: TokenizerInvalid, TokenizerUnsupported.
    [[nodiscard]] static Result<PostProcessor> read(
        const JsonValue& value, const std::function<bool(TokenId)>& known);
};

} // namespace kaikou
