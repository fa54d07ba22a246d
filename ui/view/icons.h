#pragma once

#include <QIcon>
#include <QPalette>

namespace kaikou {

// Small line drawings, painted in the palette's text colour so that they fit every theme and scale.
enum class Icon
{
    Open,
    NewChat,
    Stop,
    Regenerate,
    Dice,
    Locked,
    Previous,
    Next,
    Close,
    Sliders,
    Bars,
    Vote,
    Pin
};

[[nodiscard]] QIcon icon(Icon which, const QPalette& palette);

// The program's own icon.
[[nodiscard]] QIcon appIcon();

} // namespace kaikou
