#pragma once

#include "inference/backend/backend.h"
#include "inference/base/result.h"

#include <cstdint>
#include <vector>

namespace kaikou {

// Which KV slots are open and how many rows each holds: the bookkeeping that backends share. The memory
// behind the slots is the backend's. One thread.
class KvSlots
{
public:
    KvSlots() = default;
    KvSlots(std::uint32_t slots, std::uint32_t context);

    // The lowest free slot, empty. OutOfMemory when all are taken, ParameterRange when `capacity` is 0 or
    // beyond the context.
    [[nodiscard]] Result<KvSlot> open(std::uint32_t capacity);
    void close(KvSlot slot);

    // Makes `to` exactly as long as the part of `from`'s first `tokens` rows that it can hold; returns that.
    std::uint32_t copy(KvSlot from, KvSlot to, std::uint32_t tokens);

    // Shortens to at most `tokens` rows; returns the length.
    std::uint32_t truncate(KvSlot slot, std::uint32_t tokens);
    void append(KvSlot slot, std::uint32_t tokens);

    [[nodiscard]] bool isOpen(KvSlot slot) const;
    [[nodiscard]] std::uint32_t length(KvSlot slot) const;
    [[nodiscard]] std::uint32_t capacity(KvSlot slot) const;
    [[nodiscard]] std::uint32_t openCount() const;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(m_slots.size()); }

private:
    struct Slot
    {
        std::uint32_t capacity = 0; // rows; 0 = free
        std::uint32_t length = 0;
    };

    [[nodiscard]] Slot& at(KvSlot slot);
    [[nodiscard]] const Slot& at(KvSlot slot) const;

    std::vector<Slot> m_slots;
    std::uint32_t m_context = 0;
};

} // namespace kaikou
