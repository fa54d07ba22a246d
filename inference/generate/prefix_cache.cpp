#include "inference/generate/prefix_cache.h"

#include "inference/base/assert.h"

#include <algorithm>

namespace kaikou {

std::uint32_t commonPrefix(std::span<const CachedRow> a, std::span<const CachedRow> b)
{
    const std::size_t limit = std::min(a.size(), b.size());
    const auto end = a.begin() + static_cast<std::ptrdiff_t>(limit);
    return static_cast<std::uint32_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

PrefixCache::PrefixCache(Model& model)
    : m_model(model)
    , m_slots(model.info().slotCount)
{
    for (Slot& slot : m_slots)
        slot.rows.reserve(model.info().context);
}

PrefixCache::Hit PrefixCache::bestHit(std::span<const CachedRow> rows, const Owner& owner) const
{
    Hit best;
    for (std::uint32_t i = 0; i < m_slots.size(); ++i) {
        const Slot& slot = m_slots[i];
        if (slot.state == State::Closed || slot.owner != owner)
            continue;
        const std::uint32_t common = commonPrefix(rows, slot.rows);
        const bool better = common > best.rows
            || (common == best.rows && common > 0 && slot.state == State::Idle
                && m_slots[best.slot].state == State::Busy);
        if (better)
            best = {i, common};
    }
    return best;
}

std::uint32_t PrefixCache::lookup(
    std::span<const CachedRow> rows, std::uint32_t limit, const Owner& owner) const
{
    return bestHit(rows.first(limit), owner).rows;
}

std::uint32_t PrefixCache::freeSlots() const
{
    return static_cast<std::uint32_t>(
        std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& s) { return s.state != State::Busy; }));
}

// A slot that would lose most of its rows is copied from rather than cut, as long as another one is free: a
// long chat does not go because a short one has the same first words.
std::uint32_t PrefixCache::victim(const Hit& hit) const
{
    const Slot& source = m_slots[hit.slot];
    const bool sourceIdle = hit.rows > 0 && source.state == State::Idle;
    if (sourceIdle && 2 * static_cast<std::size_t>(hit.rows) >= source.rows.size())
        return hit.slot;
    std::uint32_t oldest = static_cast<std::uint32_t>(m_slots.size());
    for (std::uint32_t i = 0; i < m_slots.size(); ++i) {
        const Slot& slot = m_slots[i];
        if (slot.state == State::Busy || (sourceIdle && i == hit.slot))
            continue;
        if (oldest == m_slots.size() || slot.lastUsed < m_slots[oldest].lastUsed)
            oldest = i;
    }
    return oldest == m_slots.size() ? hit.slot : oldest;
}

Result<void> PrefixCache::fill(std::uint32_t index, const Hit& hit)
{
    Slot& slot = m_slots[index];
    if (slot.state == State::Closed) {
        KAIKOU_TRY(slot.kv, m_model.openSlot(m_model.info().context));
        slot.rows.clear();
    }
    slot.state = State::Busy;
    if (hit.rows == 0 || hit.slot == index) {
        slot.rows.resize(m_model.truncateKv(slot.kv, hit.rows));
        return {};
    }
    const Slot& source = m_slots[hit.slot];
    KAIKOU_TRY(const std::uint32_t kept, m_model.copyKv(source.kv, slot.kv, hit.rows));
    slot.rows.assign(source.rows.begin(), source.rows.begin() + kept);
    return {};
}

Result<PrefixCache::Lease> PrefixCache::acquire(
    std::span<const CachedRow> rows, std::uint32_t limit, const Owner& owner)
{
    KAIKOU_ASSERT(freeSlots() > 0);
    const Hit hit = bestHit(rows.first(limit), owner);
    const std::uint32_t index = victim(hit);
    if (const Result<void> filled = fill(index, hit); !filled) {
        drop(index);
        return filled.error();
    }
    m_slots[index].owner = owner;
    m_slots[index].lastUsed = ++m_clock;
    return Lease {index, length(index)};
}

void PrefixCache::rollBack(std::uint32_t index)
{
    Slot& slot = m_slots[index];
    slot.rows.resize(std::min(slot.rows.size(), std::size_t {m_model.truncateKv(slot.kv, length(index))}));
}

void PrefixCache::release(std::uint32_t index)
{
    m_slots[index].state = State::Idle;
    m_slots[index].lastUsed = ++m_clock;
}

void PrefixCache::drop(std::uint32_t index)
{
    Slot& slot = m_slots[index];
    if (slot.state == State::Closed)
        return;
    m_model.closeSlot(slot.kv);
    slot.state = State::Closed;
    slot.rows.clear();
    slot.lastUsed = 0;
}

void PrefixCache::dropBusy()
{
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].state == State::Busy)
            drop(i);
}

} // namespace kaikou
