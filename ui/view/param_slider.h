#pragma once

#include <QDoubleSpinBox>
#include <QWidget>

class QLabel;
class QSlider;

namespace kaikou {

class TonedLabel;

// A spin box that shows a word for one of its values ("off", "greedy"), wherever in the range that lies.
class WordSpin : public QDoubleSpinBox
{
    Q_OBJECT

public:
    using QDoubleSpinBox::QDoubleSpinBox;

    void setWord(double value, const QString& word);

    [[nodiscard]] QString textFromValue(double value) const override;
    [[nodiscard]] double valueFromText(const QString& text) const override;

protected:
    [[nodiscard]] QValidator::State validate(QString& text, int& position) const override;
    void wheelEvent(
        QWheelEvent* event) override; // only while focused: it must not stop the panel's scrolling

private:
    double m_wordValue = 0.0;
    QString m_word;
};

// One number of the sampling panel: name, exact value, slider, one line of help in plain words and one line
// that says what the value does at the selected step. The slider is linear over [low, high]; the spin box may
// go on to `most`.
class ParamSlider : public QWidget
{
    Q_OBJECT

public:
    struct Range
    {
        double low = 0.0, high = 1.0; // of the slider
        double most = 1.0; // of the spin box
        double step = 0.01;
        int decimals = 2;
    };

    explicit ParamSlider(const Range& range, QWidget* parent = nullptr);

    void setTexts(const QString& name, const QString& help);
    void setWord(double value, const QString& word); // shown instead of this value
    void setEffect(const QString& text); // empty = nothing is selected
    // Why the value does nothing under the chosen rules; shown instead of the effect, and nothing can be set.
    // Empty = it counts.
    void setUnavailable(const QString& reason);

    [[nodiscard]] QString name() const;
    [[nodiscard]] double value() const;
    void setValue(double value); // signals nothing

    [[nodiscard]] QSlider* slider() const { return m_slider; }

    [[nodiscard]] QString effect() const; // the line shown: effect, or why there is none

signals:
    void valueChanged(double value); // by the user

private:
    void slide(int position);
    void type(double value);
    void showLine();
    [[nodiscard]] int positionOf(double value) const;

    Range m_range;
    QLabel* m_name = nullptr;
    WordSpin* m_spin = nullptr;
    QSlider* m_slider = nullptr;
    TonedLabel* m_help = nullptr;
    TonedLabel* m_effect = nullptr;
    QString m_effectText;
    QString m_unavailable; // reason; empty = the value counts
};

} // namespace kaikou
