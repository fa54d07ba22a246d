#include "inference/base/md5.h"

#include <md5.h>
#include <sys/types.h>

#include <array>
#include <cstdint>

namespace kaikou {

std::string md5Hex(std::span<const std::byte> bytes)
{
    MD5_CTX context;
    MD5Init(&context);
    MD5Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    std::array<std::uint8_t, MD5_DIGEST_LENGTH> digest {};
    MD5Final(digest.data(), &context);
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += kHex[byte >> 4];
        text += kHex[byte & 15];
    }
    return text;
}

} // namespace kaikou
