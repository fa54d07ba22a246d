#pragma once

#include <cstdint>
#include <filesystem>

namespace kaikou {

struct SystemMemory
{
    std::uint64_t total = 0; // bytes; 0 = unknown
    std::uint64_t available = 0; // what may still be taken without swapping
};

// Memory of the machine, or of the cgroup where that is tighter. `root` is "/" but for tests.
[[nodiscard]] SystemMemory systemMemory(const std::filesystem::path& root = "/");

} // namespace kaikou
