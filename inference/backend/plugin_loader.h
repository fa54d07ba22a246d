#pragma once

#include "inference/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace kaikou {

// One line of `kaikou-cli devices` and of the window's backend chooser.
struct DeviceReport
{
    std::string backend; // "cpu", "cuda"
    std::string name; // of the device, empty when none was found
    bool available = false;
    Error reason; // why not; meaningless when available
    std::string detail; // the driver's own words
    std::uint64_t memoryTotal = 0, memoryFree = 0; // bytes; 0 = unknown
};

// Opens the plugin file, checks its version and asks it about its devices. Takes the time the driver takes:
// call it off any thread that must answer. Never fails: what is wrong stands in `reason`
// (PluginMissing, PluginInvalid, or the plugin's own 5xx code). Any thread.
[[nodiscard]] DeviceReport probePlugin(const std::filesystem::path& file, const std::string& backend);

} // namespace kaikou
