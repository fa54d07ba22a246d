#pragma once

#include "inference/base/result.h"
#include "inference/sample/reshape.h"

#include <memory>

namespace kaikou {

class Pipeline;

struct Drawn
{
    TokenId token = 0;
    TokenStats stats;
};

// One sequence's sampler: parameters and scratch, no hidden randomness. Engine thread.
class Sampler
{
public:
    Sampler(SampleParams params, SpecialIds special, std::uint64_t seed);
    ~Sampler();
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;

    // The token of step `history.generated.size()` from its raw logits [vocab]. No allocation once warm.
    // Errors: NonFiniteLogits (where = "step N, id M"); ParameterRange where the masks leave nothing to draw.
    [[nodiscard]] Result<Drawn> draw(std::span<const float> logits, const History& history);

    // The numbers of a token that was chosen elsewhere (score, forced): pSample is 0 where a stage cut it.
    [[nodiscard]] Result<TokenStats> score(
        std::span<const float> logits, const History& history, TokenId token);

    [[nodiscard]] const SampleParams& params() const noexcept { return m_params; }

private:
    SampleParams m_params;
    SpecialIds m_special;
    std::uint64_t m_seed;
    std::unique_ptr<Pipeline> m_pipeline;
};

} // namespace kaikou
