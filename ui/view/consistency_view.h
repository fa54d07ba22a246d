#pragma once

#include "ui/model/reply.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTreeView;

namespace kaikou {

class ConsistencyModel;
class TonedLabel;

// Asks the same question several times and shows how far the answers agree.
class ConsistencyView : public QWidget
{
    Q_OBJECT

public:
    explicit ConsistencyView(ConsistencyModel* model, QWidget* parent = nullptr);

    [[nodiscard]] int samples() const;
    void setSamples(int samples);
    [[nodiscard]] bool asGptTeacher() const; // else with the present settings
    void setAvailable(bool available); // a model is open

    [[nodiscard]] QString verdictText() const;

    [[nodiscard]] QPushButton* runButton() const { return m_run; }

signals:
    void runRequested();
    void sampleChosen(const kaikou::Reply& reply); // it is to stand in the chat

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    void refresh();
    void press();

    ConsistencyModel* m_model;
    bool m_available = false;
    TonedLabel* m_intro = nullptr;
    QLabel* m_samplesLabel = nullptr;
    QSpinBox* m_samples = nullptr;
    QLabel* m_modeLabel = nullptr;
    QComboBox* m_mode = nullptr;
    QPushButton* m_run = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_question = nullptr;
    QLabel* m_verdict = nullptr;
    TonedLabel* m_interval = nullptr;
    QTreeView* m_groups = nullptr;
    TonedLabel* m_caution = nullptr;
};

} // namespace kaikou
