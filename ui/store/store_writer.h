#pragma once

#include "ui/store/chat_search.h"
#include "ui/store/database.h"
#include "ui/store/sql.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace kaikou {

// Whether what was said is on disk.
struct SavingState
{
    bool saved = true;
    StoreCause cause = StoreCause::None;
    QString detail; // English
    int waiting = 0; // writes that exist in memory only
};

// The store thread's side: owns the connection, applies writes in order, keeps those that the disk refuses
// and tries again every second. Readers see the kept writes too: they are applied in a transaction that is
// rolled back. All on the store thread, apart from the atomics.
class StoreWriter : public QObject
{
    Q_OBJECT

public:
    using Write = std::function<SqlFault(const QSqlDatabase&)>;
    using Read = std::function<void(const QSqlDatabase&)>;

    explicit StoreWriter(QString path);

    void open(); // rows still streaming become interrupted
    void close(); // a last try for what waits
    void write(quint64 number, Write write); // one transaction
    void read(const Read& read);
    void retry();
    void truncateWal();
    void erase(); // pages of deleted rows leave the disk: VACUUM
    void search(quint64 number, const QString& words);
    // Continues in a new file at `path` with all chats; what waits is written there.
    void saveElsewhere(const QString& path);

    [[nodiscard]] qint64 greatestId() const { return m_greatestId; } // on disk, after open()

    [[nodiscard]] bool blind() const { return m_blind; } // the file's ids are unknown

    std::atomic<quint64> latestSearch = 0; // set from any thread; an older search stops

signals:
    void opened(const kaikou::StoreReport& report);
    void written(quint64 number);
    void refused(quint64 number, const QString& detail); // can never be written
    void savingChanged(const kaikou::SavingState& state);
    void found(quint64 search, const QList<kaikou::SearchHit>& hits);
    void searchEnded(quint64 search, bool complete);

private:
    struct Waiting
    {
        quint64 number = 0;
        Write write;
    };

    SqlFault apply(const Write& write);
    void keep(Waiting waiting, const SqlFault& fault);
    void drain();
    void use(std::unique_ptr<Database> database);
    void searchOn(quint64 number, const std::shared_ptr<ChatSearch>& search);
    void announce();

    QString m_path;
    std::unique_ptr<Database> m_database;
    std::deque<Waiting> m_waiting;
    SavingState m_state;
    QTimer m_timer;
    std::atomic<qint64> m_greatestId = 0;
    std::atomic<bool> m_blind = true;
};

} // namespace kaikou
