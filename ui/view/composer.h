#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace kaikou {

class ComposerEdit;

// Where the user types. Enter sends, Shift+Enter starts a line, a composition of an input method is never
// sent.
class Composer : public QWidget
{
    Q_OBJECT

public:
    enum class State
    {
        NoModel, // the button opens one
        Loading, // a sent message waits for the model and can be withdrawn
        Ready,
        Generating // the button stops; Enter keeps the draft
    };

    explicit Composer(QWidget* parent = nullptr);

    void setState(State state);

    [[nodiscard]] State state() const { return m_state; }

    [[nodiscard]] QString draft() const;
    void setDraft(const QString& text); // undo history starts anew
    void insertText(const QString& text); // at the cursor, e.g. of a drop
    [[nodiscard]] bool useEarlierTurns() const;
    void setUseEarlierTurns(bool on);
    void setHint(const QString& text); // line below the field, e.g. "12 tokens · 116 left for the answer"
    // A line above the field: what is special about the next message; empty = nothing. cancellable: by Esc
    // and by its button.
    void setMode(const QString& text, bool cancellable = false);
    [[nodiscard]] QString mode() const;
    [[nodiscard]] bool composing() const; // an input method holds unfinished text

signals:
    // The field is cleared right after; give the text back with setDraft if it could not be sent.
    void sendRequested(const QString& text);
    void stopRequested();
    void openModelRequested();
    void withdrawRequested(); // of the message that waits for a loading model
    void modeCancelled();
    void draftChanged(const QString& text);
    void useEarlierTurnsChanged(bool on);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void send();
    void press();
    void retranslate();
    void refresh();
    void recolour();
    void pointToStop();
    void showAttachment();
    void fit();

    State m_state = State::NoModel;
    bool m_queued = false;
    ComposerEdit* m_edit = nullptr;
    QPushButton* m_button = nullptr;
    QCheckBox* m_earlier = nullptr;
    QLabel* m_hint = nullptr;
    QString m_hintText; // whole, m_hint shows what fits
    QLabel* m_notice = nullptr;
    QLabel* m_mode = nullptr;
    QToolButton* m_cancelMode = nullptr;
    QPushButton* m_attachment = nullptr; // what was pasted and is too long to be edited here
};

} // namespace kaikou
