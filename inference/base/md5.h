#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace kaikou {

// 32 lower-case hex digits. Only to recognise files that others fingerprinted with MD5, never for security.
[[nodiscard]] std::string md5Hex(std::span<const std::byte> bytes);

} // namespace kaikou
