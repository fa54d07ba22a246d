#pragma once

#include "inference/base/result.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kaikou {

static_assert(std::endian::native == std::endian::little, "files and machine are little-endian");

// a + b and a * b, false where they do not fit.
[[nodiscard]] inline bool checkedAdd(std::uint64_t a, std::uint64_t b, std::uint64_t& sum) noexcept
{
    return !__builtin_add_overflow(a, b, &sum);
}

[[nodiscard]] inline bool checkedMultiply(std::uint64_t a, std::uint64_t b, std::uint64_t& product) noexcept
{
    return !__builtin_mul_overflow(a, b, &product);
}

// A cursor over little-endian bytes of a file. Every read is checked against what remains; FormatTruncated
// with the place otherwise, and the cursor then stays.
class ByteReader
{
public:
    ByteReader(std::span<const std::byte> bytes, std::string where)
        : m_bytes(bytes)
        , m_where(std::move(where))
    {
    }

    [[nodiscard]] std::size_t position() const noexcept { return m_position; }

    [[nodiscard]] std::size_t remaining() const noexcept { return m_bytes.size() - m_position; }

    // "file at byte 123"
    [[nodiscard]] std::string where() const { return m_where + " at byte " + std::to_string(m_position); }

    [[nodiscard]] Result<std::uint8_t> u8() { return number<std::uint8_t>(); }

    [[nodiscard]] Result<std::uint16_t> u16() { return number<std::uint16_t>(); }

    [[nodiscard]] Result<std::uint32_t> u32() { return number<std::uint32_t>(); }

    [[nodiscard]] Result<std::uint64_t> u64() { return number<std::uint64_t>(); }

    [[nodiscard]] Result<std::int32_t> i32() { return number<std::int32_t>(); }

    [[nodiscard]] Result<std::span<const std::byte>> bytes(std::uint64_t count);
    [[nodiscard]] Result<std::string_view> text(std::uint64_t count);
    [[nodiscard]] Result<std::string_view> line(); // up to '\n', which is consumed and not returned
    [[nodiscard]] Result<void> seek(std::uint64_t position);

private:
    template <class T>
    Result<T> number()
    {
        if (remaining() < sizeof(T))
            return truncated(sizeof(T));
        T value;
        std::memcpy(&value, m_bytes.data() + m_position, sizeof(T));
        m_position += sizeof(T);
        return value;
    }

    [[nodiscard]] Error truncated(std::uint64_t wanted) const;

    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
    std::string m_where;
};

} // namespace kaikou
