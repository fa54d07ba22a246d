#include "inference/base/byte_reader.h"

namespace kaikou {

Result<std::span<const std::byte>> ByteReader::bytes(std::uint64_t count)
{
    if (count > remaining())
        return truncated(count);
    const auto part = m_bytes.subspan(m_position, static_cast<std::size_t>(count));
    m_position += part.size();
    return part;
}

Result<std::string_view> ByteReader::text(std::uint64_t count)
{
    KAIKOU_TRY(const auto part, bytes(count));
    return std::string_view(reinterpret_cast<const char*>(part.data()), part.size());
}

Result<std::string_view> ByteReader::line()
{
    const std::string_view rest(reinterpret_cast<const char*>(m_bytes.data()) + m_position, remaining());
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos)
        return Error {ErrorCode::FormatTruncated, "truncated: a line has no end", where()};
    m_position += end + 1;
    return rest.substr(0, end);
}

Result<void> ByteReader::seek(std::uint64_t position)
{
    if (position > m_bytes.size())
        return Error {ErrorCode::FormatTruncated,
            "truncated: byte " + std::to_string(position) + " is past the end", where()};
    m_position = static_cast<std::size_t>(position);
    return {};
}

Error ByteReader::truncated(std::uint64_t wanted) const
{
    return {ErrorCode::FormatTruncated,
        "truncated: a length of " + std::to_string(wanted) + " bytes is needed, "
            + std::to_string(remaining()) + " are left",
        where()};
}

} // namespace kaikou
