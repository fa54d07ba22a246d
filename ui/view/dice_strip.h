#pragma once

#include <QWidget>

namespace kaikou {

class DistributionModel;

// The kept candidates laid end to end from 0 to 1, and the needle of the step's random number: the token
// under the needle is the one that is drawn.
class DiceStrip : public QWidget
{
    Q_OBJECT

public:
    explicit DiceStrip(const DistributionModel* model, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void describe();

    const DistributionModel* m_model;
};

} // namespace kaikou
