#include "cuda/device_probe.h"

#include <utility>

namespace kaikou::cuda {

namespace {

constexpr int kNeededDriver = 13000; // the runtime linked into the module
constexpr int kMostDevices = 64; // a sane bound on what a broken driver may claim

// cudaError_t numbers (CUDA runtime documentation, "Error Handling").
struct Meaning
{
    int error;
    ErrorCode code;
    const char* message;
};

constexpr Meaning kMeanings[] = {
    {2, ErrorCode::OutOfMemory, "the GPU has no free memory: close other programs that use it"},
    {35, ErrorCode::NoDriver, "no NVIDIA driver found: install the driver, version 580 or newer"},
    {46, ErrorCode::DeviceBusy, "another program holds the GPU (exclusive mode): close it and try again"},
    {100, ErrorCode::NoDevice, "no usable GPU in this machine"},
    {101, ErrorCode::NoDevice, "no usable GPU in this machine"},
    {209, ErrorCode::NoKernelImage, "this GPU is not supported by this build"},
    {222, ErrorCode::NoKernelImage, "this GPU is not supported by this build"},
    {803, ErrorCode::DriverMismatch, "the driver was updated under the running system: restart the computer"},
    {804, ErrorCode::DriverMismatch,
        "driver and CUDA compatibility library do not fit: restart the computer"},
};

std::string inWords(const GpuApi& api, int error)
{
    const char* text = api.errorText(error);
    return std::string(text != nullptr ? text : "unknown error") + " (" + std::to_string(error) + ")";
}

ProbeResult failure(const GpuApi& api, int error, ProbeResult result)
{
    result.problem = ErrorCode::DeviceUnavailable;
    result.message = "the GPU does not answer: restart the computer if this stays";
    for (const Meaning& meaning : kMeanings) {
        if (meaning.error == error) {
            result.problem = meaning.code;
            result.message = meaning.message;
        }
    }
    result.detail = inWords(api, error);
    return result;
}

std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

ProbeResult tooOld(ProbeResult result)
{
    result.problem = ErrorCode::DriverTooOld;
    result.message = "the NVIDIA driver is too old: version 580 or newer is needed";
    result.detail = "the driver supports CUDA " + versionText(result.driverVersion) + ", needed is "
        + versionText(kNeededDriver);
    return result;
}

ProbeResult tryDevice(const GpuApi& api, int device, ProbeResult result)
{
    result.facts = {};
    if (const int error = api.deviceFacts(device, &result.facts); error != 0)
        return failure(api, error, std::move(result));
    if (const int error = api.trialLaunch(device); error != 0)
        return failure(api, error, std::move(result));
    result.device = device;
    return result;
}

} // namespace

ProbeResult probeDevices(const GpuApi& api)
{
    ProbeResult result;
    if (const int error = api.driverVersion(&result.driverVersion); error != 0)
        return failure(api, error, std::move(result));
    if (result.driverVersion == 0)
        return failure(api, 35, std::move(result));
    if (result.driverVersion < kNeededDriver)
        return tooOld(std::move(result));
    int count = 0;
    if (const int error = api.deviceCount(&count); error != 0)
        return failure(api, error, std::move(result));
    if (count <= 0 || count > kMostDevices)
        return failure(api, 100, std::move(result));

    ProbeResult best = tryDevice(api, 0, result);
    for (int device = 1; device < count; ++device) {
        ProbeResult next = tryDevice(api, device, result);
        const bool better = !next.problem && (best.problem || next.facts.memoryFree > best.facts.memoryFree);
        if (better)
            best = std::move(next);
    }
    return best;
}

} // namespace kaikou::cuda
