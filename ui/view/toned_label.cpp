#include "ui/view/toned_label.h"

#include "ui/view/theme.h"

#include <QApplication>
#include <QEvent>

namespace kaikou {

TonedLabel::TonedLabel(Tone tone, Size size, QWidget* parent)
    : QLabel(parent)
    , m_tone(tone)
    , m_size(size)
{
    restyle();
}

void TonedLabel::setTone(Tone tone)
{
    if (tone == m_tone)
        return;
    m_tone = tone;
    restyle();
}

void TonedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange)
        restyle();
}

void TonedLabel::restyle()
{
    if (m_restyling)
        return; // setPalette and setFont come back here
    m_restyling = true;
    const Theme& theme = themeFor(QApplication::palette());
    const QColor colours[] = {theme.muted, theme.accent, theme.warn, theme.bad};
    QPalette own = QApplication::palette();
    own.setColor(QPalette::WindowText, colours[static_cast<int>(m_tone)]);
    setPalette(own);

    constexpr double kScales[] = {1.0, 0.9, 1.35};
    QFont scaled = QApplication::font();
    scaled.setPointSizeF(scaled.pointSizeF() * kScales[static_cast<int>(m_size)]);
    if (m_size == Size::Large)
        scaled.setWeight(QFont::DemiBold);
    setFont(scaled);
    m_restyling = false;
}

} // namespace kaikou
