#include "inference/backend/cpu/memory_budget.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace kaikou {

namespace {

std::optional<std::uint64_t> readBytes(const std::filesystem::path& file)
{
    std::ifstream in(file); // "max" where there is no limit
    std::uint64_t value = 0;
    if (in >> value)
        return value;
    return std::nullopt;
}

} // namespace

SystemMemory systemMemory(const std::filesystem::path& root)
{
    SystemMemory memory;
    std::ifstream in(root / "proc/meminfo");
    std::string key;
    std::uint64_t kib = 0;
    for (std::string unit; in >> key >> kib; std::getline(in, unit)) {
        if (key == "MemTotal:")
            memory.total = kib * 1024;
        else if (key == "MemAvailable:")
            memory.available = kib * 1024;
    }
    const std::filesystem::path group = root / "sys/fs/cgroup";
    const auto limit = readBytes(group / "memory.max");
    const auto used = readBytes(group / "memory.current");
    if (limit && used && (memory.total == 0 || *limit < memory.total)) {
        memory.total = *limit;
        const std::uint64_t left = *limit > *used ? *limit - *used : 0;
        memory.available = memory.available == 0 ? left : std::min(memory.available, left);
    }
    return memory;
}

} // namespace kaikou
