#include "app/devices.h"

#include "inference/backend/registry.h"

#include <filesystem>

namespace kaikou {

namespace {

// Plugins lie beside the program, never in the working folder, where a stranger could have put one.
std::filesystem::path pluginFolder()
{
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return program.parent_path() / "kaikou-plugins";
}

} // namespace

std::vector<DeviceReport> listDevices()
{
    std::vector<DeviceReport> devices;
    const auto backend = cpuOnlyRegistry().make("cpu");
    if (backend) {
        const BackendInfo cpu = (*backend)->info();
        devices.push_back({cpu.name, cpu.device, true, {}, {}, cpu.memoryTotal, cpu.memoryFree});
    }
    devices.push_back(probePlugin(pluginFolder() / "kaikou_cuda.so", "cuda"));
    return devices;
}

} // namespace kaikou
