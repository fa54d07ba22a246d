#include "ui/model/generation_bridge.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QMetaObject>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

namespace kaikou {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kFrame {16};
constexpr std::chrono::milliseconds kFrameInactive {33};
constexpr std::chrono::milliseconds kBudget {8};
constexpr int kEventsPerClockRead = 64;

std::chrono::milliseconds frame()
{
    return QGuiApplication::applicationState() == Qt::ApplicationActive ? kFrame : kFrameInactive;
}

} // namespace

// Outlives the bridge inside the queue's wake function: an engine may still push while the bridge goes.
struct GenerationBridge::Wake
{
    std::mutex mutex; // protects bridge
    GenerationBridge* bridge = nullptr;
    std::atomic<bool> posted = false; // a wake-up is under way to the GUI thread

    void post(const std::shared_ptr<Wake>& self)
    {
        if (posted.exchange(true))
            return;
        const std::lock_guard lock(mutex);
        if (bridge != nullptr)
            QMetaObject::invokeMethod(
                bridge,
                [self] {
                    self->posted = false;
                    self->bridge->onWake();
                },
                Qt::QueuedConnection);
    }
};

GenerationBridge::GenerationBridge(QObject* parent)
    : QObject(parent)
    , m_wake(std::make_shared<Wake>())
    , m_timer(new QTimer(this))
{
    m_wake->bridge = this;
    m_timer->setSingleShot(true);
    m_timer->setTimerType(Qt::PreciseTimer);
    connect(m_timer, &QTimer::timeout, this, &GenerationBridge::drain);
    renewQueue();
}

GenerationBridge::~GenerationBridge()
{
    cancel();
    const std::lock_guard lock(m_wake->mutex);
    m_wake->bridge = nullptr;
}

void GenerationBridge::renewQueue()
{
    m_queue = std::make_shared<EventQueue>([wake = m_wake] { wake->post(wake); });
    m_waiting.clear();
}

void GenerationBridge::setService(std::shared_ptr<CompletionService> service)
{
    const std::set<Ticket> running = m_live;
    for (const Ticket ticket : running)
        abandon(ticket);
    renewQueue();
    m_service = std::move(service);
}

Result<Ticket> GenerationBridge::submit(Request request)
{
    if (!m_service)
        return Error {ErrorCode::DeviceUnavailable, "no model is open", {}};
    KAIKOU_TRY(const Ticket ticket, m_service->submit(std::move(request), m_queue));
    m_live.insert(ticket);
    m_silent.insert(ticket);
    if (m_live.size() == 1)
        emit busyChanged(true);
    return ticket;
}

void GenerationBridge::cancel()
{
    for (const Ticket ticket : m_live)
        m_service->cancel(ticket);
}

void GenerationBridge::cancel(Ticket ticket)
{
    if (m_live.contains(ticket))
        m_service->cancel(ticket);
}

void GenerationBridge::abandon(Ticket ticket)
{
    cancel(ticket);
    end(ticket);
}

void GenerationBridge::end(Ticket ticket)
{
    m_silent.erase(ticket);
    if (m_live.erase(ticket) == 1 && m_live.empty())
        emit busyChanged(false);
}

void GenerationBridge::onWake()
{
    if (!m_silent.empty()) // the first token is shown at once
        drain();
    else
        schedule();
}

void GenerationBridge::schedule()
{
    if (m_timer->isActive())
        return;
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_lastDrain);
    m_timer->start(std::max(frame() - passed, std::chrono::milliseconds {0}));
}

void GenerationBridge::drain()
{
    const auto begin = Clock::now();
    m_lastDrain = begin;
    QList<Token> tokens;
    for (int handled = 1; refill(); ++handled) {
        if (handled % kEventsPerClockRead == 0 && Clock::now() - begin > kBudget) {
            schedule();
            break;
        }
        Event event = std::move(m_waiting.front());
        m_waiting.pop_front();
        if (m_live.contains(ticketOf(event))) // else an older answer's tail
            deliver(std::move(event), tokens);
    }
    flush(tokens);
}

// Takes the next portion once the last one is through, so that a full queue makes the engine wait. False =
// the queue was seen empty: its next event wakes.
bool GenerationBridge::refill()
{
    if (m_waiting.empty()) {
        std::vector<Event> arrived = m_queue->takeAll();
        std::ranges::move(arrived, std::back_inserter(m_waiting));
    }
    return !m_waiting.empty();
}

void GenerationBridge::deliver(Event event, QList<Token>& tokens)
{
    if (auto* token = std::get_if<Token>(&event)) {
        m_silent.erase(token->ticket);
        tokens.append(std::move(*token));
        return;
    }
    flush(tokens);
    if (const auto* begun = std::get_if<Started>(&event)) {
        emit started(*begun);
    } else if (const auto* done = std::get_if<Finished>(&event)) {
        // Over before it is signalled, so that a slot may submit the next request.
        if (done->openChoices == 0)
            end(done->ticket);
        emit finished(*done);
    } else if (const auto* broken = std::get_if<Failed>(&event)) {
        end(broken->ticket);
        emit failed(*broken);
    }
}

void GenerationBridge::flush(QList<Token>& tokens)
{
    if (tokens.isEmpty())
        return;
    const QList<Token> batch = std::exchange(tokens, {});
    emit tokensArrived(batch);
}

} // namespace kaikou
