#pragma once

#include <QObject>
#include <QString>

#include <functional>

namespace kaikou {

class MainWindow;

// Asks one question as soon as a model is there and reports each stage once, the moment it is reached, in
// this order: "window" (first painted), "asked", "first token", "finished". How the start is measured.
class FirstAnswer : public QObject
{
    Q_OBJECT

public:
    using Report = std::function<void(const char* stage)>;

    // window: a model is being opened in it.
    FirstAnswer(MainWindow& window, const QString& question, Report report);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Report m_report;
    bool m_painted = false;
    bool m_spoke = false;
};

} // namespace kaikou
