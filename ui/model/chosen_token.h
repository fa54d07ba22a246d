#pragma once

#include "ui/model/distribution_model.h"

namespace kaikou {

// The numbers of `id` where the user puts it in the place of the token that was drawn: the three
// probabilities under the reply's own parameters, rank, and `forced`. Probabilities are NaN and the rank 0
// when the step's logits were dropped.
[[nodiscard]] TokenStats statsOfChosen(const StepView& step, TokenId id);

} // namespace kaikou
