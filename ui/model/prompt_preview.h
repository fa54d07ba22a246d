#pragma once

#include "inference/generate/service.h"

#include <QObject>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace kaikou {

// Renders and tokenises prompts that are not sent yet on a thread of its own. The latest request wins: while
// one is worked on, newer ones replace each other, so that typing costs at most one request behind. Each
// finished one is signalled, in order. GUI thread.
class PromptPreview : public QObject
{
    Q_OBJECT

public:
    explicit PromptPreview(QObject* parent = nullptr);
    ~PromptPreview() override; // waits for the request that is being worked on

    void ask(std::shared_ptr<const TextModel> text, Request request);
    void clear(); // nothing that was asked so far is signalled any more

signals:
    void ready(const kaikou::Result<kaikou::PromptInfo>& info);

private:
    struct Job
    {
        std::shared_ptr<const TextModel> text;
        Request request;
        quint64 number = 0;
    };

    void work(const std::stop_token& stop);
    void deliver(quint64 number, const Result<PromptInfo>& info);

    std::mutex m_mutex; // protects m_next
    std::condition_variable_any m_arrived;
    std::optional<Job> m_next;
    quint64 m_asked = 0;
    quint64 m_cleared = 0; // numbers up to here are not signalled
    std::jthread m_thread; // last: joined first
};

} // namespace kaikou
