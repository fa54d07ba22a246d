#pragma once

#include "inference/backend/plugin_loader.h"

#include <vector>

namespace kaikou {

// Every backend of this build with its device, or the reason why it cannot be used; the CPU first, it always
// runs. Takes as long as a driver takes to answer: call it off the GUI thread.
[[nodiscard]] std::vector<DeviceReport> listDevices();

} // namespace kaikou
