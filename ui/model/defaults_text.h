#pragma once

#include "inference/generate/service.h"
#include "inference/sample/defaults.h"
#include "ui/model/reply_params.h"

#include <QString>

namespace kaikou {

// The panel's values for a model's defaults; stops and positions are the model's own.
[[nodiscard]] ReplyParams replyParams(const SamplingDefaults& defaults);

// Why the model has these defaults, in the user's language.
[[nodiscard]] QString defaultsReason(const SamplingDefaults& defaults);

// A model's name to show: files keep theirs, the embedded one is named in the user's language.
[[nodiscard]] QString modelTitle(const QString& name);

// "cpu · AVX2, 2 threads" with its words in the user's language.
[[nodiscard]] QString backendTitle(const Capabilities& model);

} // namespace kaikou
