#include "ui/view/sampling_panel.h"

#include "inference/sample/reshape.h"
#include "ui/model/distribution_model.h"
#include "ui/view/param_slider.h"
#include "ui/view/seed_field.h"
#include "ui/view/theme.h"
#include "ui/view/toned_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>

namespace kaikou {

namespace {

constexpr Semantics kSemantics[]
    = {Semantics::Standard, Semantics::LlamaCpp, Semantics::Vllm, Semantics::LitGpt, Semantics::GptTeacher};
constexpr PositionMode kPositions[]
    = {PositionMode::Automatic, PositionMode::Correct, PositionMode::GptTeacher};
constexpr int kMaxNewTokens = 32768;

QLabel* heading(QWidget* parent)
{
    auto* label = new QLabel(parent);
    QFont bold = label->font();
    bold.setWeight(QFont::DemiBold);
    label->setFont(bold);
    return label;
}

// One stop string per line; \n stands for a line break inside one.
QString stopsToText(const std::vector<std::string>& stops)
{
    QStringList lines;
    for (const std::string& stop : stops)
        lines += QString::fromStdString(stop).replace(QLatin1Char('\n'), QStringLiteral("\\n"));
    return lines.join(QLatin1Char('\n'));
}

std::vector<std::string> stopsFromText(const QString& text)
{
    std::vector<std::string> stops;
    for (QString line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        stops.push_back(line.replace(QStringLiteral("\\n"), QStringLiteral("\n")).toStdString());
    return stops;
}

QString remain(const DistributionModel& distribution, StageKind kind, bool on)
{
    if (!on)
        return SamplingPanel::tr("off: cuts nothing here");
    if (distribution.summary().greedy)
        return SamplingPanel::tr("here: not used, greedy takes the likeliest token");
    const auto line = distribution.stage(kind);
    const int vocab = distribution.summary().vocab;
    if (!line)
        return SamplingPanel::tr("here: cuts nothing");
    return SamplingPanel::tr("here: %1 of %2 tokens remain").arg(line->left).arg(vocab);
}

} // namespace

SamplingPanel::SamplingPanel(const DistributionModel* distribution, QWidget* parent)
    : QScrollArea(parent)
    , m_distribution(distribution)
{
    build();
    retranslate();
    showParams();
    connect(distribution, &DistributionModel::reshaped, this, &SamplingPanel::showEffects);
}

void SamplingPanel::build()
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    column->setSpacing(space::kLarge);

    m_reasonLabel = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, body);
    m_reasonLabel->setWordWrap(true);
    m_reset = new QPushButton(body);
    auto* top = new QHBoxLayout;
    top->setSpacing(space::kMedium);
    top->addWidget(m_reasonLabel, 1);
    top->addWidget(m_reset, 0, Qt::AlignTop);
    column->addLayout(top);

    for (QLabel*& label : m_headings)
        label = heading(body);
    m_temperature = new ParamSlider({0.0, 2.0, 10.0, 0.01, 2}, body);
    m_topK = new ParamSlider({0.0, 200.0, 1048576.0, 1.0, 0}, body);
    m_topP = new ParamSlider({0.0, 1.0, 1.0, 0.01, 2}, body);
    m_minP = new ParamSlider({0.0, 1.0, 1.0, 0.01, 2}, body);
    m_repetition = new ParamSlider({0.5, 2.0, 10.0, 0.01, 2}, body);
    m_presence = new ParamSlider({-2.0, 2.0, 10.0, 0.01, 2}, body);
    m_frequency = new ParamSlider({-2.0, 2.0, 10.0, 0.01, 2}, body);
    const std::pair<QLabel*, std::vector<ParamSlider*>> groups[] = {{m_headings[0], {m_temperature}},
        {m_headings[1], {m_topK, m_topP, m_minP}}, {m_headings[2], {m_repetition, m_presence, m_frequency}}};
    for (const auto& [label, sliders] : groups) {
        column->addWidget(label);
        for (ParamSlider* slider : sliders) {
            column->addWidget(slider);
            connect(slider, &ParamSlider::valueChanged, this, &SamplingPanel::changed);
        }
    }
    column->addWidget(m_headings[3]);
    column->addWidget(buildRules());
    column->addStretch(1);
    setWidget(body);
    connect(m_reset, &QPushButton::clicked, this, &SamplingPanel::reset);
}

QSize SamplingPanel::minimumSizeHint() const
{
    const int bar = verticalScrollBar()->sizeHint().width();
    return {widget()->minimumSizeHint().width() + bar, QScrollArea::minimumSizeHint().height()};
}

QWidget* SamplingPanel::buildRules()
{
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::kSmall);
    for (QLabel*& label : m_labels)
        label = new QLabel(box);
    m_maxTokens = new QSpinBox(box);
    m_maxTokens->setRange(0, kMaxNewTokens);
    m_maxTokens->setKeyboardTracking(false);
    m_seed = new SeedField(box);
    m_semantics = new QComboBox(box);
    m_semanticsHelp = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, box);
    m_stops = new QPlainTextEdit(box);
    m_stops->setTabChangesFocus(true);
    m_stops->setFixedHeight(m_stops->fontMetrics().lineSpacing() * 3 + 2 * space::kMedium);
    m_automaticStops = new QCheckBox(box);
    m_positions = new QComboBox(box);
    m_positionsHelp = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, box);
    m_semanticsHelp->setWordWrap(true);
    m_positionsHelp->setWordWrap(true);
    for (const Semantics semantics : kSemantics)
        m_semantics->addItem(QString(), static_cast<int>(semantics));
    for (QComboBox* combo : {m_semantics, m_positions}) {
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(12);
    }
    for (const PositionMode mode : kPositions)
        m_positions->addItem(QString(), static_cast<int>(mode));

    const std::pair<QLabel*, std::vector<QWidget*>> rows[] = {{m_labels[0], {m_maxTokens}},
        {m_labels[1], {m_seed}}, {m_labels[2], {m_semantics, m_semanticsHelp}},
        {m_labels[3], {m_stops, m_automaticStops}}, {m_labels[4], {m_positions, m_positionsHelp}}};
    for (const auto& [label, widgets] : rows) {
        column->addWidget(label);
        label->setBuddy(widgets.front());
        for (QWidget* widget : widgets)
            column->addWidget(widget);
        column->addSpacing(space::kMedium);
    }
    connect(m_maxTokens, &QSpinBox::valueChanged, this, &SamplingPanel::changed);
    connect(m_semantics, &QComboBox::currentIndexChanged, this, &SamplingPanel::changed);
    connect(m_stops, &QPlainTextEdit::textChanged, this, &SamplingPanel::changed);
    connect(m_automaticStops, &QCheckBox::toggled, this, &SamplingPanel::changed);
    connect(m_positions, &QComboBox::currentIndexChanged, this, &SamplingPanel::changed);
    return box;
}

void SamplingPanel::setParams(const ReplyParams& params)
{
    if (params == m_params)
        return;
    m_params = params;
    showParams();
    emit paramsChanged(m_params);
}

void SamplingPanel::setDefaults(const ReplyParams& defaults, const QString& reason)
{
    m_defaults = defaults;
    m_reason = reason;
    m_reasonLabel->setText(reason);
    m_reset->setEnabled(m_params != m_defaults);
}

void SamplingPanel::reset()
{
    setParams(m_defaults);
    m_seed->setLocked(false);
}

void SamplingPanel::setFamily(Family family)
{
    const bool teacher = family == Family::GptTeacher || family == Family::GptTeacherFirst;
    for (QWidget* widget : {static_cast<QWidget*>(m_labels[4]), static_cast<QWidget*>(m_positions),
             static_cast<QWidget*>(m_positionsHelp)})
        widget->setVisible(teacher);
}

void SamplingPanel::changed()
{
    if (m_showing)
        return;
    SampleParams& sampling = m_params.sampling;
    sampling.temperature = static_cast<float>(m_temperature->value());
    sampling.topK = static_cast<std::int32_t>(m_topK->value());
    sampling.topP = static_cast<float>(m_topP->value());
    sampling.minP = static_cast<float>(m_minP->value());
    sampling.repetitionPenalty = static_cast<float>(m_repetition->value());
    sampling.presencePenalty = static_cast<float>(m_presence->value());
    sampling.frequencyPenalty = static_cast<float>(m_frequency->value());
    sampling.semantics = static_cast<Semantics>(m_semantics->currentData().toInt());
    m_params.maxTokens = static_cast<std::uint32_t>(m_maxTokens->value());
    m_params.positions = static_cast<PositionMode>(m_positions->currentData().toInt());
    m_params.stops.automatic = m_automaticStops->isChecked();
    m_params.stops.strings = stopsFromText(m_stops->toPlainText());
    showSemantics();
    m_reset->setEnabled(m_params != m_defaults);
    emit paramsChanged(m_params);
}

void SamplingPanel::showParams()
{
    m_showing = true;
    const SampleParams& sampling = m_params.sampling;
    m_temperature->setValue(sampling.temperature);
    m_topK->setValue(sampling.topK);
    m_topP->setValue(sampling.topP);
    m_minP->setValue(sampling.minP);
    m_repetition->setValue(sampling.repetitionPenalty);
    m_presence->setValue(sampling.presencePenalty);
    m_frequency->setValue(sampling.frequencyPenalty);
    m_semantics->setCurrentIndex(m_semantics->findData(static_cast<int>(sampling.semantics)));
    m_maxTokens->setValue(static_cast<int>(m_params.maxTokens));
    m_positions->setCurrentIndex(m_positions->findData(static_cast<int>(m_params.positions)));
    m_automaticStops->setChecked(m_params.stops.automatic);
    m_stops->setPlainText(stopsToText(m_params.stops.strings));
    m_showing = false;
    showSemantics();
    showEffects();
    m_reset->setEnabled(m_params != m_defaults);
}

void SamplingPanel::showEffects()
{
    const auto sliders = {m_temperature, m_topK, m_topP, m_minP, m_repetition, m_presence, m_frequency};
    if (m_distribution->state() != DistributionModel::State::Ready) {
        for (ParamSlider* slider : sliders)
            slider->setEffect({});
        return;
    }
    const DistributionModel::Summary& summary = m_distribution->summary();
    if (summary.greedy) {
        m_temperature->setEffect(tr("here: always the likeliest token, no dice"));
    } else {
        m_temperature->setEffect(tr("here: about %1 real choices instead of %2")
                                     .arg(locale().toString(summary.choicesNow, 'f', 1),
                                         locale().toString(summary.choices, 'f', 1)));
    }
    const SampleParams& sampling = m_distribution->params();
    m_topK->setEffect(remain(*m_distribution, StageKind::TopK, sampling.topK > 0));
    m_topP->setEffect(remain(*m_distribution, StageKind::TopP, sampling.topP < 1.0F));
    m_minP->setEffect(remain(*m_distribution, StageKind::MinP, sampling.minP > 0.0F));
    const QString moved
        = tr("here: the chosen token %1 → %2").arg(percent(summary.pModel), percent(summary.pShaped));
    m_repetition->setEffect(m_distribution->stage(StageKind::Repetition) ? moved : QString());
    const bool counted = m_distribution->stage(StageKind::FrequencyPresence).has_value();
    m_presence->setEffect(counted && m_params.sampling.presencePenalty != 0.0F ? moved : QString());
    m_frequency->setEffect(counted && m_params.sampling.frequencyPenalty != 0.0F ? moved : QString());
}

void SamplingPanel::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showEffects();
    }
}

void SamplingPanel::retranslate()
{
    m_reset->setText(tr("Reset"));
    m_reset->setToolTip(tr("Back to what suits this model"));
    m_headings[0]->setText(tr("Boldness"));
    m_headings[1]->setText(tr("Cut the tail"));
    m_headings[2]->setText(tr("Against repetition"));
    m_headings[3]->setText(tr("Length, dice and rules"));
    retranslateSliders();
    retranslateRules();
}

void SamplingPanel::retranslateSliders()
{
    m_temperature->setTexts(
        tr("Temperature"), tr("How bold: low stays with the likeliest words, high tries unlikely ones."));
    m_temperature->setWord(0.0, tr("greedy"));
    m_topK->setTexts(tr("Top-k"), tr("Only the k likeliest tokens may be drawn."));
    m_topK->setWord(0.0, tr("off"));
    m_topP->setTexts(tr("Top-p"), tr("Only the likeliest tokens that together reach this share."));
    m_topP->setWord(1.0, tr("off"));
    m_minP->setTexts(tr("Min-p"), tr("Only tokens at least this fraction as likely as the best one."));
    m_minP->setWord(0.0, tr("off"));
    m_repetition->setTexts(
        tr("Repetition penalty"), tr("Above 1, words that were already said become less likely."));
    m_repetition->setWord(1.0, tr("off"));
    m_presence->setTexts(tr("Presence penalty"), tr("Takes the same off every word the answer has used."));
    m_presence->setWord(0.0, tr("off"));
    m_frequency->setTexts(
        tr("Frequency penalty"), tr("Takes more off a word each time the answer has used it."));
    m_frequency->setWord(0.0, tr("off"));
}

void SamplingPanel::retranslateRules()
{
    m_labels[0]->setText(tr("Max new tokens"));
    m_labels[1]->setText(tr("Seed"));
    m_labels[2]->setText(tr("Sampling rules"));
    m_labels[3]->setText(tr("Stop at (one per line)"));
    m_labels[4]->setText(tr("Positions"));
    m_maxTokens->setSpecialValueText(tr("as many as fit"));
    m_maxTokens->setAccessibleName(m_labels[0]->text());
    m_semantics->setAccessibleName(m_labels[2]->text());
    m_stops->setAccessibleName(m_labels[3]->text());
    m_positions->setAccessibleName(m_labels[4]->text());
    m_automaticStops->setText(tr("Also stop where this model's form ends"));
    const QString semantics[]
        = {tr("Standard (Hugging Face)"), tr("llama.cpp"), tr("vLLM"), tr("LitGPT"), tr("GPT_teacher")};
    for (int i = 0; i < m_semantics->count(); ++i)
        m_semantics->setItemText(i, semantics[i]);
    const QString positions[]
        = {tr("As the model's family does"), tr("Correct"), tr("As GPT_teacher counts")};
    for (int i = 0; i < m_positions->count(); ++i)
        m_positions->setItemText(i, positions[i]);
    m_positionsHelp->setText(
        tr("GPT_teacher's own program counts the positions of new words wrongly; its published answers need "
           "that."));
    showSemantics();
}

// Says of every value that the chosen rules do not know that it does nothing.
void SamplingPanel::showAvailability()
{
    const Semantics semantics = m_params.sampling.semantics;
    const std::pair<ParamSlider*, StageKind> sliders[]
        = {{m_temperature, StageKind::Temperature}, {m_topK, StageKind::TopK}, {m_topP, StageKind::TopP},
            {m_minP, StageKind::MinP}, {m_repetition, StageKind::Repetition},
            {m_presence, StageKind::FrequencyPresence}, {m_frequency, StageKind::FrequencyPresence}};
    for (const auto& [slider, stage] : sliders) {
        slider->setUnavailable(hasStage(semantics, stage)
                ? QString()
                : tr("%1 has no %2: this does nothing.").arg(m_semantics->currentText(), slider->name()));
    }
}

void SamplingPanel::showSemantics()
{
    showAvailability();
    switch (m_params.sampling.semantics) {
    case Semantics::Standard:
        m_semanticsHelp->setText(tr("Penalties, temperature, then top-k, top-p, min-p."));
        return;
    case Semantics::LlamaCpp:
        m_semanticsHelp->setText(tr("Cuts first, temperature last: a high value stays readable."));
        return;
    case Semantics::Vllm:
        m_semanticsHelp->setText(tr("Temperature first, then min-p, top-k and top-p."));
        return;
    case Semantics::LitGpt:
        m_semanticsHelp->setText(tr("Temperature 0 is greedy only together with top-p 0."));
        return;
    case Semantics::GptTeacher:
        m_semanticsHelp->setText(
            tr("Top-p drops the token that crosses the limit; the penalty always divides."));
        return;
    }
}

} // namespace kaikou
