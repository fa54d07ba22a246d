#pragma once

#include "inference/backend/backend.h"
#include "inference/generate/request.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kaikou {

// What a KV row was computed from. Two rows with equal pasts and equal CachedRows hold the same keys and
// values.
struct CachedRow
{
    TokenId id = 0;
    std::uint32_t ropePosition = 0;

    friend bool operator==(const CachedRow&, const CachedRow&) = default;
};

[[nodiscard]] std::uint32_t commonPrefix(std::span<const CachedRow> a, std::span<const CachedRow> b);

// The KV slots of a model and what they hold. A finished sequence leaves its rows behind; the next one of the
// same owner with the same beginning goes on from them. Never shared across owners. Engine thread.
class PrefixCache
{
public:
    struct Lease
    {
        std::uint32_t slot = 0;
        std::uint32_t rows = 0; // already computed
    };

    explicit PrefixCache(Model& model);

    // Longest prefix of rows[0, limit) that any slot of this owner holds, busy ones too. O(slots * prompt).
    [[nodiscard]] std::uint32_t lookup(
        std::span<const CachedRow> rows, std::uint32_t limit, const Owner& owner) const;

    [[nodiscard]] std::uint32_t freeSlots() const;

    // A slot that holds at most rows[0, limit): the idle one with the longest common prefix, or a free or
    // least recently used one with a copy. Precondition: freeSlots() > 0. Errors: the model's.
    [[nodiscard]] Result<Lease> acquire(
        std::span<const CachedRow> rows, std::uint32_t limit, const Owner& owner);

    void append(std::uint32_t slot, CachedRow row) { m_slots[slot].rows.push_back(row); }

    // Cuts off what a cancelled step may have written beyond the known rows.
    void rollBack(std::uint32_t slot);
    void release(std::uint32_t slot); // the rows stay for the next sequence
    void drop(std::uint32_t slot); // dirty: nothing of it is used again
    void dropBusy();

    [[nodiscard]] KvSlot kv(std::uint32_t slot) const { return m_slots[slot].kv; }

    [[nodiscard]] std::uint32_t length(std::uint32_t slot) const
    {
        return static_cast<std::uint32_t>(m_slots[slot].rows.size());
    }

private:
    enum class State : std::uint8_t
    {
        Closed, // the model has no slot open for it
        Idle,
        Busy
    };

    struct Slot
    {
        State state = State::Closed;
        KvSlot kv {};
        Owner owner;
        std::vector<CachedRow> rows;
        std::uint64_t lastUsed = 0;
    };

    struct Hit
    {
        std::uint32_t slot = 0;
        std::uint32_t rows = 0;
    };

    [[nodiscard]] Hit bestHit(std::span<const CachedRow> rows, const Owner& owner) const;
    [[nodiscard]] std::uint32_t victim(const Hit& hit) const;
    [[nodiscard]] Result<void> fill(std::uint32_t slot, const Hit& hit);

    Model& m_model;
    std::vector<Slot> m_slots;
    std::uint64_t m_clock = 0;
};

} // namespace kaikou
