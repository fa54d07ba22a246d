#include "ui/view/theme.h"

#include "ui/view/control_style.h"
#include "ui/view/theme_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyle>

#include <algorithm>

namespace kaikou {

namespace {

constexpr double kBasePointSize = 10.5;

Theme makeLight()
{
    Theme theme;
    theme.dark = false;
    theme.window = QColor(0xF3, 0xF4, 0xF6);
    theme.page = QColor(0xFF, 0xFF, 0xFF);
    theme.panel = QColor(0xFA, 0xFA, 0xFB);
    theme.bubble = QColor(0xE8, 0xF0, 0xFA);
    theme.border = QColor(0xD9, 0xDC, 0xE2);
    theme.control = QColor(0x80, 0x86, 0x90);
    theme.hover = QColor(0xEA, 0xEC, 0xF0);
    theme.text = QColor(0x1A, 0x1A, 0x1A);
    theme.muted = QColor(0x59, 0x60, 0x6C);
    theme.accent = QColor(0x0B, 0x5F, 0xB3);
    theme.onAccent = QColor(0xFF, 0xFF, 0xFF);
    theme.selection = QColor(0xB9, 0xD7, 0xF7);
    theme.good = QColor(0x1A, 0x66, 0x38);
    theme.goodSurface = QColor(0xE2, 0xF4, 0xE8);
    theme.warn = QColor(0x76, 0x49, 0x00);
    theme.warnSurface = QColor(0xFF, 0xF1, 0xD6);
    theme.bad = QColor(0xA3, 0x23, 0x1C);
    theme.badSurface = QColor(0xFD, 0xE7, 0xE5);
    theme.confidence = {QColor(0xFF, 0xFF, 0xFF), QColor(0xFF, 0xF1, 0xDC), QColor(0xFF, 0xD9, 0xA0),
        QColor(0xFD, 0xB3, 0x66), QColor(0xEE, 0x8A, 0x3C)};
    theme.diverging = {QColor(0x9C, 0xCB, 0xEA), QColor(0xD6, 0xE8, 0xF5), QColor(0xF4, 0xF4, 0xF4),
        QColor(0xFB, 0xD9, 0xB0), QColor(0xF0, 0xA0, 0x4B)};
    theme.chosen = QColor(0x00, 0x72, 0xB2);
    theme.doubt = QColor(0xB3, 0x5A, 0x00);
    theme.removed = QColor(0x80, 0x86, 0x90);
    theme.forced = QColor(0x7B, 0x3F, 0xA0);
    theme.ticks = {QColor(0x8A, 0x8A, 0x8A), QColor(0xA8, 0x80, 0x45), QColor(0xB0, 0x70, 0x18),
        QColor(0xB3, 0x5A, 0x00), QColor(0x8F, 0x3D, 0x00)};
    return theme;
}

Theme makeDark()
{
    Theme theme;
    theme.dark = true;
    theme.window = QColor(0x17, 0x18, 0x1A);
    theme.page = QColor(0x1E, 0x1E, 0x1E);
    theme.panel = QColor(0x24, 0x25, 0x28);
    theme.bubble = QColor(0x2A, 0x35, 0x45);
    theme.border = QColor(0x3B, 0x3D, 0x42);
    theme.control = QColor(0x83, 0x88, 0x91);
    theme.hover = QColor(0x31, 0x33, 0x38);
    theme.text = QColor(0xE8, 0xE8, 0xE8);
    theme.muted = QColor(0xA6, 0xAB, 0xB4);
    theme.accent = QColor(0x74, 0xB4, 0xF5);
    theme.onAccent = QColor(0x0F, 0x17, 0x20);
    theme.selection = QColor(0x2F, 0x4F, 0x7A);
    theme.good = QColor(0x7F, 0xD6, 0xA0);
    theme.goodSurface = QColor(0x1D, 0x34, 0x27);
    theme.warn = QColor(0xF2, 0xC0, 0x63);
    theme.warnSurface = QColor(0x3A, 0x2E, 0x16);
    theme.bad = QColor(0xFF, 0x9C, 0x92);
    theme.badSurface = QColor(0x45, 0x22, 0x1F);
    theme.confidence = {QColor(0x1E, 0x1E, 0x1E), QColor(0x33, 0x29, 0x1D), QColor(0x55, 0x3A, 0x17),
        QColor(0x7A, 0x4A, 0x0E), QColor(0x98, 0x54, 0x00)};
    theme.diverging = {QColor(0x1F, 0x5C, 0x8A), QColor(0x1F, 0x3A, 0x52), QColor(0x2B, 0x2B, 0x2B),
        QColor(0x55, 0x3A, 0x17), QColor(0x98, 0x54, 0x00)};
    theme.chosen = QColor(0x56, 0xB4, 0xE9);
    theme.doubt = QColor(0xE6, 0x9F, 0x00);
    theme.removed = QColor(0x83, 0x88, 0x91);
    theme.forced = QColor(0xC7, 0x9B, 0xE8);
    theme.ticks = {QColor(0x80, 0x80, 0x80), QColor(0xB0, 0x8A, 0x55), QColor(0xCF, 0x8F, 0x3A),
        QColor(0xF0, 0x95, 0x2B), QColor(0xFF, 0xB2, 0x5A)};
    return theme;
}

Theme withSeries(Theme theme)
{
    // Okabe and Ito's colours, told apart with every kind of colour vision.
    theme.series = {QColor(0x00, 0x72, 0xB2), QColor(0xD5, 0x5E, 0x00), QColor(0x00, 0x9E, 0x73),
        QColor(0xCC, 0x79, 0xA7)};
    return theme;
}

} // namespace

const Theme& lightTheme()
{
    static const Theme theme = withSeries(makeLight());
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme = withSeries(makeDark());
    return theme;
}

const Theme& themeFor(const QPalette& palette)
{
    const bool dark = palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
    return dark ? darkTheme() : lightTheme();
}

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.page);
    palette.setColor(QPalette::AlternateBase, theme.panel);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Button, theme.panel);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.bad);
    palette.setColor(QPalette::ToolTipBase, theme.panel);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.onAccent);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::Light, theme.panel);
    palette.setColor(QPalette::Midlight, theme.hover);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, theme.border);
    palette.setColor(QPalette::Shadow, theme.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.removed);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.border);
    return palette;
}

QFont textFont(double scale)
{
    QFont font;
    font.setFamilies({QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Source Han Sans SC"),
        QStringLiteral("Microsoft YaHei"), QStringLiteral("PingFang SC"),
        QStringLiteral("WenQuanYi Micro Hei"), QStringLiteral("sans-serif")});
    font.setPointSizeF(kBasePointSize * std::clamp(scale, 0.8, 2.5));
    return font;
}

QFont byteFont(double scale)
{
    QFont font = textFont(scale);
    font.setFamilies({QStringLiteral("Noto Sans Mono CJK SC"), QStringLiteral("DejaVu Sans Mono"),
        QStringLiteral("monospace")});
    font.setStyleHint(QFont::Monospace);
    return font;
}

void applyTheme(QApplication& app, ThemeMode mode, double fontScale)
{
    QApplication::setStyle(new ControlStyle);
    QApplication::setPalette(QPalette()); // what the desktop says
    const bool dark
        = mode == ThemeMode::System ? themeFor(QApplication::palette()).dark : mode == ThemeMode::Dark;
    const Theme& theme = dark ? darkTheme() : lightTheme();
    QApplication::setPalette(paletteOf(theme));
    QApplication::setFont(textFont(fontScale));
    app.setStyleSheet(styleSheetOf(theme));
}

} // namespace kaikou
