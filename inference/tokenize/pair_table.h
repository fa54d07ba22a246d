#pragma once

#include "inference/model/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kaikou {

// What two neighbouring tokens become, and how early (a lower rank goes first).
struct MergeRule
{
    std::uint32_t rank = 0;
    TokenId result = 0;
};

// Flat open-addressing hash (left, right) -> MergeRule; filled once, then read by any thread.
class PairTable
{
public:
    explicit PairTable(std::size_t expected = 0)
    {
        std::size_t slots = 16;
        while (slots < expected * 2)
            slots *= 2;
        m_slots.resize(slots);
    }

    // At most `expected` different pairs; the last rule of a pair counts.
    void set(TokenId left, TokenId right, MergeRule rule)
    {
        const std::uint64_t key = keyOf(left, right);
        std::size_t at = slotOf(key);
        while (m_slots[at].key != kFree && m_slots[at].key != key)
            at = (at + 1) & (m_slots.size() - 1);
        m_slots[at] = {key, rule};
    }

    [[nodiscard]] const MergeRule* find(TokenId left, TokenId right) const noexcept
    {
        const std::uint64_t key = keyOf(left, right);
        std::size_t at = slotOf(key);
        while (m_slots[at].key != kFree) {
            if (m_slots[at].key == key)
                return &m_slots[at].rule;
            at = (at + 1) & (m_slots.size() - 1);
        }
        return nullptr;
    }

private:
    static constexpr std::uint64_t kFree = UINT64_MAX; // no token has the id 2^32 - 1

    struct Slot
    {
        std::uint64_t key = kFree;
        MergeRule rule;
    };

    static std::uint64_t keyOf(TokenId left, TokenId right) noexcept
    {
        return (static_cast<std::uint64_t>(left) << 32U) | right;
    }

    [[nodiscard]] std::size_t slotOf(std::uint64_t key) const noexcept
    {
        key *= 0x9E3779B97F4A7C15ULL; // Fibonacci hashing
        return static_cast<std::size_t>(key >> 32U) & (m_slots.size() - 1);
    }

    std::vector<Slot> m_slots; // a power of two, at most half full
};

} // namespace kaikou
