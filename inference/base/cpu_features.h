#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace kaikou {

// Instruction sets that processor and operating system both support (the OS must save the wide registers).
struct CpuFeatures
{
    bool fma = false;
    bool avx2 = false;
    bool f16c = false;
};

[[nodiscard]] CpuFeatures detectCpuFeatures() noexcept;

// Logical processors that this process may run on, ascending; empty = unknown.
[[nodiscard]] std::vector<std::uint32_t> affinity();

// Threads worth running: distinct physical cores among `processors`, at most the cgroup's CPU quota rounded
// up, at least 1. `root` is "/" but for tests; what cannot be read does not limit.
[[nodiscard]] std::uint32_t usableCores(
    const std::filesystem::path& root, const std::vector<std::uint32_t>& processors);

[[nodiscard]] std::uint32_t usableCores();

} // namespace kaikou
