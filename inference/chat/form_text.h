#pragma once

#include "inference/model/config.h"

#include <string_view>

// The words of the form 用户:…\n助手: and the family that was trained on nothing else.
namespace kaikou {

inline constexpr std::string_view kUserName = "用户";
inline constexpr std::string_view kAssistantName = "助手";
inline constexpr std::string_view kUserLabel = "用户:";
inline constexpr std::string_view kAssistantLabel = "助手:";

[[nodiscard]] constexpr bool isGptTeacher(Family family) noexcept
{
    return family == Family::GptTeacher || family == Family::GptTeacherFirst;
}

} // namespace kaikou
