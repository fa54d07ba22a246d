#include "inference/load/config_number.h"

#include "inference/model/config.h"

#include <cmath>
#include <string>

namespace kaikou {

Result<std::uint32_t> configSize(
    JsonValue object, std::string_view key, std::uint64_t limit, std::optional<std::uint64_t> fallback)
{
    std::uint64_t value = fallback.value_or(0);
    if (object.given(key)) {
        KAIKOU_TRY(value, object[key].count(ErrorCode::ConfigInvalid));
    } else if (!fallback) {
        return object.error(ErrorCode::ConfigMissing, "the configuration has no \"" + std::string(key) + '"');
    }
    if (value < 1 || value > limit)
        return object.error(ErrorCode::ConfigInvalid,
            '"' + std::string(key) + "\" is " + std::to_string(value) + ", allowed are 1 to "
                + std::to_string(limit));
    return static_cast<std::uint32_t>(value);
}

Result<float> configPositive(JsonValue object, std::string_view key, std::optional<double> fallback)
{
    double value = fallback.value_or(0);
    if (object.given(key)) {
        KAIKOU_TRY(value, object[key].number(ErrorCode::ConfigInvalid));
    } else if (!fallback) {
        return object.error(ErrorCode::ConfigMissing, "the configuration has no \"" + std::string(key) + '"');
    }
    const auto narrow = static_cast<float>(value);
    if (!std::isfinite(narrow) || !(narrow > 0))
        return object.error(
            ErrorCode::ConfigInvalid, '"' + std::string(key) + "\" must be a finite number above 0");
    return narrow;
}

Result<bool> configFlag(JsonValue object, std::string_view key, bool fallback)
{
    return object.given(key) ? object[key].boolean(ErrorCode::ConfigInvalid) : Result<bool>(fallback);
}

Result<void> checkHeads(const ModelConfig& config, std::string_view headsKey, const std::string& where)
{
    const auto error = [&](const std::string& what) {
        return Error {ErrorCode::ConfigInvalid, '"' + std::string(headsKey) + "\": " + what, where};
    };
    if (config.heads % config.kvHeads != 0)
        return error(std::to_string(config.heads) + " heads cannot share " + std::to_string(config.kvHeads)
            + " key/value heads evenly");
    if (config.headSize % 2 != 0)
        return error(
            "the size of a head (head_dim) is " + std::to_string(config.headSize) + ", it must be even");
    return {};
}

} // namespace kaikou
