#pragma once

#include "inference/backend/registry.h"
#include "ui/model/checkpoint_loader.h"
#include "ui/model/language.h"
#include "ui/model/settings.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <thread>

class QApplication;

namespace kaikou {

class MainWindow;

// What the command line of the desktop program says.
struct StartOptions
{
    QStringList files; // the first one is opened; "builtin" = the embedded model
    QString language; // "zh_CN", "en"; empty = the setting
    QString theme; // "light", "dark", "system"; empty = the setting
    QString settingsFile; // empty = the user's own
};

// Every long-lived object of the desktop program, built once in the order of use and taken down in the
// reverse: window, loader, session, bridge and with it the model's engine thread, settings.
class Composition
{
public:
    Composition(QApplication& app, const StartOptions& options);
    ~Composition();
    Composition(const Composition&) = delete;
    Composition& operator=(const Composition&) = delete;

    // Shows the window and opens the first file, else the built-in model where there is one.
    void start();

    [[nodiscard]] MainWindow& window() const { return *m_window; }

private:
    struct Objects;

    [[nodiscard]] static Result<OpenedModel> open(const ModelSource& source, const Progress& progress);
    void probeDevices();

    StartOptions m_options;
    Settings m_settings;
    LanguageSwitcher m_language;
    std::unique_ptr<Objects> m_objects;
    std::unique_ptr<MainWindow> m_window;
    std::jthread m_probe; // asks the drivers; last, so that it is joined before the window goes
};

} // namespace kaikou
