#include "ui/view/loading_strip.h"

#include "ui/view/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace kaikou {

LoadingStrip::LoadingStrip(QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_cancel(new QPushButton(this))
{
    m_bar->setRange(0, 100);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(space::kMedium);
    m_label->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::kLarge, space::kMedium, space::kLarge, space::kMedium);
    row->setSpacing(space::kLarge);
    row->addWidget(m_label);
    row->addWidget(m_bar, 1);
    row->addWidget(m_cancel);
    hide();
    connect(m_cancel, &QPushButton::clicked, this, &LoadingStrip::cancelRequested);
    retranslate();
}

void LoadingStrip::begin(const QString& name)
{
    m_name = name;
    m_bar->setValue(0);
    retranslate();
    show();
}

void LoadingStrip::setProgress(double fraction)
{
    m_bar->setValue(static_cast<int>(fraction * 100.0));
}

void LoadingStrip::end()
{
    hide();
}

void LoadingStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void LoadingStrip::retranslate()
{
    m_label->setText(tr("Opening %1 …").arg(m_name));
    m_bar->setAccessibleName(tr("Loading progress"));
    m_cancel->setText(tr("Cancel"));
}

} // namespace kaikou
