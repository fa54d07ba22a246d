#pragma once

#include "ui/model/reply_params.h"

#include <QJsonObject>

namespace kaikou {

// Reply parameters as JSON: presets and what a stored reply was made with. Keys are the names Hugging Face
// and llama.cpp users know (temperature, top_k, top_p, …); every field is written.
[[nodiscard]] QJsonObject paramsToJson(const ReplyParams& params);

// Absent keys keep their defaults, unknown ones are ignored. Errors: FormatJson (a value of the wrong type,
// with its key), ParameterRange.
[[nodiscard]] Result<ReplyParams> paramsFromJson(const QJsonObject& json);

} // namespace kaikou
