#include "ui/view/theme_style.h"

#include "ui/view/theme.h"

#include <utility>

namespace kaikou {

namespace {

constexpr auto kSheet = R"(
QPushButton { background: @panel; color: @text; border: 1px solid @border; border-radius: 6px; padding: 5px 12px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @border; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton:disabled { color: @removed; }
QPushButton[role="primary"] { background: @accent; color: @onAccent; border: 1px solid @accent; font-weight: bold; }
QPushButton[role="primary"]:hover { border: 1px solid @text; }
QPushButton[role="primary"]:disabled { background: @border; color: @muted; border: 1px solid @border; }
QPushButton[role="stop"] { background: @badSurface; color: @bad; border: 1px solid @bad; font-weight: bold; }
QPushButton[role="quiet"] { background: transparent; border: 1px solid transparent; color: @muted; padding: 3px 8px; }
QPushButton[role="quiet"]:hover { background: @hover; color: @text; }
QPushButton[role="quiet"]:focus { border: 1px solid @accent; }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 3px; }
QToolButton:hover { background: @hover; }
QToolButton:focus { border: 1px solid @accent; }
QLineEdit { background: @page; border: 1px solid @border; border-radius: 6px; padding: 4px 6px; }
QLineEdit:focus { border: 1px solid @accent; }
QToolTip { background: @panel; color: @text; border: 1px solid @border; padding: 6px; }
QMenuBar { background: @window; }
QMenuBar::item { padding: 4px 9px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected { background: @hover; color: @text; }
QMenu { background: @panel; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 5px; }
QMenu::item:selected { background: @accent; color: @onAccent; }
QMenu::item:disabled { color: @removed; }
QMenu::separator { height: 1px; background: @border; margin: 4px 6px; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @removed; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QDockWidget::title { background: @window; padding: 6px 16px; text-align: left; }
QTabBar::tab { background: transparent; color: @muted; padding: 6px 14px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { background: @hover; color: @text; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:focus { color: @accent; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QStatusBar { background: @window; border-top: 1px solid @border; }
QStatusBar::item { border: none; }
)";

}

QString styleSheetOf(const Theme& theme)
{
    QString sheet = QString::fromLatin1(kSheet);
    // Longer names first where one begins another.
    const std::pair<QLatin1String, QColor> names[] = {
        {QLatin1String("@badSurface"), theme.badSurface},
        {QLatin1String("@bad"), theme.bad},
        {QLatin1String("@onAccent"), theme.onAccent},
        {QLatin1String("@accent"), theme.accent},
        {QLatin1String("@window"), theme.window},
        {QLatin1String("@page"), theme.page},
        {QLatin1String("@panel"), theme.panel},
        {QLatin1String("@border"), theme.border},
        {QLatin1String("@hover"), theme.hover},
        {QLatin1String("@text"), theme.text},
        {QLatin1String("@muted"), theme.muted},
        {QLatin1String("@removed"), theme.removed},
    };
    for (const auto& [name, color] : names)
        sheet.replace(name, color.name());
    return sheet;
}

} // namespace kaikou
