#include "inference/backend/cpu/arena.h"

#include <sys/mman.h>

#include <string>

namespace kaikou {

namespace {

constexpr std::size_t kHugePage = std::size_t {2} << 20U;

} // namespace

Result<Arena> Arena::allocate(std::uint64_t bytes)
{
    Arena arena;
    if (bytes == 0)
        return arena;
    const std::size_t rounded = (static_cast<std::size_t>(bytes) + kHugePage - 1) / kHugePage * kHugePage;
    const std::size_t mapBytes = rounded + kHugePage;
    void* map = mmap(nullptr, mapBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return Error {
            ErrorCode::OutOfMemory, "the system refused " + std::to_string(mapBytes) + " bytes", {}};
    const auto address = reinterpret_cast<std::uintptr_t>(map);
    const std::uintptr_t aligned = (address + kHugePage - 1) / kHugePage * kHugePage;
    arena.m_map = map;
    arena.m_mapBytes = mapBytes;
    arena.m_data = static_cast<std::byte*>(map) + (aligned - address);
    arena.m_bytes = static_cast<std::size_t>(bytes);
    static_cast<void>(madvise(arena.m_data, rounded, MADV_HUGEPAGE)); // a wish: small pages work too
    return arena;
}

Arena::~Arena()
{
    if (m_map != nullptr)
        munmap(m_map, m_mapBytes);
}

} // namespace kaikou
