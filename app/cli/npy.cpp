#include "app/cli/npy.h"

#include <fstream>
#include <string>

namespace kaikou::cli {

Result<void> writeNpy(
    const std::filesystem::path& file, std::span<const float> values, std::uint64_t rows, std::uint64_t cols)
{
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", "
        + std::to_string(cols) + "), }";
    constexpr std::size_t kPreamble = 10; // magic, version, u16 header length
    header.append(63 - (kPreamble + header.size()) % 64, ' ');
    header += '\n';
    std::string start = std::string("\x93NUMPY\x01\x00", 8);
    start += static_cast<char>(header.size() & 0xFF);
    start += static_cast<char>(header.size() >> 8);
    std::ofstream out(file, std::ios::binary);
    out << start << header;
    out.write(
        reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    out.flush();
    if (!out)
        return Error {ErrorCode::FileWrite, "cannot write the file", file.string()};
    return {};
}

} // namespace kaikou::cli
