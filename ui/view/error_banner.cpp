#include "ui/view/error_banner.h"

#include "ui/model/error_text.h"
#include "ui/view/icons.h"
#include "ui/view/theme.h"
#include "ui/view/toned_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace kaikou {

ErrorBanner::ErrorBanner(QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
    , m_details(new TonedLabel(TonedLabel::Tone::Muted, TonedLabel::Size::Small, this))
    , m_action(new QPushButton(this))
    , m_more(new QPushButton(this))
    , m_close(new QToolButton(this))
{
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    for (QLabel* label : {m_title, m_text, static_cast<QLabel*>(m_details)}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_more->setCheckable(true);
    m_close->setAutoRaise(true);

    auto* texts = new QVBoxLayout;
    texts->setSpacing(space::kTiny);
    texts->addWidget(m_title);
    texts->addWidget(m_text);
    texts->addWidget(m_details);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::kLarge, space::kMedium, space::kMedium, space::kMedium);
    row->setSpacing(space::kMedium);
    row->addLayout(texts, 1);
    row->addWidget(m_action, 0, Qt::AlignVCenter);
    row->addWidget(m_more, 0, Qt::AlignVCenter);
    row->addWidget(m_close, 0, Qt::AlignTop);
    hide();
    m_details->hide();

    connect(m_more, &QPushButton::toggled, m_details, &QWidget::setVisible);
    connect(m_close, &QToolButton::clicked, this, &ErrorBanner::dismiss);
    connect(m_action, &QPushButton::clicked, this, [this] {
        dismiss();
        if (m_kind == Kind::Error)
            emit actionRequested();
        else
            emit noticeAnswered();
    });
    retranslate();
}

void ErrorBanner::showError(const QString& context, const Error& error, const QString& action)
{
    m_kind = Kind::Error;
    m_context = context;
    m_error = error;
    const ErrorText text = errorText(error.code);
    present(context, sentences(text), errorDetails(error), action);
}

void ErrorBanner::showNotice(
    const QString& title, const QString& text, const QString& details, const QString& action)
{
    m_kind = Kind::Notice;
    present(title, text, details, action);
}

bool ErrorBanner::asks() const
{
    return m_kind == Kind::Notice && !isHidden() && !m_action->isHidden();
}

void ErrorBanner::present(
    const QString& title, const QString& text, const QString& details, const QString& action)
{
    m_title->setText(title);
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_details->setText(details);
    m_more->setVisible(!details.isEmpty());
    m_more->setChecked(false);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    setAccessibleName(title + QStringLiteral(". ") + text);
    show();
    update();
}

void ErrorBanner::dismiss()
{
    hide();
}

QString ErrorBanner::title() const
{
    return m_title->text();
}

QString ErrorBanner::text() const
{
    return m_title->text() + QLatin1Char('\n') + m_text->text() + QLatin1Char('\n') + m_details->text();
}

void ErrorBanner::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

void ErrorBanner::retranslate()
{
    m_more->setText(tr("Details"));
    m_close->setIcon(icon(Icon::Close, palette()));
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(m_close->accessibleName());
    if (m_kind == Kind::Error && !isHidden()) {
        m_text->setText(sentences(errorText(m_error.code)));
    }
}

void ErrorBanner::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeFor(palette());
    const bool error = m_kind == Kind::Error;
    QPainter painter(this);
    painter.fillRect(rect(), error ? theme.badSurface : theme.warnSurface);
    painter.fillRect(QRect(0, 0, space::kSmall, height()), error ? theme.bad : theme.warn);
}

} // namespace kaikou
