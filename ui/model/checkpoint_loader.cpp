#include "ui/model/checkpoint_loader.h"

#include <algorithm>

namespace kaikou {

CheckpointLoader::CheckpointLoader(OpenFunction open, QObject* parent)
    : QObject(parent)
    , m_open(std::move(open))
{
}

CheckpointLoader::~CheckpointLoader()
{
    for (Load& load : m_loads)
        load.thread.request_stop();
    m_loads.clear(); // joins; what the threads still post dies with this object
}

void CheckpointLoader::open(const ModelSource& source)
{
    joinFinished();
    for (Load& load : m_loads)
        load.thread.request_stop();
    const quint64 number = ++m_current;
    m_source = source;
    m_busy = true;
    auto run = [this, source, number, open = m_open](const std::stop_token& stop) {
        Progress progress;
        progress.stop = stop;
        progress.report = [this, number](double fraction) {
            QMetaObject::invokeMethod(this, [this, number, fraction] {
                if (m_busy && number == m_current)
                    emit progressed(fraction);
            });
        };
        auto result = std::make_shared<Result<OpenedModel>>(open(source, progress));
        QMetaObject::invokeMethod(this, [this, number, result = std::move(result)] { end(number, result); });
    };
    emit started(source);
    m_loads.push_back({number, std::jthread(std::move(run))});
}

void CheckpointLoader::cancel()
{
    if (!m_busy)
        return;
    for (Load& load : m_loads)
        load.thread.request_stop();
    ++m_current;
    m_busy = false;
    emit cancelled();
}

void CheckpointLoader::end(quint64 load, const std::shared_ptr<Result<OpenedModel>>& result)
{
    m_finished.push_back(load);
    joinFinished();
    if (!m_busy || load != m_current)
        return;
    m_busy = false;
    const ModelSource source = m_source; // a slot may open another model, which replaces m_source
    if (result->ok())
        emit opened(result->value());
    else if (result->error().code == ErrorCode::Cancelled)
        emit cancelled();
    else
        emit failed(source, result->error());
}

// The threads of m_finished have posted their last call: joining them does not wait.
void CheckpointLoader::joinFinished()
{
    std::erase_if(m_loads, [this](const Load& load) {
        return std::find(m_finished.begin(), m_finished.end(), load.number) != m_finished.end();
    });
    m_finished.clear();
}

} // namespace kaikou
