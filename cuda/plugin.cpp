#include "cuda/device_probe.h"
#include "inference/backend/plugin_abi.h"

#include <algorithm>
#include <string>

namespace {

template <std::size_t N>
void copyText(char (&to)[N], const std::string& from)
{
    const std::size_t length = std::min(from.size(), N - 1);
    std::copy_n(from.data(), length, to);
    to[length] = '\0';
}

void probe(KkProbe* result)
{
    const kaikou::cuda::ProbeResult found = kaikou::cuda::probeDevices(kaikou::cuda::runtimeApi());
    result->code = found.problem ? static_cast<std::int32_t>(*found.problem) : 0;
    result->driverVersion = found.driverVersion;
    result->memoryTotal = found.facts.memoryTotal;
    result->memoryFree = found.facts.memoryFree;
    copyText(result->device, found.facts.name);
    copyText(result->message, found.message);
    copyText(result->detail, found.detail);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int kk_backend_v1(std::uint32_t hostAbi, KkBackendApi* api)
{
    if (hostAbi != kKaikouPluginAbi || api == nullptr)
        return 1;
    *api = {kKaikouPluginAbi, KAIKOU_VERSION, probe, 0};
    return 0;
}
