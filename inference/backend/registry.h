#pragma once

#include "inference/backend/backend.h"
#include "inference/base/result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaikou {

using BackendFactory = std::function<Result<std::unique_ptr<Backend>>()>;

// The kinds of device this program can run models on, by name, in the order they were added. A value: the
// composition of each program makes its own.
class BackendRegistry
{
public:
    // A second factory of the same name replaces the first.
    void add(std::string name, BackendFactory factory);

    // DeviceUnavailable for a name that nobody added, else what the factory says.
    [[nodiscard]] Result<std::unique_ptr<Backend>> make(std::string_view name) const;

private:
    struct Entry
    {
        std::string name;
        BackendFactory factory;
    };

    std::vector<Entry> m_entries;
};

// "cpu" alone.
[[nodiscard]] BackendRegistry cpuOnlyRegistry();

} // namespace kaikou
