#pragma once

#include "inference/base/result.h"

#include <QString>

namespace kaikou {

// An error in the user's language.
struct ErrorText
{
    QString what; // what failed, one sentence
    QString next; // what to do now, one sentence
};

// The translated sentences of a code; both are empty only for a number that is not an ErrorCode.
[[nodiscard]] ErrorText errorText(ErrorCode code);

// Both sentences, joined as the user's language does.
[[nodiscard]] QString sentences(const ErrorText& text);

// For the Details fold: the English message, the place and the stable number.
[[nodiscard]] QString errorDetails(const Error& error);

} // namespace kaikou
