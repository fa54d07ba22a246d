#pragma once

#include "inference/base/result.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace kaikou {

// Zeroed anonymous memory, 2 MiB aligned, huge pages requested (a file map cannot have them).
class Arena
{
public:
    // OutOfMemory with the size when the system refuses.
    [[nodiscard]] static Result<Arena> allocate(std::uint64_t bytes);

    Arena() = default;
    ~Arena();

    Arena(Arena&& other) noexcept
        : m_map(std::exchange(other.m_map, nullptr))
        , m_mapBytes(std::exchange(other.m_mapBytes, 0))
        , m_data(std::exchange(other.m_data, nullptr))
        , m_bytes(std::exchange(other.m_bytes, 0))
    {
    }

    Arena& operator=(Arena&& other) noexcept
    {
        std::swap(m_map, other.m_map);
        std::swap(m_mapBytes, other.m_mapBytes);
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }

    [[nodiscard]] std::byte* data() const noexcept { return m_data; }

    [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }

private:
    void* m_map = nullptr;
    std::size_t m_mapBytes = 0;
    std::byte* m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace kaikou
