#include "ui/store/store_writer.h"

#include "ui/store/chat_records.h"

#include <QtCore/QFile>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

namespace kaikou {
namespace {

constexpr int kRetryMs = 1000;
constexpr int kReadOnly = 8; // SQLITE_READONLY
constexpr int kSearchRows = 200; // per slice: a few milliseconds

QString nextConnection()
{
    static std::atomic<int> number = 0;
    return QStringLiteral("kaikou-store-%1").arg(++number);
}

} // namespace

StoreWriter::StoreWriter(QString path)
    : m_path(std::move(path))
    , m_timer(this)
{
    m_timer.setInterval(kRetryMs);
    connect(&m_timer, &QTimer::timeout, this, &StoreWriter::retry);
}

void StoreWriter::open()
{
    use(std::make_unique<Database>(m_path, nextConnection()));
}

void StoreWriter::use(std::unique_ptr<Database> database)
{
    m_database.reset();
    m_database = std::move(database);
    const StoreReport& report = m_database->report();
    const SqlFault fault
        = report.state == StoreState::Ready ? apply(&records::interruptStreaming) : SqlFault {};
    if (!fault.ok()) // readers must see them interrupted all the same
        m_waiting.push_front({0, &records::interruptStreaming});
    m_state.saved = report.state == StoreState::Ready && m_waiting.empty();
    m_state.cause = fault.ok() ? report.cause : causeOf(fault.code);
    m_state.detail = fault.ok() ? report.detail : fault.text;
    m_greatestId = records::greatestId(m_database->sql());
    m_blind = report.state == StoreState::Unavailable;
    emit opened(report);
    if (!m_state.saved)
        announce();
    drain();
}

void StoreWriter::close()
{
    if (m_database)
        drain();
    m_timer.stop();
    m_database.reset();
}

SqlFault StoreWriter::apply(const Write& write)
{
    const QSqlDatabase sql = m_database->sql();
    SqlFault fault = runSql(sql, "BEGIN IMMEDIATE");
    if (!fault.ok())
        return fault;
    fault = write(sql);
    if (fault.ok())
        fault = runSql(sql, "COMMIT");
    if (!fault.ok())
        (void)runSql(sql, "ROLLBACK"); // SQLite may have rolled back by itself
    return fault;
}

void StoreWriter::write(quint64 number, Write write)
{
    if (m_database->report().state != StoreState::Ready) {
        keep({number, std::move(write)}, {kReadOnly, m_database->report().detail});
        return;
    }
    if (!m_waiting.empty()) {
        m_waiting.push_back({number, std::move(write)});
        announce();
        return;
    }
    const SqlFault fault = apply(write);
    if (fault.ok())
        emit written(number);
    else if (fault.hopeless())
        emit refused(number, fault.text);
    else
        keep({number, std::move(write)}, fault);
}

void StoreWriter::keep(Waiting waiting, const SqlFault& fault)
{
    m_waiting.push_back(std::move(waiting));
    const bool ready = m_database->report().state == StoreState::Ready;
    m_state.cause = ready ? causeOf(fault.code) : m_database->report().cause;
    m_state.detail = fault.text;
    announce();
}

void StoreWriter::announce()
{
    m_state.saved = m_waiting.empty() && m_database->report().state == StoreState::Ready;
    m_state.waiting = static_cast<int>(m_waiting.size());
    if (m_state.saved)
        m_timer.stop();
    else if (!m_timer.isActive())
        m_timer.start();
    emit savingChanged(m_state);
}

void StoreWriter::drain()
{
    if (m_waiting.empty() || m_database->report().state != StoreState::Ready)
        return;
    while (!m_waiting.empty()) {
        const Waiting& first = m_waiting.front();
        const SqlFault fault = apply(first.write);
        if (!fault.ok() && !fault.hopeless()) {
            m_state.cause = causeOf(fault.code);
            m_state.detail = fault.text;
            break;
        }
        if (!fault.ok())
            emit refused(first.number, fault.text);
        else if (first.number != 0)
            emit written(first.number);
        m_waiting.pop_front();
    }
    if (m_waiting.empty()) {
        m_state.cause = StoreCause::None;
        m_state.detail.clear();
    }
    announce();
}

// A file that could not be opened is tried again; one of a later or another program stays what it is.
void StoreWriter::retry()
{
    const StoreReport report = m_database->report();
    if (report.state == StoreState::Ready) {
        drain();
        return;
    }
    if (report.cause == StoreCause::Newer || report.cause == StoreCause::Foreign)
        return;
    auto again = std::make_unique<Database>(m_path, nextConnection());
    if (again->report().state == StoreState::Ready)
        use(std::move(again));
}

void StoreWriter::read(const Read& read)
{
    const QSqlDatabase sql = m_database->sql();
    const bool overlay = !m_waiting.empty() && runSql(sql, "BEGIN").ok();
    if (overlay)
        for (const Waiting& waiting : m_waiting)
            (void)waiting.write(sql);
    read(sql);
    if (overlay)
        (void)runSql(sql, "ROLLBACK");
}

void StoreWriter::truncateWal()
{
    if (m_database->report().state == StoreState::Ready)
        (void)runSql(m_database->sql(), "PRAGMA wal_checkpoint(TRUNCATE)");
}

void StoreWriter::erase()
{
    if (m_database->report().state != StoreState::Ready || !m_waiting.empty())
        return;
    (void)runSql(m_database->sql(), "VACUUM");
    truncateWal();
}

void StoreWriter::saveElsewhere(const QString& path)
{
    // A file in the way is not overwritten: VACUUM INTO refuses it, and a database there is not this one.
    if (QFile::exists(path) || !runSql(m_database->sql(), "VACUUM INTO ?", {path}).ok()) {
        announce();
        return;
    }
    auto other = std::make_unique<Database>(path, nextConnection());
    if (other->report().state != StoreState::Ready) {
        announce();
        return;
    }
    m_path = path;
    use(std::move(other));
}

void StoreWriter::search(quint64 number, const QString& words)
{
    searchOn(number, std::make_shared<ChatSearch>(words));
}

void StoreWriter::searchOn(quint64 number, const std::shared_ptr<ChatSearch>& search)
{
    if (latestSearch != number || !m_database) {
        emit searchEnded(number, false);
        return;
    }
    QList<SearchHit> hits;
    read([&](const QSqlDatabase& sql) { hits = search->next(sql, kSearchRows); });
    if (!hits.isEmpty())
        emit found(number, hits);
    if (search->ended()) {
        emit searchEnded(number, true);
        return;
    }
    QMetaObject::invokeMethod(
        this, [this, number, search] { searchOn(number, search); }, Qt::QueuedConnection);
}

} // namespace kaikou
