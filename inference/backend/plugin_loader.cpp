#include "inference/backend/plugin_loader.h"

#include "inference/backend/plugin_abi.h"

#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <system_error>

namespace kaikou {

namespace {

struct CloseLibrary
{
    void operator()(void* handle) const { dlclose(handle); }
};

using Library = std::unique_ptr<void, CloseLibrary>;

// RTLD_LOCAL keeps the plugin's own runtime out of the program's symbols.
Result<Library> openLibrary(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return Error {ErrorCode::PluginMissing, "the plugin of this backend is not installed", file.string()};
    Library library(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!library)
        return Error {ErrorCode::PluginInvalid, std::string("the plugin cannot be opened: ") + dlerror(),
            file.string()};
    return library;
}

Result<KkBackendApi> readApi(void* library, const std::filesystem::path& file)
{
    void* symbol = dlsym(library, kKaikouPluginSymbol);
    if (symbol == nullptr)
        return Error {ErrorCode::PluginInvalid,
            std::string("not a Kaikou plugin: no symbol ") + kKaikouPluginSymbol, file.string()};
    KkBackendEntry entry = nullptr;
    static_assert(sizeof(entry) == sizeof(symbol));
    std::memcpy(&entry, &symbol, sizeof(entry));
    KkBackendApi api {};
    if (entry(kKaikouPluginAbi, &api) != 0 || api.abiVersion != kKaikouPluginAbi || api.probe == nullptr)
        return Error {
            ErrorCode::PluginInvalid, "the plugin speaks another version of the interface", file.string()};
    if (api.buildId == nullptr || std::strcmp(api.buildId, KAIKOU_VERSION) != 0)
        return Error {ErrorCode::PluginInvalid,
            std::string("the plugin belongs to version ") + (api.buildId ? api.buildId : "?")
                + ", this is " KAIKOU_VERSION,
            file.string()};
    return api;
}

template <std::size_t N>
std::string bounded(const char (&text)[N])
{
    return std::string(text, strnlen(text, N));
}

Result<DeviceReport> ask(const std::filesystem::path& file, DeviceReport report)
{
    KAIKOU_TRY(const Library library, openLibrary(file));
    KAIKOU_TRY(const KkBackendApi api, readApi(library.get(), file));
    KkProbe probe {};
    api.probe(&probe);
    report.name = bounded(probe.device);
    report.detail = bounded(probe.detail);
    report.memoryTotal = probe.memoryTotal;
    report.memoryFree = probe.memoryFree;
    if (probe.code != 0)
        report.reason = {static_cast<ErrorCode>(probe.code), bounded(probe.message), report.name};
    else if (api.canRunModels == 0)
        report.reason = {ErrorCode::DeviceUnavailable,
            "the device answers, but this version of Kaikou computes on the CPU only", report.name};
    else
        report.available = true;
    return report;
}

} // namespace

DeviceReport probePlugin(const std::filesystem::path& file, const std::string& backend)
{
    DeviceReport report;
    report.backend = backend;
    auto answer = ask(file, report);
    if (answer)
        return *std::move(answer);
    report.reason = answer.error();
    return report;
}

} // namespace kaikou
