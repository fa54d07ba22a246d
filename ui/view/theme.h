#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <array>

class QApplication;

namespace kaikou {

enum class ThemeMode
{
    System,
    Light,
    Dark
};

// Every colour of the program; nothing else names one. Text on each surface has a contrast of at least 4.5:1.
struct Theme
{
    bool dark = false;
    // Surfaces, back to front.
    QColor window; // behind panels
    QColor page; // transcript and input fields
    QColor panel; // cards, docks, headers
    QColor bubble; // the user's words
    QColor border;
    QColor control; // frames and grooves of controls, >= 3:1 on window, page and panel
    QColor hover;
    // Text.
    QColor text;
    QColor muted; // secondary text on window, page and panel
    QColor accent; // links, focus, the main button
    QColor onAccent; // text on accent
    QColor selection; // behind selected text; text colour stays
    // States: text colour on its own pale surface.
    QColor good, goodSurface;
    QColor warn, warnSurface;
    QColor bad, badSurface;
    // Doubt: [0] = sure = the page itself.
    std::array<QColor, 5> confidence;
    std::array<QColor, 5> diverging; // first to last, middle = equal
    std::array<QColor, 4> series; // lines, >= 3:1 on page
    // Kinds (microscope.md §5.2): hue has one meaning everywhere.
    QColor chosen; // the token that was taken
    QColor doubt; // underlines and ticks of the orange family
    QColor removed; // hatch of what a filter cut
    QColor forced; // chosen by the user
    // One mark per token under a character of several tokens, by step; >= 3:1 on page.
    std::array<QColor, 5> ticks;
};

[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();
// The theme a widget paints with: by the lightness of its palette, so PaletteChange is the only notice
// needed.
[[nodiscard]] const Theme& themeFor(const QPalette& palette);

[[nodiscard]] QPalette paletteOf(const Theme& theme);
// Palette, fonts and style sheet of the whole program; fontScale 0.8 .. 2.5. System = light or dark as the
// desktop's own palette.
void applyTheme(QApplication& app, ThemeMode mode, double fontScale = 1.0);

[[nodiscard]] QFont textFont(double scale = 1.0); // Noto Sans CJK SC with fallbacks, zh-Hans glyphs
[[nodiscard]] QFont byteFont(double scale = 1.0); // monospace with CJK

// Device-independent pixels at font scale 1.
namespace space {
inline constexpr int kTiny = 2;
inline constexpr int kSmall = 4;
inline constexpr int kMedium = 8;
inline constexpr int kLarge = 16;
inline constexpr int kHuge = 32;
inline constexpr int kRadius = 8;
} // namespace space

} // namespace kaikou
