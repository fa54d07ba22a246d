#include "ui/view/param_slider.h"

#include "ui/view/theme.h"
#include "ui/view/toned_label.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QWheelEvent>

#include <cmath>

namespace kaikou {

namespace {

// Scrolls the panel instead of the value unless the user is on it.
class CalmSlider : public QSlider
{
public:
    using QSlider::QSlider;

protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (hasFocus())
            QSlider::wheelEvent(event);
        else
            event->ignore();
    }
};

} // namespace

void WordSpin::setWord(double value, const QString& word)
{
    m_wordValue = value;
    m_word = word;
    const QSignalBlocker quiet(this);
    setValue(this->value()); // shows the word of a new language
    lineEdit()->setText(textFromValue(this->value()));
}

QString WordSpin::textFromValue(double value) const
{
    if (!m_word.isEmpty() && value == m_wordValue)
        return m_word;
    return QDoubleSpinBox::textFromValue(value);
}

double WordSpin::valueFromText(const QString& text) const
{
    return text == m_word ? m_wordValue : QDoubleSpinBox::valueFromText(text);
}

QValidator::State WordSpin::validate(QString& text, int& position) const
{
    return text == m_word ? QValidator::Acceptable : QDoubleSpinBox::validate(text, position);
}

void WordSpin::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

ParamSlider::ParamSlider(const Range& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
    , m_name(new QLabel(this))
    , m_spin(new WordSpin(this))
    , m_slider(new CalmSlider(Qt::Horizontal, this))
    , m_help(new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, this))
    , m_effect(new TonedLabel(TonedLabel::Tone::Accent, TonedLabel::Size::Small, this))
{
    m_spin->setDecimals(range.decimals);
    m_spin->setRange(range.low, range.most);
    m_spin->setSingleStep(range.step);
    m_spin->setFocusPolicy(Qt::StrongFocus);
    m_spin->setKeyboardTracking(false); // half-typed numbers shape nothing
    m_spin->setAlignment(Qt::AlignRight);
    m_spin->setFixedWidth(m_spin->fontMetrics().horizontalAdvance(QStringLiteral("0000.00")) + 44);
    m_slider->setRange(0, static_cast<int>(std::lround((range.high - range.low) / range.step)));
    m_slider->setSingleStep(1);
    m_slider->setPageStep(std::max(1, m_slider->maximum() / 10));
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_help->setWordWrap(true);
    m_effect->setWordWrap(true);
    m_effect->hide();
    m_name->setBuddy(m_spin);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(space::kMedium);
    grid->setVerticalSpacing(space::kTiny);
    grid->addWidget(m_name, 0, 0);
    grid->addWidget(m_spin, 0, 1);
    grid->addWidget(m_slider, 1, 0, 1, 2);
    grid->addWidget(m_help, 2, 0, 1, 2);
    grid->addWidget(m_effect, 3, 0, 1, 2);
    grid->setColumnStretch(0, 1);

    connect(m_slider, &QSlider::valueChanged, this, &ParamSlider::slide);
    connect(m_spin, &QDoubleSpinBox::valueChanged, this, &ParamSlider::type);
}

void ParamSlider::setTexts(const QString& name, const QString& help)
{
    m_name->setText(name);
    m_help->setText(help);
    m_spin->setAccessibleName(name);
    m_slider->setAccessibleName(name);
    showLine();
}

void ParamSlider::setWord(double value, const QString& word)
{
    m_spin->setWord(value, word);
}

void ParamSlider::setEffect(const QString& text)
{
    m_effectText = text;
    showLine();
}

void ParamSlider::setUnavailable(const QString& reason)
{
    m_unavailable = reason;
    for (QWidget* widget : {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_spin),
             static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_help)})
        widget->setEnabled(reason.isEmpty());
    m_effect->setTone(reason.isEmpty() ? TonedLabel::Tone::Accent : TonedLabel::Tone::Warn);
    showLine();
}

void ParamSlider::showLine()
{
    const QString line = m_unavailable.isEmpty() ? m_effectText : m_unavailable;
    if (m_effect->text() != line)
        m_effect->setText(line);
    m_effect->setVisible(!line.isEmpty());
    const QString spoken
        = m_unavailable.isEmpty() ? m_help->text() : m_unavailable + QStringLiteral(" ") + m_help->text();
    m_spin->setAccessibleDescription(spoken);
    m_slider->setAccessibleDescription(spoken);
}

QString ParamSlider::name() const
{
    return m_name->text();
}

double ParamSlider::value() const
{
    return m_spin->value();
}

void ParamSlider::setValue(double value)
{
    const QSignalBlocker quietSpin(m_spin);
    const QSignalBlocker quietSlider(m_slider);
    m_spin->setValue(value);
    m_slider->setValue(positionOf(value));
}

QString ParamSlider::effect() const
{
    return m_effect->text();
}

void ParamSlider::slide(int position)
{
    const double value = m_range.low + position * m_range.step;
    {
        const QSignalBlocker quiet(m_spin);
        m_spin->setValue(value);
    }
    emit valueChanged(m_spin->value());
}

void ParamSlider::type(double value)
{
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(positionOf(value));
    }
    emit valueChanged(value);
}

int ParamSlider::positionOf(double value) const
{
    return static_cast<int>(std::lround((std::min(value, m_range.high) - m_range.low) / m_range.step));
}

} // namespace kaikou
