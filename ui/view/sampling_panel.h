#pragma once

#include "inference/model/config.h"
#include "ui/model/reply_params.h"

#include <QScrollArea>

class QCheckBox;
class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace kaikou {

class DistributionModel;
class ParamSlider;
class SeedField;
class TonedLabel;

// Everything that shapes the next reply, and what each value does at the token that is selected.
class SamplingPanel : public QScrollArea
{
    Q_OBJECT

public:
    explicit SamplingPanel(const DistributionModel* distribution, QWidget* parent = nullptr);

    [[nodiscard]] const ReplyParams& params() const noexcept { return m_params; }

    // Shows these values; signals paramsChanged when they differ.
    void setParams(const ReplyParams& params);
    // What Reset goes back to, and why the model has these defaults.
    void setDefaults(const ReplyParams& defaults, const QString& reason);
    void reset();
    void setFamily(Family family); // the position mode is shown for GPT_teacher models only

    [[nodiscard]] SeedField* seed() const { return m_seed; }

    [[nodiscard]] ParamSlider* temperature() const { return m_temperature; }

    [[nodiscard]] ParamSlider* topK() const { return m_topK; }

    [[nodiscard]] ParamSlider* minP() const { return m_minP; }

    [[nodiscard]] ParamSlider* repetition() const { return m_repetition; }

    [[nodiscard]] QSize minimumSizeHint() const override; // nothing is clipped at the side

signals:
    void paramsChanged(const kaikou::ReplyParams& params);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    QWidget* buildRules();
    void retranslate();
    void retranslateSliders();
    void retranslateRules();
    void showParams();
    void showEffects();
    void showSemantics();
    void showAvailability();
    void changed();

    const DistributionModel* m_distribution;
    ReplyParams m_params;
    ReplyParams m_defaults;
    QString m_reason;

    TonedLabel* m_reasonLabel = nullptr;
    QPushButton* m_reset = nullptr;
    QLabel* m_headings[4] = {}; // shape, tail, repetition, length and rules
    ParamSlider* m_temperature = nullptr;
    ParamSlider* m_topK = nullptr;
    ParamSlider* m_topP = nullptr;
    ParamSlider* m_minP = nullptr;
    ParamSlider* m_repetition = nullptr;
    ParamSlider* m_presence = nullptr;
    ParamSlider* m_frequency = nullptr;
    QLabel* m_labels[5] = {}; // max tokens, seed, semantics, stops, positions
    QSpinBox* m_maxTokens = nullptr;
    SeedField* m_seed = nullptr;
    QComboBox* m_semantics = nullptr;
    TonedLabel* m_semanticsHelp = nullptr;
    QPlainTextEdit* m_stops = nullptr;
    QCheckBox* m_automaticStops = nullptr;
    QComboBox* m_positions = nullptr;
    TonedLabel* m_positionsHelp = nullptr;
    bool m_showing = false; // widgets are being set, not used
};

} // namespace kaikou
