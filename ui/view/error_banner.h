#pragma once

#include "inference/base/result.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QToolButton;

namespace kaikou {

class TonedLabel;

// What failed, where, and what to do now; stays until it is closed or replaced. Never a dialog: work goes on.
class ErrorBanner : public QFrame
{
    Q_OBJECT

public:
    explicit ErrorBanner(QWidget* parent = nullptr);

    // context: what the user wanted, e.g. "Could not open best.pt"; action: label of the button that emits
    // actionRequested, empty = none.
    void showError(const QString& context, const Error& error, const QString& action = {});
    // A thing worth knowing that stopped nothing; action: label of the button that emits noticeAnswered.
    void showNotice(
        const QString& title, const QString& text, const QString& details = {}, const QString& action = {});
    void dismiss();

    [[nodiscard]] bool asks() const; // shows a notice whose button was not pressed yet

    [[nodiscard]] QString title() const; // the first, bold line
    [[nodiscard]] QString text() const; // all visible text, for tests and screen readers

signals:
    void actionRequested(); // of an error
    void noticeAnswered();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Kind
    {
        Error,
        Notice
    };

    void present(const QString& title, const QString& text, const QString& details, const QString& action);
    void retranslate();

    Kind m_kind = Kind::Error;
    QString m_context;
    Error m_error;
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    TonedLabel* m_details = nullptr;
    QPushButton* m_action = nullptr;
    QPushButton* m_more = nullptr;
    QToolButton* m_close = nullptr;
};

} // namespace kaikou
