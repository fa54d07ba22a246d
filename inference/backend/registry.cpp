#include "inference/backend/registry.h"

#include "inference/backend/cpu/cpu_backend.h"

#include <algorithm>
#include <utility>

namespace kaikou {

void BackendRegistry::add(std::string name, BackendFactory factory)
{
    const auto same = std::find_if(
        m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.name == name; });
    if (same != m_entries.end())
        same->factory = std::move(factory);
    else
        m_entries.push_back({std::move(name), std::move(factory)});
}

Result<std::unique_ptr<Backend>> BackendRegistry::make(std::string_view name) const
{
    const auto found = std::find_if(
        m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.name == name; });
    if (found == m_entries.end())
        return Error {ErrorCode::DeviceUnavailable, "there is no backend named " + std::string(name), {}};
    return found->factory();
}

BackendRegistry cpuOnlyRegistry()
{
    BackendRegistry registry;
    registry.add("cpu", []() -> Result<std::unique_ptr<Backend>> {
        return std::unique_ptr<Backend>(std::make_unique<CpuBackend>());
    });
    return registry;
}

} // namespace kaikou
