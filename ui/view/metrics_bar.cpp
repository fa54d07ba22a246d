#include "ui/view/metrics_bar.h"

#include "ui/model/defaults_text.h"
#include "ui/view/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

namespace kaikou {

MetricsBar::MetricsBar(QWidget* parent)
    : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::kMedium, 0, space::kMedium, 0);
    row->setSpacing(space::kLarge);
    for (int chip = 0; chip < ChipCount; ++chip) {
        m_chips[chip] = new QLabel(this);
        m_chips[chip]->setTextFormat(Qt::PlainText);
        row->addWidget(m_chips[chip]);
        if (chip == State)
            row->addStretch(1);
    }
    setMinimumWidth(1); // fit() hides what has no room
    QFont bold = m_chips[Model]->font();
    bold.setWeight(QFont::DemiBold);
    m_chips[Model]->setFont(bold);
    refresh();
}

void MetricsBar::setModel(const std::optional<Capabilities>& model)
{
    m_model = model;
    refresh();
}

void MetricsBar::setState(const QString& text)
{
    m_state = text;
    refresh();
}

void MetricsBar::setReply(const std::optional<Metrics>& metrics, std::uint64_t seed)
{
    m_metrics = metrics;
    m_seed = seed;
    refresh();
}

void MetricsBar::setContext(std::uint32_t used, std::uint32_t limit)
{
    m_contextUsed = used;
    m_contextLimit = limit;
    refresh();
}

void MetricsBar::setRecords(std::uint64_t used, std::uint64_t limit)
{
    m_recordsUsed = used;
    m_recordsLimit = limit;
    refresh();
}

QString MetricsBar::text() const
{
    QStringList parts;
    for (const QLabel* chip : m_chips) {
        if (!chip->text().isEmpty())
            parts += chip->text();
    }
    return parts.join(QStringLiteral(" · "));
}

void MetricsBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        refresh();
}

void MetricsBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void MetricsBar::fit()
{
    constexpr Chip kFirstToGo[] = {Backend, Records, Seed, Tpot, Tokens, Context, Ttft};
    int needed = 2 * space::kMedium;
    for (QLabel* chip : m_chips) {
        chip->setVisible(!chip->text().isEmpty());
        needed += chip->text().isEmpty() ? 0 : chip->sizeHint().width() + space::kLarge;
    }
    for (const Chip chip : kFirstToGo) {
        if (needed <= width() || m_chips[chip]->text().isEmpty())
            continue;
        needed -= m_chips[chip]->sizeHint().width() + space::kLarge;
        m_chips[chip]->hide();
    }
    setToolTip(text());
}

void MetricsBar::refresh()
{
    setChip(Model, m_model ? modelTitle(QString::fromStdString(m_model->model)) : tr("no model"),
        m_model ? tr("%L1 parameters, vocabulary %L2").arg(m_model->parameters).arg(m_model->vocab)
                : QString());
    setChip(Backend, m_model ? backendTitle(*m_model) : QString(), tr("Where the model runs"));
    setChip(State, m_state, {});
    refreshReply();
    setChip(Context,
        m_contextLimit == 0 ? QString() : tr("context %1/%2").arg(m_contextUsed).arg(m_contextLimit),
        tr("Tokens of this conversation in the model's context, and how many it can hold"));
    setChip(Records,
        m_recordsLimit == 0 ? QString()
                            : tr("records %1/%2")
                                  .arg(locale().formattedDataSize(static_cast<qint64>(m_recordsUsed), 1,
                                           QLocale::DataSizeTraditionalFormat),
                                      locale().formattedDataSize(static_cast<qint64>(m_recordsLimit), 0,
                                          QLocale::DataSizeTraditionalFormat)),
        tr("Memory for the full distributions of the tokens, and its limit"));
    fit();
}

void MetricsBar::refreshReply()
{
    if (!m_metrics) {
        for (const Chip chip : {Ttft, Tpot, Speed, Tokens, Seed})
            setChip(chip, {}, {});
        return;
    }
    const Metrics& metrics = *m_metrics;
    setChip(Ttft, tr("TTFT %1 ms").arg(locale().toString(metrics.ttftMs, 'f', 0)),
        tr("Time to first token: from sending to the first word"));
    setChip(Tpot, tr("TPOT %1 ms").arg(locale().toString(metrics.tpotMs, 'f', 2)),
        tr("Time per output token, after the first"));
    setChip(Speed, tr("%1 tokens/s").arg(locale().toString(metrics.tokensPerSecond, 'f', 0)),
        tr("Speed after the first token"));
    setChip(Tokens, tr("cached %1/%2").arg(metrics.cachedTokens).arg(metrics.promptTokens),
        tr("Tokens of the prompt that did not have to be computed again"));
    setChip(Seed, tr("seed %1").arg(m_seed), tr("The dice of the last reply"));
}

void MetricsBar::setChip(Chip chip, const QString& text, const QString& help)
{
    m_chips[chip]->setText(text);
    m_chips[chip]->setToolTip(help);
    m_chips[chip]->setAccessibleDescription(help);
}

} // namespace kaikou
