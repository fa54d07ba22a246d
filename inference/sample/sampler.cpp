#include "inference/sample/sampler.h"

#include "inference/base/assert.h"
#include "inference/sample/pipeline.h"
#include "inference/sample/rng.h"

#include <utility>

namespace kaikou {

Sampler::Sampler(SampleParams params, SpecialIds special, std::uint64_t seed)
    : m_params(std::move(params))
    , m_special(std::move(special))
    , m_seed(seed)
    , m_pipeline(std::make_unique<Pipeline>())
{
}

Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;

Result<Drawn> Sampler::draw(std::span<const float> logits, const History& history)
{
    const std::uint64_t step = history.generated.size();
    KAIKOU_CHECK(m_pipeline->run({logits, m_params, history, m_special, step}));
    const double u = rng::unit(m_seed, step);
    const TokenId token = m_pipeline->pick(u);
    return Drawn {token, m_pipeline->stats(token, u)};
}

Result<TokenStats> Sampler::score(std::span<const float> logits, const History& history, TokenId token)
{
    KAIKOU_ASSERT(token < logits.size());
    const std::uint64_t step = history.generated.size();
    KAIKOU_CHECK(m_pipeline->run({logits, m_params, history, m_special, step}));
    return m_pipeline->stats(token, rng::unit(m_seed, step));
}

} // namespace kaikou
