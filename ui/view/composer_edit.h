#pragma once

#include <QPlainTextEdit>
#include <QStringList>

namespace kaikou {

// The text field of the composer: 1 to 6 lines high, plain text only, keys of a composition left alone.
class ComposerEdit : public QPlainTextEdit
{
    Q_OBJECT

public:
    // Longer pastes are kept beside the field: one line of 1M characters takes 0.65 s to lay out.
    static constexpr qsizetype kLargestPaste = 262'144; // characters

    explicit ComposerEdit(QWidget* parent = nullptr);

    [[nodiscard]] bool composing() const { return !m_preedit.isEmpty(); }

    // Ends the composition as if the user had accepted it, then emits submitted(); some input methods answer
    // later.
    void commitAndSubmit();
    void remember(const QString& sent); // Up on an empty field brings it back

    [[nodiscard]] const QString& attachment() const { return m_attachment; }

    void setAttachment(const QString& text);

signals:
    void submitted(); // Enter outside a composition
    void escaped();
    void attachmentChanged();
    void focusChanged();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void fitHeight();
    bool recall(int step);

    QString m_preedit;
    bool m_submitAfterCommit = false;
    QString m_attachment;
    QStringList m_sent;
    qsizetype m_recalled = 0; // index into m_sent; its size = the present draft
};

} // namespace kaikou
