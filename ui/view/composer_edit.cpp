#include "ui/view/composer_edit.h"

#include <QGuiApplication>
#include <QInputMethod>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QTextBlock>

#include <cmath>

namespace kaikou {

namespace {

constexpr int kMaxLines = 6;
constexpr qsizetype kRemembered = 50;

} // namespace

ComposerEdit::ComposerEdit(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QPlainTextEdit::textChanged, this, &ComposerEdit::fitHeight);
    fitHeight();
}

bool ComposerEdit::event(QEvent* event)
{
    // While composing every key belongs to the input method, those of shortcuts too.
    if (event->type() == QEvent::ShortcutOverride && composing()) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void ComposerEdit::keyPressEvent(QKeyEvent* event)
{
    if (composing()) {
        event->accept();
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && !(event->modifiers() & (Qt::ShiftModifier | Qt::AltModifier))) {
        emit submitted();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        emit escaped();
        return;
    }
    if (event->key() == Qt::Key_Up && recall(-1))
        return;
    if (event->key() == Qt::Key_Down && recall(+1))
        return;
    QPlainTextEdit::keyPressEvent(event);
}

void ComposerEdit::inputMethodEvent(QInputMethodEvent* event)
{
    m_preedit = event->preeditString();
    QPlainTextEdit::inputMethodEvent(event);
    fitHeight();
    if (m_submitAfterCommit && !composing()) {
        m_submitAfterCommit = false;
        emit submitted();
    }
}

void ComposerEdit::commitAndSubmit()
{
    if (composing()) {
        m_submitAfterCommit = true;
        QGuiApplication::inputMethod()->commit();
        return;
    }
    emit submitted();
}

void ComposerEdit::insertFromMimeData(const QMimeData* source)
{
    const QString text = source->text();
    if (text.size() <= kLargestPaste) {
        insertPlainText(text);
        ensureCursorVisible();
        return;
    }
    setAttachment(text);
}

void ComposerEdit::setAttachment(const QString& text)
{
    m_attachment = text;
    emit attachmentChanged();
}

void ComposerEdit::remember(const QString& sent)
{
    if (sent.size() <= kLargestPaste)
        m_sent.append(sent);
    while (m_sent.size() > kRemembered)
        m_sent.removeFirst();
    m_recalled = m_sent.size();
}

bool ComposerEdit::recall(int step)
{
    const QString shown = toPlainText();
    const bool untouched = m_recalled < m_sent.size() && shown == m_sent[m_recalled];
    if (!shown.isEmpty() && !untouched)
        return false;
    const qsizetype wanted = (shown.isEmpty() ? m_sent.size() : m_recalled) + step;
    if (wanted < 0 || wanted > m_sent.size())
        return false;
    m_recalled = wanted;
    setPlainText(wanted == m_sent.size() ? QString() : m_sent[wanted]);
    moveCursor(QTextCursor::End);
    return true;
}

void ComposerEdit::fitHeight()
{
    int lines = 0;
    qreal lineHeight = fontMetrics().lineSpacing();
    for (QTextBlock block = document()->begin(); block.isValid() && lines <= kMaxLines;
         block = block.next()) {
        const QRectF box = blockBoundingRect(block); // lays the block out
        lines += std::max(1, block.layout()->lineCount());
        if (!box.isEmpty() && block.layout()->lineCount() > 0)
            lineHeight = std::max(lineHeight, block.layout()->lineAt(0).height());
    }
    setVerticalScrollBarPolicy(lines > kMaxLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    const qreal text = std::ceil(lineHeight) * std::clamp(lines, 1, kMaxLines);
    setFixedHeight(static_cast<int>(std::ceil(text + 2 * document()->documentMargin())) + 2);
}

void ComposerEdit::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fitHeight();
}

void ComposerEdit::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitHeight();
}

void ComposerEdit::focusInEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusInEvent(event);
    emit focusChanged();
}

void ComposerEdit::focusOutEvent(QFocusEvent* event)
{
    QPlainTextEdit::focusOutEvent(event);
    emit focusChanged();
}

} // namespace kaikou
