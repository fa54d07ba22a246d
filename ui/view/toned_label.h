#pragma once

#include <QLabel>

namespace kaikou {

// A label in one of the theme's text colours; follows a change of theme by itself.
class TonedLabel : public QLabel
{
    Q_OBJECT

public:
    enum class Tone
    {
        Muted,
        Accent,
        Warn,
        Bad
    };

    enum class Size
    {
        Normal,
        Small, // 0.9
        Large // 1.35, semi-bold
    };

    explicit TonedLabel(Tone tone, Size size = Size::Small, QWidget* parent = nullptr);

    void setTone(Tone tone);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();

    Tone m_tone;
    Size m_size;
    bool m_restyling = false;
};

} // namespace kaikou
