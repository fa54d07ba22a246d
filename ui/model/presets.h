#pragma once

#include "ui/model/reply_params.h"

#include <QString>
#include <QStringList>

namespace kaikou {

// Sampling settings under a name: one JSON file each, <folder>/<name>.json, in the form of paramsToJson.

[[nodiscard]] QStringList presetNames(const QString& folder); // sorted; none where there is no folder
// Errors: FileRead, FormatJson, ParameterRange.
[[nodiscard]] Result<ReplyParams> readPreset(const QString& folder, const QString& name);
// Makes the folder, replaces the file only when all of it is written. Errors: ParameterRange (a name that is
// no file name), FileWrite.
[[nodiscard]] Result<void> writePreset(const QString& folder, const QString& name, const ReplyParams& params);

} // namespace kaikou
