#pragma once

#include "inference/generate/loaded_model.h"
#include "inference/generate/service.h"

#include <memory>

namespace kaikou {

// The text side of a loaded model: what submit uses to make prompts is what preview shows. Shares the
// tokenizer, keeps nothing else of `loaded`.
[[nodiscard]] std::shared_ptr<const TextModel> makeTextModel(const LoadedModel& loaded);

} // namespace kaikou
