#include "cuda/gpu_api.h"

#include <cuda_runtime.h>

namespace kaikou::cuda {

namespace {

constexpr unsigned kMagic = 0x4B41494BU; // "KAIK"

// out[0] = kMagic.  Launch: one block of one thread.
__global__ void writeMagic(unsigned* out)
{
    *out = kMagic;
}

int driverVersion(int* version)
{
    return cudaDriverGetVersion(version);
}

int deviceCount(int* count)
{
    *count = 0;
    return cudaGetDeviceCount(count);
}

int deviceFacts(int device, DeviceFacts* facts)
{
    cudaDeviceProp properties {};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device); error != cudaSuccess)
        return error;
    facts->name = properties.name;
    facts->computeMajor = properties.major;
    facts->computeMinor = properties.minor;
    facts->integrated = properties.integrated != 0;
    facts->memoryTotal = properties.totalGlobalMem;
    if (const cudaError_t error = cudaSetDevice(device); error != cudaSuccess)
        return error;
    std::size_t free = 0;
    std::size_t total = 0;
    const cudaError_t error = cudaMemGetInfo(&free, &total);
    facts->memoryFree = free;
    return error;
}

int trialLaunch(int device)
{
    unsigned* word = nullptr;
    if (const cudaError_t error = cudaSetDevice(device); error != cudaSuccess)
        return error;
    if (const cudaError_t error = cudaMalloc(reinterpret_cast<void**>(&word), sizeof(unsigned));
        error != cudaSuccess)
        return error;
    writeMagic<<<1, 1>>>(word);
    unsigned seen = 0;
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpy(&seen, word, sizeof(seen), cudaMemcpyDeviceToHost);
    cudaFree(word);
    if (error == cudaSuccess && seen != kMagic)
        error = cudaErrorUnknown;
    return error;
}

const char* errorText(int error)
{
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

} // namespace

const GpuApi& runtimeApi()
{
    static constexpr GpuApi kTable {driverVersion, deviceCount, deviceFacts, trialLaunch, errorText};
    return kTable;
}

} // namespace kaikou::cuda
