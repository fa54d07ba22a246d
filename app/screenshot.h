#pragma once

#include <QObject>
#include <QString>

namespace kaikou {

class ChatSession;
class MainWindow;

// What a picture of the window shows.
struct ScreenshotPlan
{
    QString file; // PNG
    QString question; // asked before; empty = the empty window
    int token = -1; // of the answer, shown in the inspector
};

// Drives the real window to a state, saves its picture and ends the program: how the pictures of the README
// are made. Exit code 1 when the picture could not be written.
class Screenshot : public QObject
{
    Q_OBJECT

public:
    Screenshot(MainWindow& window, ScreenshotPlan plan);

private:
    void proceed();
    void take();

    MainWindow& m_window;
    ScreenshotPlan m_plan;
    bool m_asked = false;
    int m_calm = 0; // ticks since nothing changed
};

} // namespace kaikou
