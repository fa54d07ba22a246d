#pragma once

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace kaikou {

class DiceStrip;
class DistributionChart;
class DistributionModel;
class TonedLabel;

// How one token was chosen: numbers, bars before and after the sampler, dice and stages. Shows the model it
// was given; a change of the panel's values arrives through that model.
class InspectorPanel : public QWidget
{
    Q_OBJECT

public:
    explicit InspectorPanel(DistributionModel* model, QWidget* parent = nullptr);

    [[nodiscard]] DistributionChart* chart() const { return m_chart; }

    // Whether the open model can bring back what was dropped.
    void setRecomputable(bool possible);

    // The one-line reading of the token for status lines and screen readers; empty without a token.
    [[nodiscard]] QString sentence() const;

signals:
    void moveRequested(int delta); // to the previous (-1) or next (+1) token
    void alternativeChosen(quint32 id); // the answer is to go on from this token instead
    void recomputeRequested(); // the model is to score the answer again
    void originalParamsRequested(); // bring back the values the reply was made with

protected:
    void changeEvent(QEvent* event) override;

private:
    enum Figure
    {
        Model,
        Rank,
        Surprisal,
        Entropy,
        Choices,
        Kept,
        FigureCount
    };

    QWidget* buildEmpty();
    QWidget* buildBody();
    QWidget* buildHeader();
    QWidget* buildFigures();
    void retranslate();
    void refresh();
    void refreshFigures();
    [[nodiscard]] QString noteText() const;
    [[nodiscard]] QString stagesText() const;

    DistributionModel* m_model;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_emptyTitle = nullptr;
    TonedLabel* m_emptyText = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    TonedLabel* m_token = nullptr;
    TonedLabel* m_place = nullptr;
    QLabel* m_says = nullptr;
    QLabel* m_values[FigureCount] = {};
    TonedLabel* m_captions[FigureCount] = {};
    TonedLabel* m_note = nullptr;
    QPushButton* m_original = nullptr;
    QPushButton* m_recompute = nullptr;
    bool m_recomputable = false;
    TonedLabel* m_legend = nullptr;
    DistributionChart* m_chart = nullptr;
    DiceStrip* m_strip = nullptr;
    TonedLabel* m_stages = nullptr;
};

} // namespace kaikou
