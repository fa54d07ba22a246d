#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Feeds every file below the given folders to a fuzz target, and each of them cut short at 64 places.
int main(int argc, char** argv)
{
    std::size_t files = 0;
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i]))
            continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
            if (!entry.is_regular_file() || entry.file_size() > (1U << 20))
                continue;
            std::ifstream in(entry.path(), std::ios::binary);
            const std::string bytes {std::istreambuf_iterator<char>(in), {}};
            const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
            for (std::size_t part = 1; part <= 64; ++part)
                LLVMFuzzerTestOneInput(data, bytes.size() * part / 64);
            ++files;
        }
    }
    std::printf("%zu files replayed\n", files);
    return files == 0 ? 1 : 0;
}
