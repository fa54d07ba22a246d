#include "ui/view/composer.h"

#include "ui/view/composer_edit.h"
#include "ui/view/theme.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

namespace kaikou {

namespace {

constexpr int kNoticeMs = 6000;

}

Composer::Composer(QWidget* parent)
    : QWidget(parent)
    , m_edit(new ComposerEdit(this))
    , m_button(new QPushButton(this))
    , m_earlier(new QCheckBox(this))
    , m_hint(new QLabel(this))
    , m_notice(new QLabel(this))
    , m_mode(new QLabel(this))
    , m_cancelMode(new QToolButton(this))
    , m_attachment(new QPushButton(this))
{
    m_earlier->setChecked(true);
    m_attachment->setProperty("role", QStringLiteral("quiet"));
    m_attachment->hide();
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_notice->hide();
    m_notice->setWordWrap(true);
    m_mode->hide();
    m_mode->setTextFormat(Qt::PlainText);
    m_mode->setWordWrap(true);
    m_cancelMode->setAutoRaise(true);
    m_cancelMode->setText(QStringLiteral("✕"));
    m_cancelMode->hide();
    setFocusProxy(m_edit);

    auto* row = new QHBoxLayout;
    row->setSpacing(space::kMedium);
    row->setContentsMargins(space::kSmall, 0, 0, 0); // below the text, which has a margin of its own
    row->addWidget(m_earlier);
    row->addWidget(m_hint, 1);
    row->addWidget(m_button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::kLarge, space::kMedium + space::kSmall, space::kMedium + space::kSmall,
        space::kMedium + space::kSmall);
    column->setSpacing(space::kSmall);
    auto* mode = new QHBoxLayout;
    mode->addWidget(m_mode, 1);
    mode->addWidget(m_cancelMode);
    column->addLayout(mode);
    column->addWidget(m_attachment, 0, Qt::AlignLeft);
    column->addWidget(m_edit);
    column->addWidget(m_notice);
    column->addLayout(row);

    connect(m_edit, &ComposerEdit::submitted, this, &Composer::send);
    connect(m_edit, &ComposerEdit::escaped, this, [this] {
        if (m_state == State::Generating)
            emit stopRequested();
        else if (m_cancelMode->isVisibleTo(this))
            emit modeCancelled();
    });
    connect(m_cancelMode, &QToolButton::clicked, this, &Composer::modeCancelled);
    connect(m_edit, &ComposerEdit::attachmentChanged, this, &Composer::showAttachment);
    connect(m_edit, &ComposerEdit::focusChanged, this, qOverload<>(&QWidget::update));
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] { emit draftChanged(draft()); });
    connect(m_button, &QPushButton::clicked, this, &Composer::press);
    connect(m_attachment, &QPushButton::clicked, this, [this] { m_edit->setAttachment({}); });
    connect(m_earlier, &QCheckBox::toggled, this, &Composer::useEarlierTurnsChanged);
    retranslate();
    recolour();
}

void Composer::setMode(const QString& text, bool cancellable)
{
    m_mode->setText(text);
    m_mode->setVisible(!text.isEmpty());
    m_cancelMode->setVisible(!text.isEmpty() && cancellable);
}

QString Composer::mode() const
{
    return m_mode->text();
}

void Composer::setState(State state)
{
    m_state = state;
    if (state != State::Loading)
        m_queued = false;
    if (state != State::Generating)
        m_notice->hide();
    refresh();
}

QString Composer::draft() const
{
    return m_edit->toPlainText() + m_edit->attachment();
}

void Composer::setDraft(const QString& text)
{
    const bool large = text.size() > ComposerEdit::kLargestPaste;
    m_edit->setPlainText(large ? QString() : text);
    m_edit->setAttachment(large ? text : QString());
    m_edit->moveCursor(QTextCursor::End);
}

void Composer::insertText(const QString& text)
{
    m_edit->insertPlainText(text);
}

bool Composer::useEarlierTurns() const
{
    return m_earlier->isChecked();
}

void Composer::setUseEarlierTurns(bool on)
{
    m_earlier->setChecked(on);
}

void Composer::setHint(const QString& text)
{
    m_hintText = text;
    fit();
}

// What the width cannot hold ends in an ellipsis; the whole text is its tip.
void Composer::fit()
{
    const auto elided = [](const QWidget* widget, const QString& text, int width) {
        return widget->fontMetrics().elidedText(text, Qt::ElideRight, width);
    };
    m_hint->setText(elided(m_hint, m_hintText, m_hint->width()));
    m_hint->setToolTip(m_hintText);
    const int margin = 2 * (static_cast<int>(m_edit->document()->documentMargin()) + space::kTiny);
    m_edit->setPlaceholderText(
        elided(m_edit, tr("Ask something. Enter sends, Shift+Enter starts a new line."),
            m_edit->viewport()->width() - margin));
}

void Composer::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate(); // the widths below are those of the new size
    fit();
}

bool Composer::composing() const
{
    return m_edit->composing();
}

// Enter, or the button once a composition has ended.
void Composer::send()
{
    switch (m_state) {
    case State::NoModel:
        emit openModelRequested();
        return;
    case State::Generating:
        pointToStop();
        return;
    case State::Loading:
    case State::Ready:
        break;
    }
    const QString text = draft();
    if (text.trimmed().isEmpty() || m_queued)
        return;
    m_queued = m_state == State::Loading;
    m_edit->remember(text);
    m_edit->clear();
    m_edit->setAttachment({});
    emit sendRequested(text);
    refresh();
}

void Composer::press()
{
    if (m_state == State::NoModel) {
        emit openModelRequested();
    } else if (m_state == State::Generating) {
        emit stopRequested();
    } else if (m_queued) {
        m_queued = false;
        refresh();
        emit withdrawRequested();
    } else {
        m_edit->commitAndSubmit();
    }
}

void Composer::pointToStop()
{
    m_notice->setText(tr("Still answering. Press Esc or Stop first; what you typed is kept."));
    m_notice->show();
    m_button->setFocus(Qt::OtherFocusReason);
    m_edit->setFocus(Qt::OtherFocusReason);
    QTimer::singleShot(kNoticeMs, m_notice, &QWidget::hide);
}

void Composer::showAttachment()
{
    const qsizetype size = m_edit->attachment().size();
    m_attachment->setVisible(size > 0);
    m_attachment->setText(tr("Pasted text, %1 characters  ✕").arg(locale().toString(size)));
    m_attachment->setToolTip(
        tr("Too long to be edited here; it is sent behind what you type. Click to remove it."));
    emit draftChanged(draft());
}

void Composer::refresh()
{
    QString role = QStringLiteral("primary");
    switch (m_state) {
    case State::NoModel:
        m_button->setText(tr("Open a model"));
        break;
    case State::Loading:
        m_button->setText(m_queued ? tr("Withdraw") : tr("Send"));
        break;
    case State::Ready:
        m_button->setText(tr("Send"));
        break;
    case State::Generating:
        m_button->setText(tr("Stop"));
        role = QStringLiteral("stop");
        break;
    }
    if (m_button->property("role").toString() != role) {
        m_button->setProperty("role", role);
        m_button->style()->unpolish(m_button);
        m_button->style()->polish(m_button);
    }
}

void Composer::retranslate()
{
    setAccessibleName(tr("Composer"));
    m_edit->setAccessibleName(tr("Your message"));
    m_button->setAccessibleName(tr("Send or stop"));
    m_earlier->setText(tr("Use earlier turns"));
    m_earlier->setToolTip(
        tr("On: the model sees the conversation so far. Off: each question is asked alone."));
    m_attachment->setAccessibleName(tr("Pasted text; press to remove it"));
    m_hint->setAccessibleName(tr("Size of the prompt"));
    m_cancelMode->setAccessibleName(tr("Do not edit"));
    m_cancelMode->setToolTip(tr("Leave the message as it was (Esc)"));
    m_notice->setAccessibleName(tr("Notice"));
    if (!m_edit->attachment().isEmpty())
        showAttachment();
    refresh();
    fit();
}

void Composer::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        recolour();
}

void Composer::recolour()
{
    const Theme& theme = themeFor(palette());
    const auto paint = [](QLabel* label, const QColor& color) {
        QPalette own = label->palette();
        if (own.color(QPalette::WindowText) == color)
            return;
        own.setColor(QPalette::WindowText, color);
        label->setPalette(own);
    };
    paint(m_hint, theme.muted);
    paint(m_mode, theme.warn);
    paint(m_notice, theme.warn);
    update();
}

void Composer::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = themeFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme.page);
    const bool focused = m_edit->hasFocus();
    painter.setPen(QPen(focused ? theme.accent : theme.border, focused ? 1.5 : 1.0));
    const QRectF frame
        = QRectF(rect()).adjusted(space::kMedium, space::kSmall, -space::kMedium, -space::kSmall);
    painter.drawRoundedRect(frame, 12, 12);
}

} // namespace kaikou
