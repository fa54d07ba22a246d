#pragma once

#include "inference/backend/cpu/arena.h"
#include "inference/backend/cpu/kernel_table.h"
#include "inference/base/result.h"
#include "inference/model/config.h"

#include <cstddef>
#include <cstdint>

namespace kaikou {

// Keys and values of all slots, [slot][layer][k or v][kv head][position][headSize], f32 or f16. All of it is
// reserved when the model is loaded.
class KvCache
{
public:
    [[nodiscard]] static std::uint64_t bytesPerSlot(
        const ModelConfig& config, KvFormat format, std::uint32_t context);

    [[nodiscard]] static Result<KvCache> allocate(
        const ModelConfig& config, KvFormat format, std::uint32_t context, std::uint32_t slots);

    [[nodiscard]] KvFormat format() const noexcept { return m_format; }

    // First row of a head, [context, headSize].
    [[nodiscard]] std::byte* keys(
        std::uint32_t slot, std::uint32_t layer, std::uint32_t kvHead) const noexcept
    {
        return head(slot, layer, kvHead);
    }

    [[nodiscard]] std::byte* values(
        std::uint32_t slot, std::uint32_t layer, std::uint32_t kvHead) const noexcept
    {
        return head(slot, layer, m_kvHeads + kvHead);
    }

    [[nodiscard]] std::size_t rowBytes() const noexcept { return m_rowBytes; }

    // Copies the first `rows` rows of every head of `from` over those of `to`.
    void copyRows(std::uint32_t from, std::uint32_t to, std::uint32_t rows) const;

    // Fills rows [begin, end) of every head with NaN, so that a stale read cannot go unseen.
    void poison(std::uint32_t slot, std::uint32_t begin, std::uint32_t end) const;

private:
    [[nodiscard]] std::byte* head(std::uint32_t slot, std::uint32_t layer, std::uint32_t index) const noexcept
    {
        const std::size_t perLayer = std::size_t {2} * m_kvHeads;
        return m_arena.data() + ((std::size_t {slot} * m_layers + layer) * perLayer + index) * m_headBytes;
    }

    Arena m_arena;
    KvFormat m_format = KvFormat::F32;
    std::uint32_t m_layers = 0;
    std::uint32_t m_kvHeads = 0;
    std::size_t m_rowBytes = 0;
    std::size_t m_headBytes = 0; // of one head's keys or values over the whole context
};

} // namespace kaikou
