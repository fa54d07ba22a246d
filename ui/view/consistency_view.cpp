#include "ui/view/consistency_view.h"

#include "ui/model/consistency_model.h"
#include "ui/model/distribution_model.h"
#include "ui/model/error_text.h"
#include "ui/model/settings.h"
#include "ui/view/answer_delegate.h"
#include "ui/view/theme.h"
#include "ui/view/toned_label.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeView>
#include <QVBoxLayout>

namespace kaikou {

namespace {

QString labelName(Agreement label)
{
    switch (label) {
    case Agreement::High:
        return ConsistencyView::tr("high");
    case Agreement::Medium:
        return ConsistencyView::tr("medium");
    case Agreement::Low:
        break;
    }
    return ConsistencyView::tr("low");
}

QString agreementText(const Consistency& verdict)
{
    if (verdict.total < 2)
        return ConsistencyView::tr("one answer so far");
    const QString agreement = verdict.mainCount > 1
        ? ConsistencyView::tr("%1 of %2 agree").arg(verdict.mainCount).arg(verdict.total)
        : ConsistencyView::tr("no two of %1 answers agree").arg(verdict.total);
    return agreement + QStringLiteral(" · ") + labelName(verdict.label);
}

} // namespace

ConsistencyView::ConsistencyView(ConsistencyModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
{
    build();
    retranslate();
    connect(model, &ConsistencyModel::changed, this, &ConsistencyView::refresh);
    connect(m_run, &QPushButton::clicked, this, &ConsistencyView::press);
}

void ConsistencyView::build()
{
    m_intro = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, this);
    m_samplesLabel = new QLabel(this);
    m_samples = new QSpinBox(this);
    m_modeLabel = new QLabel(this);
    m_mode = new QComboBox(this);
    m_run = new QPushButton(this);
    m_progress = new QProgressBar(this);
    m_question = new QLabel(this);
    m_verdict = new QLabel(this);
    m_interval = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, this);
    m_groups = new QTreeView(this);
    m_caution = new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, this);
    m_samples->setRange(Settings::kMinSamples, Settings::kMaxSamples);
    m_samples->setValue(5);
    m_mode->addItems({QString(), QString()});
    m_mode->setMinimumContentsLength(8);
    m_mode->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_samplesLabel->setBuddy(m_samples);
    m_modeLabel->setBuddy(m_mode);
    m_progress->setFixedHeight(space::kMedium);
    m_progress->setTextVisible(false);
    m_question->setTextFormat(Qt::PlainText);
    QFont bold = m_verdict->font();
    bold.setWeight(QFont::DemiBold);
    m_verdict->setFont(bold);
    for (QLabel* label : {static_cast<QLabel*>(m_intro), m_question, m_verdict,
             static_cast<QLabel*>(m_interval), static_cast<QLabel*>(m_caution)})
        label->setWordWrap(true);
    m_groups->setModel(m_model);
    m_groups->setItemDelegate(new AnswerDelegate(m_groups));
    m_groups->setHeaderHidden(true);
    m_groups->setFrameShape(QFrame::NoFrame);
    m_groups->setWordWrap(true);
    m_groups->setIndentation(space::kLarge);
    m_groups->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_groups->setEditTriggers(QAbstractItemView::NoEditTriggers);
    connect(m_groups, &QTreeView::activated, this, [this](QModelIndex row) {
        if (!row.parent().isValid() && m_model->rowCount(row) == 1)
            row = m_model->index(0, 0, row); // a group of one is its answer
        if (const Reply* sample = m_model->sample(row))
            emit sampleChosen(*sample);
    });

    auto* form = new QGridLayout;
    form->setHorizontalSpacing(space::kMedium);
    form->setVerticalSpacing(space::kMedium);
    form->addWidget(m_samplesLabel, 0, 0);
    form->addWidget(m_samples, 0, 1);
    form->addWidget(m_modeLabel, 1, 0, 1, 2);
    form->addWidget(m_mode, 2, 0, 1, 2); // its texts need the whole width
    form->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    column->setSpacing(space::kMedium);
    column->addWidget(m_intro);
    column->addLayout(form);
    column->addWidget(m_run);
    column->addWidget(m_progress);
    column->addWidget(m_question);
    column->addWidget(m_verdict);
    column->addWidget(m_interval);
    column->addWidget(m_groups, 1);
    column->addWidget(m_caution);
}

int ConsistencyView::samples() const
{
    return m_samples->value();
}

void ConsistencyView::setSamples(int samples)
{
    m_samples->setValue(samples);
}

bool ConsistencyView::asGptTeacher() const
{
    return m_mode->currentIndex() == 0;
}

void ConsistencyView::setAvailable(bool available)
{
    m_available = available;
    refresh();
}

QString ConsistencyView::verdictText() const
{
    return m_verdict->text();
}

void ConsistencyView::press()
{
    if (m_model->running())
        m_model->cancel();
    else
        emit runRequested();
}

void ConsistencyView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void ConsistencyView::retranslate()
{
    m_intro->setText(
        tr("Asks the question in the input box, or else the last one, several times and compares "
           "the answers."));
    m_samplesLabel->setText(tr("Answers"));
    m_modeLabel->setText(tr("Settings"));
    m_mode->setItemText(0, tr("As GPT_teacher (T 0.5, k 50, p 0.9)"));
    m_mode->setItemText(1, tr("The present settings"));
    m_samples->setAccessibleName(m_samplesLabel->text());
    m_mode->setAccessibleName(m_modeLabel->text());
    m_progress->setAccessibleName(tr("Progress"));
    m_groups->setAccessibleName(tr("Groups of answers"));
    m_groups->setToolTip(
        tr("Double-click an answer or press Enter on it: it opens in the chat as a variant"));
    m_caution->setText(tr("Agreement says that the model is sure of these words, not that they are true."));
    refresh();
}

void ConsistencyView::refresh()
{
    const bool running = m_model->running();
    const bool any = m_model->total() > 0;
    m_run->setText(running ? tr("Cancel") : tr("Ask %n time(s)", nullptr, m_samples->value()));
    m_run->setEnabled(m_available || running);
    m_samples->setEnabled(!running);
    m_mode->setEnabled(!running);
    m_progress->setVisible(running);
    m_progress->setRange(0, std::max(1, m_model->total()));
    m_progress->setValue(m_model->done());
    m_question->setVisible(any);
    m_question->setText(tr("Question: %1").arg(m_model->question()));
    m_groups->setVisible(any);
    m_caution->setVisible(any);
    const auto& verdict = m_model->verdict();
    m_verdict->setVisible(any);
    m_interval->setVisible(verdict.has_value());
    if (m_model->error()) {
        m_verdict->setText(errorText(m_model->error()->code).what);
        return;
    }
    if (!verdict) {
        m_verdict->setText(running ? tr("The first answers are on their way …") : tr("No answers."));
        return;
    }
    m_verdict->setText(agreementText(*verdict));
    m_interval->setText(tr("true share with 95 % certainty: %1 to %2")
                            .arg(percent(verdict->interval.low), percent(verdict->interval.high)));
}

} // namespace kaikou
