#include "inference/backend/cpu/plan.h"

namespace kaikou {

std::vector<Phase> buildPlan(std::uint32_t layers)
{
    std::vector<Phase> plan {{PhaseKind::Embed, 0}};
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        for (const PhaseKind kind :
            {PhaseKind::Qkv, PhaseKind::Attention, PhaseKind::Output, PhaseKind::Up, PhaseKind::Down})
            plan.push_back({kind, layer});
    }
    plan.push_back({PhaseKind::Head, 0});
    return plan;
}

} // namespace kaikou
