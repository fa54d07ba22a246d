#include "inference/generate/batch_builder.h"

#include <algorithm>

namespace kaikou {

void BatchBuilder::build(std::span<const std::unique_ptr<Sequence>> live, const PrefixCache& cache)
{
    m_rows.clear();
    m_parts.clear();
    m_prefilling.clear();
    for (const std::unique_ptr<Sequence>& sequence : live) {
        if (sequence->pending() == 0)
            continue;
        if (sequence->phase() == Sequence::Phase::Decode)
            add(*sequence, 1, cache);
        else
            m_prefilling.push_back(sequence.get());
    }
    std::uint32_t budget = prefillBudget(static_cast<std::uint32_t>(m_rows.size()));
    const auto count = static_cast<std::uint32_t>(m_prefilling.size());
    ++m_turn;
    for (std::uint32_t i = 0; i < count && budget > 0; ++i) {
        const std::uint32_t share = (budget + count - i - 1) / (count - i);
        const std::size_t before = m_rows.size();
        add(*m_prefilling[(m_turn + i) % count], share, cache);
        budget -= static_cast<std::uint32_t>(m_rows.size() - before);
    }
}

void BatchBuilder::add(Sequence& sequence, std::uint32_t most, const PrefixCache& cache)
{
    Part part {&sequence, sequence.computed(), 0};
    const std::uint32_t end = part.first + std::min(most, sequence.pending());
    for (std::uint32_t index = part.first; index < end; ++index) {
        const bool logits = sequence.wantsLogits(index);
        if (logits && sequence.job()->room == 0)
            break;
        if (logits)
            --sequence.job()->room;
        const CachedRow row = sequence.row(index);
        m_rows.push_back({cache.kv(sequence.slot()), index, row.ropePosition, row.id,
            logits ? Output::Logits : Output::None});
        ++part.count;
    }
    if (part.count > 0)
        m_parts.push_back(part);
}

void BatchBuilder::measured(double stepMs, std::size_t rowCount)
{
    const double rowMs = stepMs / static_cast<double>(rowCount);
    m_rowMs = m_rowMs == 0.0 ? rowMs : 0.75 * m_rowMs + 0.25 * rowMs;
}

std::uint32_t BatchBuilder::prefillBudget(std::uint32_t decodeRows) const
{
    const std::uint32_t rest = m_limits.prefillRows > decodeRows ? m_limits.prefillRows - decodeRows : 0;
    const std::uint32_t budget = std::max(m_limits.minPrefillRows, rest);
    if (decodeRows == 0 || m_rowMs <= 0.0)
        return budget;
    const double byTime = m_limits.stepMs / m_rowMs - decodeRows;
    return byTime >= budget ? budget : static_cast<std::uint32_t>(std::max(1.0, byTime));
}

} // namespace kaikou
