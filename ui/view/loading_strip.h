#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace kaikou {

// A model is being opened: its name, how far it is, and a way out.
class LoadingStrip : public QWidget
{
    Q_OBJECT

public:
    explicit LoadingStrip(QWidget* parent = nullptr);

    void begin(const QString& name);
    void setProgress(double fraction); // 0..1
    void end();

signals:
    void cancelRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QString m_name;
    QLabel* m_label = nullptr;
    QProgressBar* m_bar = nullptr;
    QPushButton* m_cancel = nullptr;
};

} // namespace kaikou
