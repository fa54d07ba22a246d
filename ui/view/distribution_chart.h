#pragma once

#include <QListView>

namespace kaikou {

class DistributionModel;

// Bars of one step: outline = what the model gave (P_model), filled = what the dice use under the panel's
// settings, hatched = cut, with the name of the stage. A list to the keyboard and to screen readers. The
// scale is 0 to 100 %, always, so that bars of different steps and settings can be compared.
class DistributionChart : public QListView
{
    Q_OBJECT

public:
    explicit DistributionChart(DistributionModel* model, QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
};

} // namespace kaikou
