#include "inference/backend/kv_slots.h"

#include "inference/base/assert.h"

#include <algorithm>
#include <string>

namespace kaikou {

KvSlots::KvSlots(std::uint32_t slots, std::uint32_t context)
    : m_slots(slots)
    , m_context(context)
{
}

Result<KvSlot> KvSlots::open(std::uint32_t capacity)
{
    if (capacity == 0 || capacity > m_context)
        return Error {ErrorCode::ParameterRange,
            "a slot of " + std::to_string(capacity) + " rows where " + std::to_string(m_context)
                + " are there",
            {}};
    const auto free
        = std::find_if(m_slots.begin(), m_slots.end(), [](const Slot& slot) { return slot.capacity == 0; });
    if (free == m_slots.end())
        return Error {
            ErrorCode::OutOfMemory, "all " + std::to_string(m_slots.size()) + " slots are taken", {}};
    *free = {capacity, 0};
    return static_cast<KvSlot>(free - m_slots.begin());
}

void KvSlots::close(KvSlot slot)
{
    at(slot) = {};
}

std::uint32_t KvSlots::copy(KvSlot from, KvSlot to, std::uint32_t tokens)
{
    const std::uint32_t copied = std::min({tokens, at(from).length, at(to).capacity});
    at(to).length = copied;
    return copied;
}

std::uint32_t KvSlots::truncate(KvSlot slot, std::uint32_t tokens)
{
    std::uint32_t& length = at(slot).length;
    length = std::min(length, tokens);
    return length;
}

void KvSlots::append(KvSlot slot, std::uint32_t tokens)
{
    KAIKOU_ASSERT(tokens <= at(slot).capacity - at(slot).length);
    at(slot).length += tokens;
}

bool KvSlots::isOpen(KvSlot slot) const
{
    const auto index = static_cast<std::uint32_t>(slot);
    return index < m_slots.size() && m_slots[index].capacity > 0;
}

std::uint32_t KvSlots::length(KvSlot slot) const
{
    return at(slot).length;
}

std::uint32_t KvSlots::capacity(KvSlot slot) const
{
    return at(slot).capacity;
}

std::uint32_t KvSlots::openCount() const
{
    return static_cast<std::uint32_t>(
        std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& slot) { return slot.capacity > 0; }));
}

KvSlots::Slot& KvSlots::at(KvSlot slot)
{
    KAIKOU_ASSERT(isOpen(slot));
    return m_slots[static_cast<std::uint32_t>(slot)];
}

const KvSlots::Slot& KvSlots::at(KvSlot slot) const
{
    KAIKOU_ASSERT(isOpen(slot));
    return m_slots[static_cast<std::uint32_t>(slot)];
}

} // namespace kaikou
