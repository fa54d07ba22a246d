#pragma once

#include "inference/backend/registry.h"
#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/chat/turn.h"
#include "inference/model/checkpoint.h"
#include "inference/tokenize/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>

namespace kaikou {

// A model that is ready to speak: weights on a device, tokenizer and prompt form as one value.
struct LoadedModel
{
    Checkpoint meta; // as opened, without tensors and tokenizer bytes; warnings of loading added
    std::unique_ptr<Model> model;
    std::shared_ptr<const Tokenizer> tokenizer;
    ChatForm form = ChatForm::Continuation; // what Automatic means for this checkpoint
    std::string formReason; // why, English
};

// Makes the tokenizer, checks that it belongs to the weights and loads them on the named backend. No file
// stays mapped. Errors: 3xx tokenizer (TokenizerMismatch: more ids than rows of the embedding), the
// backend's, Cancelled. Worth a warning only: a fingerprint that differs, no end token.
[[nodiscard]] Result<LoadedModel> loadModel(Checkpoint checkpoint, const BackendRegistry& registry,
    const LoadOptions& options, const Progress& progress = {}, std::string_view backend = "cpu");

} // namespace kaikou
