#include "inference/backend/cpu/kv_cache.h"

#include <cstring>

namespace kaikou {

namespace {

std::size_t rowBytesOf(const ModelConfig& config, KvFormat format)
{
    return std::size_t {config.headSize} * (format == KvFormat::F32 ? sizeof(float) : sizeof(std::uint16_t));
}

} // namespace

std::uint64_t KvCache::bytesPerSlot(const ModelConfig& config, KvFormat format, std::uint32_t context)
{
    return std::uint64_t {2} * config.layers * config.kvHeads * context * rowBytesOf(config, format);
}

Result<KvCache> KvCache::allocate(
    const ModelConfig& config, KvFormat format, std::uint32_t context, std::uint32_t slots)
{
    KvCache cache;
    KAIKOU_TRY(cache.m_arena, Arena::allocate(bytesPerSlot(config, format, context) * slots));
    cache.m_format = format;
    cache.m_layers = config.layers;
    cache.m_kvHeads = config.kvHeads;
    cache.m_rowBytes = rowBytesOf(config, format);
    cache.m_headBytes = cache.m_rowBytes * context;
    return cache;
}

void KvCache::copyRows(std::uint32_t from, std::uint32_t to, std::uint32_t rows) const
{
    if (from == to)
        return;
    for (std::uint32_t layer = 0; layer < m_layers; ++layer) {
        for (std::uint32_t i = 0; i < 2 * m_kvHeads; ++i)
            std::memcpy(head(to, layer, i), head(from, layer, i), rows * m_rowBytes);
    }
}

void KvCache::poison(std::uint32_t slot, std::uint32_t begin, std::uint32_t end) const
{
    constexpr int kAllOnes = 0xFF; // a NaN in f32 and in f16
    for (std::uint32_t layer = 0; layer < m_layers; ++layer) {
        for (std::uint32_t i = 0; i < 2 * m_kvHeads; ++i)
            std::memset(head(slot, layer, i) + begin * m_rowBytes, kAllOnes, (end - begin) * m_rowBytes);
    }
}

} // namespace kaikou
