#include "inference/base/cpu_features.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kaikou {

namespace {

std::optional<std::int64_t> readNumber(const std::filesystem::path& file)
{
    std::ifstream in(file);
    std::int64_t value = 0;
    if (in >> value)
        return value;
    return std::nullopt;
}

// This process's group under the cgroup v2 mount, "" when it has none.
std::string cgroupOfProcess(const std::filesystem::path& root)
{
    std::ifstream in(root / "proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("0::/"))
            return line.substr(4);
    }
    return {};
}

std::optional<double> quotaOfGroup(const std::filesystem::path& folder)
{
    std::ifstream in(folder / "cpu.max"); // "max 100000" or "150000 100000"
    double quota = 0.0;
    double period = 0.0;
    if (in >> quota >> period && quota > 0.0 && period > 0.0)
        return quota / period;
    return std::nullopt;
}

// The tightest CPU quota of the process's cgroup and its parents, in processors.
std::optional<double> cgroupQuota(const std::filesystem::path& root)
{
    const std::filesystem::path mount = root / "sys/fs/cgroup";
    std::optional<double> tightest = quotaOfGroup(mount);
    std::filesystem::path folder = mount;
    for (const auto& part : std::filesystem::path(cgroupOfProcess(root))) {
        folder /= part;
        if (const auto quota = quotaOfGroup(folder); quota && (!tightest || *quota < *tightest))
            tightest = quota;
    }
    if (tightest)
        return tightest;
    const auto quota = readNumber(mount / "cpu/cpu.cfs_quota_us"); // cgroup v1
    const auto period = readNumber(mount / "cpu/cpu.cfs_period_us");
    if (quota && period && *quota > 0 && *period > 0)
        return static_cast<double>(*quota) / static_cast<double>(*period);
    return std::nullopt;
}

std::uint32_t physicalCores(const std::filesystem::path& root, const std::vector<std::uint32_t>& processors)
{
    std::set<std::pair<std::int64_t, std::int64_t>> cores;
    for (const std::uint32_t processor : processors) {
        const auto topology
            = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(processor)) / "topology";
        const auto package = readNumber(topology / "physical_package_id");
        const auto core = readNumber(topology / "core_id");
        if (package && core)
            cores.emplace(*package, *core);
        else
            cores.emplace(-1, processor); // unknown topology: count it as a core of its own
    }
    return static_cast<std::uint32_t>(cores.size());
}

} // namespace

CpuFeatures detectCpuFeatures() noexcept
{
    CpuFeatures features;
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0)
        return features;
    unsigned low = 0;
    unsigned high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    constexpr unsigned kXmmAndYmm = 0x6;
    if ((low & kXmmAndYmm) != kXmmAndYmm || (c & bit_AVX) == 0)
        return features;
    features.fma = (c & bit_FMA) != 0;
    features.f16c = (c & bit_F16C) != 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0)
        features.avx2 = (b & bit_AVX2) != 0;
#endif
    return features;
}

std::vector<std::uint32_t> affinity()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<std::uint32_t> processors;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return processors;
    for (std::uint32_t i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(i, &set))
            processors.push_back(i);
    }
    return processors;
}

std::uint32_t usableCores(const std::filesystem::path& root, const std::vector<std::uint32_t>& processors)
{
    std::uint32_t cores
        = processors.empty() ? std::thread::hardware_concurrency() : physicalCores(root, processors);
    if (const auto quota = cgroupQuota(root)) {
        const auto whole = static_cast<std::uint32_t>(*quota);
        const std::uint32_t roundedUp = whole + (*quota > whole ? 1U : 0U);
        cores = std::min(cores, roundedUp);
    }
    return std::max(cores, 1U);
}

std::uint32_t usableCores()
{
    return usableCores("/", affinity());
}

} // namespace kaikou
