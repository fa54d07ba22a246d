#pragma once

#include "ui/view/confidence_scale.h"

#include <QWidget>

namespace kaikou {

// The strip that says what the colours mean: metric, five steps with bounds and underlines, and the reminder
// that sure is not true. Always visible.
class ConfidenceLegend : public QWidget
{
    Q_OBJECT

public:
    explicit ConfidenceLegend(QWidget* parent = nullptr);

    void setScale(ConfidenceScale scale);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    // Two lines where the sentence does not fit beside the colours.
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }

    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    [[nodiscard]] static QString sentence();
    [[nodiscard]] QStringList labels() const; // of the five colours
    [[nodiscard]] int colourWidth() const; // title and colours, pixels

    ConfidenceScale m_scale;
};

} // namespace kaikou
