#pragma once

#include "inference/generate/service.h"

#include <QList>
#include <QObject>

#include <chrono>
#include <deque>
#include <memory>
#include <set>

class QTimer;

namespace kaikou {

// Engine events as signals of the GUI thread: one queued wake-up, at most one drain per 16 ms (33 ms while
// the program is inactive), one tokensArrived per drain. A ticket's events keep their order; its tokens are
// signalled before its end. Events of tickets that are over or were abandoned are dropped.
class GenerationBridge : public QObject
{
    Q_OBJECT

public:
    explicit GenerationBridge(QObject* parent = nullptr);
    ~GenerationBridge() override;

    // The model that answers from now on; what still runs on the old one is abandoned. May be null.
    void setService(std::shared_ptr<CompletionService> service);

    [[nodiscard]] const std::shared_ptr<CompletionService>& service() const { return m_service; }

    // As CompletionService::submit; several tickets may run at once. Without a service: DeviceUnavailable.
    Result<Ticket> submit(Request request);
    void cancel(); // every running ticket; each still ends with finished(Cancelled)
    void cancel(Ticket ticket);
    void abandon(Ticket ticket); // cancels, and nothing of it is signalled any more

    [[nodiscard]] bool busy() const { return !m_live.empty(); }

    [[nodiscard]] bool busy(Ticket ticket) const { return m_live.contains(ticket); }

    // Signals what has arrived, for at most 8 ms; the rest follows at the next tick.
    void drain();

signals:
    void started(const kaikou::Started& started);
    void tokensArrived(const QList<kaikou::Token>& tokens); // in order of arrival, of any ticket and choice
    void finished(const kaikou::Finished& finished); // once per choice
    void failed(const kaikou::Failed& failed); // the ticket is over
    void busyChanged(bool busy);

private:
    struct Wake; // what the engine thread may touch

    void onWake();
    void schedule();
    bool refill();
    void deliver(Event event, QList<Token>& tokens);
    void flush(QList<Token>& tokens);
    void end(Ticket ticket);
    void renewQueue();

    std::shared_ptr<CompletionService> m_service;
    std::shared_ptr<Wake> m_wake;
    std::shared_ptr<EventQueue> m_queue;
    std::deque<Event> m_waiting; // taken from the queue, not yet signalled
    std::set<Ticket> m_live;
    std::set<Ticket> m_silent; // live tickets without a token so far: they do not wait for the timer
    QTimer* m_timer = nullptr;
    std::chrono::steady_clock::time_point m_lastDrain {};
};

} // namespace kaikou
