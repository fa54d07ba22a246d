#pragma once

#include <cstdint>
#include <string>

namespace kaikou::cuda {

// What the probe needs to know of one device.
struct DeviceFacts
{
    std::string name;
    int computeMajor = 0, computeMinor = 0;
    bool integrated = false;
    std::uint64_t memoryTotal = 0, memoryFree = 0; // bytes
};

// The part of the CUDA runtime the module calls, as a table, so that tests can play every driver there is.
// Every function returns a cudaError_t number; 0 = success.
struct GpuApi
{
    int (*driverVersion)(int* version); // 13000 = 13.0; 0 = no driver
    int (*deviceCount)(int* count); // leaves count untouched on failure
    int (*deviceFacts)(int device, DeviceFacts* facts); // makes the device current
    int (*trialLaunch)(int device); // runs a one-thread kernel and checks what it wrote
    const char* (*errorText)(int error); // the runtime's own words
};

// The table over the real runtime; only in the plugin module.
const GpuApi& runtimeApi();

} // namespace kaikou::cuda
