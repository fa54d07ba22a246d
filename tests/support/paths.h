#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace kaikou::test {

inline std::filesystem::path sourceDir()
{
    return KAIKOU_SOURCE_DIR;
}

// The larger reference data beside the checkout (../shared), where it is there. Small copies live in
// tests/golden.
inline std::optional<std::filesystem::path> sharedDir()
{
    const std::filesystem::path shared = sourceDir().parent_path() / "shared";
    if (std::filesystem::is_directory(shared / "goldens"))
        return shared;
    return std::nullopt;
}

// A model of the reference data: the copy in tests/golden/models, else the one beside the checkout.
inline std::filesystem::path modelPath(const std::filesystem::path& name)
{
    const std::filesystem::path copy = sourceDir() / "tests/golden/models" / name;
    const auto shared = sharedDir();
    return std::filesystem::exists(copy) || !shared ? copy : *shared / "goldens/models" / name;
}

} // namespace kaikou::test
