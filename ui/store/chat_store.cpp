#include "ui/store/chat_store.h"

#include "ui/store/chat_records.h"

#include <QtCore/QDateTime>
#include <QtSql/QSqlDatabase>

namespace kaikou {
namespace {

// Ids of a session that cannot see the file: beyond all that it can hold, by the clock.
qint64 blindId()
{
    return QDateTime::currentMSecsSinceEpoch() << 20;
}

} // namespace

ChatStore::ChatStore(const QString& path, QObject* parent)
    : QObject(parent)
    , m_writer(std::make_unique<StoreWriter>(path))
{
    StoreWriter* writer = m_writer.get();
    writer->moveToThread(&m_thread);
    connect(writer, &StoreWriter::opened, this, [this](const StoreReport& report) { emit opened(report); });
    connect(writer, &StoreWriter::written, this, &ChatStore::written);
    connect(writer, &StoreWriter::refused, this, &ChatStore::refused);
    connect(writer, &StoreWriter::savingChanged, this, &ChatStore::savingChanged);
    connect(writer, &StoreWriter::found, this, &ChatStore::found);
    connect(writer, &StoreWriter::searchEnded, this, &ChatStore::searchEnded);
    m_thread.setObjectName(QStringLiteral("store"));
    m_thread.start();
    post([writer] { writer->open(); });
}

ChatStore::~ChatStore()
{
    m_writer->latestSearch = 0;
    QMetaObject::invokeMethod(
        m_writer.get(), [writer = m_writer.get()] { writer->close(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

template <class F>
void ChatStore::post(F job)
{
    QMetaObject::invokeMethod(m_writer.get(), std::move(job), Qt::QueuedConnection);
}

quint64 ChatStore::write(StoreWriter::Write write)
{
    const quint64 number = ++m_writes;
    post([writer = m_writer.get(), number, write = std::move(write)]() mutable {
        writer->write(number, std::move(write));
    });
    return number;
}

qint64 ChatStore::newId()
{
    if (m_lastId == 0) {
        flush();
        m_lastId = m_writer->blind() ? blindId() : m_writer->greatestId();
    }
    return ++m_lastId;
}

quint64 ChatStore::ask(const std::optional<StoredChat>& newChat, const QList<StoredMessage>& messages)
{
    return write([newChat, messages](const QSqlDatabase& sql) {
        SqlFault fault = newChat ? records::insertChat(sql, *newChat) : SqlFault {};
        for (const StoredMessage& message : messages)
            if (fault.ok())
                fault = records::insertMessage(sql, message);
        return fault;
    });
}

quint64 ChatStore::checkpoint(const ReplyPart& part)
{
    return write([part](const QSqlDatabase& sql) { return records::checkpoint(sql, part); });
}

quint64 ChatStore::finish(const ReplyEnd& end)
{
    return write([end](const QSqlDatabase& sql) { return records::finishReply(sql, end); });
}

quint64 ChatStore::setActiveLeaf(qint64 chat, qint64 message)
{
    return write([=](const QSqlDatabase& sql) { return records::setActiveLeaf(sql, chat, message); });
}

quint64 ChatStore::deleteMessage(qint64 message)
{
    return write([=](const QSqlDatabase& sql) { return records::deleteMessage(sql, message); });
}

quint64 ChatStore::updateChat(const StoredChat& chat)
{
    return write([chat](const QSqlDatabase& sql) { return records::updateChat(sql, chat); });
}

quint64 ChatStore::rename(qint64 chat, const QString& title)
{
    return write([=](const QSqlDatabase& sql) { return records::setTitle(sql, chat, title); });
}

quint64 ChatStore::setPinned(qint64 chat, bool pinned)
{
    return write([=](const QSqlDatabase& sql) { return records::setPinned(sql, chat, pinned); });
}

quint64 ChatStore::moveToTrash(qint64 chat)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    return write([=](const QSqlDatabase& sql) { return records::setTrashed(sql, chat, now); });
}

quint64 ChatStore::restore(qint64 chat)
{
    return write([=](const QSqlDatabase& sql) { return records::setTrashed(sql, chat, std::nullopt); });
}

quint64 ChatStore::purge(qint64 chat)
{
    const quint64 number = write([=](const QSqlDatabase& sql) { return records::purgeChat(sql, chat); });
    post([writer = m_writer.get()] { writer->truncateWal(); });
    return number;
}

quint64 ChatStore::purgeTrash(qint64 beforeMs)
{
    const quint64 number = write([=](const QSqlDatabase& sql) { return records::purgeTrash(sql, beforeMs); });
    post([writer = m_writer.get()] { writer->truncateWal(); });
    return number;
}

quint64 ChatStore::setDraft(qint64 chat, const Draft& draft)
{
    return write([=](const QSqlDatabase& sql) { return records::setDraft(sql, chat, draft); });
}

quint64 ChatStore::setViewPlace(qint64 chat, const ViewPlace& place)
{
    return write([=](const QSqlDatabase& sql) { return records::setViewPlace(sql, chat, place); });
}

// The answers are emitted on this object's thread: values travel in the queued call.
void ChatStore::requestChats(bool trash)
{
    post([this, writer = m_writer.get(), trash] {
        QList<StoredChat> chats;
        writer->read([&](const QSqlDatabase& sql) { chats = records::listChats(sql, trash); });
        QMetaObject::invokeMethod(
            this, [this, trash, chats] { emit chatsListed(trash, chats); }, Qt::QueuedConnection);
    });
}

void ChatStore::requestWholeChat(qint64 chat)
{
    post([this, writer = m_writer.get(), chat] {
        std::optional<LoadedChat> loaded;
        writer->read([&](const QSqlDatabase& sql) { loaded = records::loadChat(sql, chat, true); });
        const auto answer = [this, chat, loaded = std::move(loaded)] {
            if (loaded)
                emit wholeChatRead(*loaded);
            else
                emit chatMissing(chat);
        };
        QMetaObject::invokeMethod(this, answer, Qt::QueuedConnection);
    });
}

void ChatStore::requestChat(qint64 chat)
{
    post([this, writer = m_writer.get(), chat] {
        std::optional<LoadedChat> loaded;
        std::optional<ViewPlace> place;
        writer->read([&](const QSqlDatabase& sql) {
            loaded = records::loadChat(sql, chat);
            place = records::viewPlace(sql, chat);
        });
        const auto answer = [this, chat, loaded = std::move(loaded), place] {
            if (loaded)
                emit chatLoaded(*loaded, place);
            else
                emit chatMissing(chat);
        };
        QMetaObject::invokeMethod(this, answer, Qt::QueuedConnection);
    });
}

void ChatStore::requestDraft(qint64 chat)
{
    post([this, writer = m_writer.get(), chat] {
        Draft draft;
        writer->read([&](const QSqlDatabase& sql) { draft = records::draft(sql, chat); });
        QMetaObject::invokeMethod(
            this, [this, chat, draft] { emit draftRead(chat, draft); }, Qt::QueuedConnection);
    });
}

quint64 ChatStore::search(const QString& words)
{
    const quint64 number = ++m_searches;
    m_writer->latestSearch = number;
    post([writer = m_writer.get(), number, words] { writer->search(number, words); });
    return number;
}

void ChatStore::cancelSearch()
{
    m_writer->latestSearch = 0;
}

void ChatStore::retry()
{
    post([writer = m_writer.get()] { writer->retry(); });
}

void ChatStore::saveElsewhere(const QString& path)
{
    post([writer = m_writer.get(), path] { writer->saveElsewhere(path); });
}

void ChatStore::eraseNow()
{
    post([writer = m_writer.get()] { writer->erase(); });
}

void ChatStore::flush()
{
    QMetaObject::invokeMethod(
        m_writer.get(), [] {}, Qt::BlockingQueuedConnection);
}

} // namespace kaikou
