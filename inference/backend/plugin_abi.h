#pragma once

#include <cstdint>

// The C face of a device plugin: one exported symbol, plain structs, no C++ types. A plugin is opened at run
// time from the program's own library folder, so that a machine without the device's driver starts all the
// same.
extern "C" {

inline constexpr std::uint32_t kKaikouPluginAbi = 1;
inline constexpr const char* kKaikouPluginSymbol = "kk_backend_v1";

// What a plugin found out about its devices. Text is UTF-8 English, NUL-terminated.
struct KkProbe
{
    std::int32_t code; // ErrorCode as a number; 0 = the device can be used
    std::int32_t driverVersion; // as the runtime counts it (13000 = 13.0); 0 = none
    std::uint64_t memoryTotal, memoryFree; // bytes; 0 = unknown
    char device[128]; // name of the device chosen
    char message[256]; // why it cannot be used
    char detail[256]; // the driver's own words
};

struct KkBackendApi
{
    std::uint32_t abiVersion; // kKaikouPluginAbi of the plugin
    const char* buildId; // product version the plugin was built with; must equal the host's
    void (*probe)(
        KkProbe* result); // may take seconds when a driver hangs: never on a thread that must answer
    std::uint32_t canRunModels; // 0 = this build brings the probe only
};

// Fills `api` and returns 0; anything else = the host's ABI is not understood.
using KkBackendEntry = int (*)(std::uint32_t hostAbi, KkBackendApi* api);
}
