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

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    ConfidenceScale m_scale;
};

} // namespace kaikou
