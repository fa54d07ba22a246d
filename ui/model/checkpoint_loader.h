#pragma once

#include "inference/base/progress.h"
#include "inference/generate/service.h"
#include "inference/sample/defaults.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace kaikou {

// Which model to open and where to run it.
struct ModelSource
{
    QString path; // file or folder; empty = the model inside the program
    QString backend = QStringLiteral("cpu"); // a name of the registry

    friend bool operator==(const ModelSource&, const ModelSource&) = default;
};

// A model that answers, and what the window shows about it.
struct OpenedModel
{
    ModelSource source;
    std::shared_ptr<CompletionService> service;
    SamplingDefaults defaults;
    QString name;
    QString format; // "GPT_teacher torch" …
    QString architecture;
    std::vector<Warning> warnings;
};

// Opens a model; runs on the loader's thread, asks progress.stop at least every 100 ms.
using OpenFunction = std::function<Result<OpenedModel>(const ModelSource& source, const Progress& progress)>;

// Loads models away from the GUI thread. One load counts at a time: opening another or cancelling lets go of
// the present one at once; its thread ends by itself and its late result is dropped. GUI thread.
class CheckpointLoader : public QObject
{
    Q_OBJECT

public:
    explicit CheckpointLoader(OpenFunction open, QObject* parent = nullptr);
    ~CheckpointLoader() override; // stops and joins every thread

    void open(const ModelSource& source);
    void cancel();

    [[nodiscard]] bool busy() const noexcept { return m_busy; }

    [[nodiscard]] const ModelSource& source() const noexcept { return m_source; }

signals:
    void started(const kaikou::ModelSource& source);
    void progressed(double fraction); // 0..1
    void opened(const kaikou::OpenedModel& model);
    void failed(const kaikou::ModelSource& source, const kaikou::Error& error);
    void cancelled();

private:
    void end(quint64 load, const std::shared_ptr<Result<OpenedModel>>& result);
    void joinFinished();

    struct Load
    {
        quint64 number = 0;
        std::jthread thread;
    };

    OpenFunction m_open;
    ModelSource m_source;
    quint64 m_current = 0; // number of the load that counts
    bool m_busy = false;
    std::vector<Load> m_loads; // running or just ended
    std::vector<quint64> m_finished; // of m_loads, ready to be joined
};

} // namespace kaikou
