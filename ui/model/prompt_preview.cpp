#include "ui/model/prompt_preview.h"

namespace kaikou {

PromptPreview::PromptPreview(QObject* parent)
    : QObject(parent)
    , m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

PromptPreview::~PromptPreview() = default;

void PromptPreview::ask(std::shared_ptr<const TextModel> text, Request request)
{
    {
        const std::lock_guard lock(m_mutex);
        m_next = Job {std::move(text), std::move(request), ++m_asked};
    }
    m_arrived.notify_one();
}

void PromptPreview::clear()
{
    const std::lock_guard lock(m_mutex);
    m_next.reset();
    m_cleared = m_asked;
}

void PromptPreview::work(const std::stop_token& stop)
{
    while (true) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_arrived.wait(lock, stop, [this] { return m_next.has_value(); }))
                return;
            job = std::move(*m_next);
            m_next.reset();
        }
        auto info = std::make_shared<Result<PromptInfo>>(job.text->preview(job.request));
        QMetaObject::invokeMethod(
            this, [this, number = job.number, info = std::move(info)] { deliver(number, *info); });
    }
}

void PromptPreview::deliver(quint64 number, const Result<PromptInfo>& info)
{
    if (number > m_cleared)
        emit ready(info);
}

} // namespace kaikou
