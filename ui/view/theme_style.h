#pragma once

#include <QString>

namespace kaikou {

struct Theme;

// Shape of the standard controls: round corners, thin lines, slim scroll bars. Colours are the theme's.
[[nodiscard]] QString styleSheetOf(const Theme& theme);

} // namespace kaikou
