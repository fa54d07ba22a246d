#include "ui/model/chosen_token.h"

#include <cmath>
#include <limits>

namespace kaikou {

TokenStats statsOfChosen(const StepView& step, TokenId id)
{
    TokenStats stats = step.stats; // entropy, margin and dice belong to the step
    stats.forced = true;
    stats.special = step.text && step.text->isSpecial(id);
    stats.pModel = stats.pShaped = stats.pSample = std::numeric_limits<double>::quiet_NaN();
    stats.rank = 0;
    if (!step.record)
        return stats;
    const SpecialIds special = step.text ? step.text->specialIds() : SpecialIds {};
    const auto explained = reshape(step.record->logits, step.made, {step.prompt, step.generated},
        step.record->step, special, step.record->stats.u);
    const auto index = static_cast<std::size_t>(id);
    if (!explained || index >= explained->pModel.size())
        return stats;
    stats.pModel = explained->pModel[index];
    stats.pShaped = explained->pShaped[index];
    stats.pSample = explained->pSample[index];
    stats.rank = 1;
    for (std::size_t i = 0; i < explained->pModel.size(); ++i) {
        const double p = explained->pModel[i];
        if (p > stats.pModel || (p == stats.pModel && i < index))
            ++stats.rank;
    }
    return stats;
}

} // namespace kaikou
