#include "ui/view/inspector_panel.h"

#include "ui/model/distribution_model.h"
#include "ui/model/error_text.h"
#include "ui/view/dice_strip.h"
#include "ui/view/distribution_chart.h"
#include "ui/view/icons.h"
#include "ui/view/theme.h"
#include "ui/view/toned_label.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <numbers>

namespace kaikou {

namespace {

constexpr int kEmptyPage = 0;
constexpr int kTokenPage = 1;

QVBoxLayout* column(QWidget* widget)
{
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    layout->setSpacing(space::kMedium);
    return layout;
}

} // namespace

InspectorPanel::InspectorPanel(DistributionModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_pages(new QStackedWidget(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    m_pages->addWidget(buildEmpty());
    auto* scroll = new QScrollArea(this); // in a low window the body scrolls instead of being drawn over
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(buildBody());
    m_pages->addWidget(scroll);
    retranslate();
    connect(model, &DistributionModel::reshaped, this, &InspectorPanel::refresh);
}

QWidget* InspectorPanel::buildEmpty()
{
    auto* page = new QWidget(this);
    auto* layout = column(page);
    m_emptyTitle = new QLabel(page);
    m_emptyTitle->setAlignment(Qt::AlignCenter);
    QFont bold = m_emptyTitle->font();
    bold.setWeight(QFont::DemiBold);
    m_emptyTitle->setFont(bold);
    m_emptyText = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Normal, page);
    m_emptyText->setWordWrap(true);
    m_emptyText->setAlignment(Qt::AlignCenter);
    layout->addStretch(2);
    layout->addWidget(m_emptyTitle);
    layout->addWidget(m_emptyText);
    layout->addStretch(3);
    return page;
}

QWidget* InspectorPanel::buildBody()
{
    auto* page = new QWidget(this);
    auto* layout = column(page);
    m_says = new QLabel(page);
    m_says->setWordWrap(true);
    m_note = new TonedLabel(TonedLabel::Tone::Warn, TonedLabel::Size::Small, page);
    m_note->setWordWrap(true);
    m_original = new QPushButton(page);
    m_recompute = new QPushButton(page);
    m_legend = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, page);
    m_legend->setWordWrap(true);
    m_chart = new DistributionChart(m_model, page);
    connect(m_chart, &QListView::activated, this, [this](const QModelIndex& row) {
        const QVariant id = row.data(DistributionModel::IdRole);
        if (id.isValid() && !row.data(DistributionModel::ChosenRole).toBool())
            emit alternativeChosen(id.toUInt());
    });
    m_strip = new DiceStrip(m_model, page);
    m_stages = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, page);
    m_stages->setWordWrap(true);
    layout->addWidget(buildHeader());
    layout->addWidget(m_says);
    layout->addWidget(buildFigures());
    layout->addWidget(m_note);
    layout->addWidget(m_original, 0, Qt::AlignLeft);
    layout->addWidget(m_recompute, 0, Qt::AlignLeft);
    layout->addWidget(m_legend);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_strip);
    layout->addWidget(m_stages);
    connect(m_original, &QPushButton::clicked, this, &InspectorPanel::originalParamsRequested);
    connect(m_recompute, &QPushButton::clicked, this, &InspectorPanel::recomputeRequested);
    return page;
}

QWidget* InspectorPanel::buildHeader()
{
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    m_previous = new QToolButton(header);
    m_next = new QToolButton(header);
    m_previous->setAutoRaise(true);
    m_next->setAutoRaise(true);
    m_token = new TonedLabel(TonedLabel::Tone::Accent, TonedLabel::Size::Large, header);
    m_token->setTextFormat(Qt::PlainText);
    m_token->setWordWrap(true);
    m_token->setMinimumWidth(1); // a long token must not widen the dock
    m_place = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, header);
    row->addWidget(m_token, 1);
    row->addWidget(m_place);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    connect(m_previous, &QToolButton::clicked, this, [this] { emit moveRequested(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { emit moveRequested(1); });
    return header;
}

QWidget* InspectorPanel::buildFigures()
{
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, space::kSmall, 0, space::kSmall);
    grid->setHorizontalSpacing(space::kMedium);
    grid->setVerticalSpacing(0);
    for (int i = 0; i < FigureCount; ++i) {
        m_values[i] = new QLabel(box);
        QFont bold = m_values[i]->font();
        bold.setWeight(QFont::DemiBold);
        m_values[i]->setFont(bold);
        m_captions[i] = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, box);
        const int row = i / 3 * 3;
        grid->addWidget(m_values[i], row, i % 3);
        grid->addWidget(m_captions[i], row + 1, i % 3);
        grid->setColumnStretch(i % 3, 1);
    }
    grid->setRowMinimumHeight(2, space::kMedium);
    return box;
}

void InspectorPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

void InspectorPanel::retranslate()
{
    m_emptyTitle->setText(tr("How was a word chosen?"));
    m_emptyText->setText(tr("Click a word of an answer, or press F6 and use the arrow keys. Its alternatives "
                            "appear here, before and after the sampler."));
    m_previous->setIcon(icon(Icon::Previous, palette()));
    m_next->setIcon(icon(Icon::Next, palette()));
    m_previous->setAccessibleName(tr("Previous token"));
    m_next->setAccessibleName(tr("Next token"));
    m_previous->setToolTip(m_previous->accessibleName());
    m_next->setToolTip(m_next->accessibleName());
    m_captions[Model]->setText(tr("model probability"));
    m_captions[Rank]->setText(tr("rank"));
    m_captions[Surprisal]->setText(tr("surprise, bits"));
    m_captions[Entropy]->setText(tr("entropy, bits"));
    m_captions[Choices]->setText(tr("real choices"));
    m_captions[Kept]->setText(tr("tokens kept"));
    m_captions[Surprisal]->setToolTip(tr("−log2 of the model's probability: 1 bit = a coin toss"));
    m_captions[Entropy]->setToolTip(tr("How open the whole choice was, under the model's own probabilities"));
    m_captions[Choices]->setToolTip(
        tr("exp of the entropy: 2.0 feels like two equally likely words, whatever the vocabulary"));
    m_original->setText(tr("Back to the reply's own values"));
    m_recompute->setText(tr("Compute it again"));
    m_recompute->setToolTip(
        tr("The model reads the answer once more; the numbers are the same as the first time"));
    m_legend->setText(tr("outline: the model · filled: what the dice use · hatched: cut"));
    refresh();
}

void InspectorPanel::refresh()
{
    const auto& step = m_model->step();
    m_pages->setCurrentIndex(step ? kTokenPage : kEmptyPage);
    if (!step) {
        setAccessibleDescription({});
        return;
    }
    m_token->setText(m_model->label(step->token));
    m_place->setText(tr("token %1 of %2").arg(step->index + 1).arg(step->count));
    m_previous->setEnabled(step->index > 0);
    m_next->setEnabled(step->index + 1 < step->count);
    const DistributionModel::Summary& summary = m_model->summary();
    m_says->setText(summary.greedy
            ? tr("The model gives this token %1. The choice is greedy: the likeliest one, without dice.")
                  .arg(percent(summary.pModel))
            : tr("The model gives this token %1; with the present settings the dice give it %2.")
                  .arg(percent(summary.pModel), percent(summary.pSample)));
    refreshFigures();
    const QString note = noteText();
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_original->setVisible(step->made != m_model->params());
    m_recompute->setVisible(m_recomputable && m_model->state() == DistributionModel::State::Evicted);
    const bool ready = m_model->state() == DistributionModel::State::Ready;
    m_legend->setVisible(ready);
    m_chart->setVisible(ready || m_model->rowCount() > 0);
    m_strip->setVisible(ready);
    m_stages->setVisible(ready);
    m_stages->setText(stagesText());
    setAccessibleDescription(sentence());
}

void InspectorPanel::refreshFigures()
{
    const DistributionModel::Summary& summary = m_model->summary();
    const bool ready = m_model->state() == DistributionModel::State::Ready;
    m_values[Model]->setText(percent(summary.pModel));
    m_values[Rank]->setText(locale().toString(summary.rank));
    m_values[Surprisal]->setText(locale().toString(std::abs(summary.surprisalBits), 'f', 2));
    m_values[Entropy]->setText(locale().toString(summary.entropy / std::numbers::ln2, 'f', 2));
    m_values[Choices]->setText(locale().toString(summary.choices, 'f', 2));
    m_values[Kept]->setText(
        ready ? tr("%1 of %2").arg(summary.kept).arg(summary.vocab) : locale().toString(summary.kept));
}

void InspectorPanel::setRecomputable(bool possible)
{
    m_recomputable = possible;
    refresh();
}

QString InspectorPanel::noteText() const
{
    switch (m_model->state()) {
    case DistributionModel::State::Evicted:
        return tr("≈ The full distribution of this token is not in memory any more; its likeliest tokens are "
                  "shown. "
                  "The numbers are those of the reply's own settings.");
    case DistributionModel::State::Failed:
        return errorText(m_model->error().code).what + u' '
            + QString::fromStdString(m_model->error().message);
    case DistributionModel::State::Empty:
        return {};
    case DistributionModel::State::Ready:
        break;
    }
    const DistributionModel::Summary& summary = m_model->summary();
    QStringList notes;
    if (summary.approximate)
        notes += tr("≈ approximate: the logits of this reply are stored rounded");
    if (summary.pick != m_model->step()->token)
        notes += summary.greedy ? tr("Now the choice would be %1.").arg(m_model->label(summary.pick))
                                : tr("The same dice would now give %1.").arg(m_model->label(summary.pick));
    return notes.join(QLatin1Char('\n'));
}

QString InspectorPanel::stagesText() const
{
    QStringList parts;
    for (const DistributionModel::StageLine& line : m_model->summary().stages) {
        if (line.kind == StageKind::Dice && m_model->summary().greedy)
            continue; // no dice are thrown
        if (line.kind == StageKind::Raw)
            parts += tr("model: %1 tokens").arg(line.left);
        else if (line.removed > 0)
            parts += tr("%1: %2 left").arg(stageName(line.kind)).arg(line.left);
        else
            parts += stageName(line.kind);
    }
    return parts.join(QStringLiteral(" → "));
}

QString InspectorPanel::sentence() const
{
    const auto& step = m_model->step();
    if (!step)
        return {};
    const DistributionModel::Summary& summary = m_model->summary();
    return tr("token %1 of %2: %3, %4, rank %5, entropy %6 bits")
        .arg(step->index + 1)
        .arg(step->count)
        .arg(m_model->label(step->token), percent(summary.pModel))
        .arg(summary.rank)
        .arg(locale().toString(summary.entropy / std::numbers::ln2, 'f', 1));
}

} // namespace kaikou
