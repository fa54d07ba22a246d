#include "ui/model/chat_list_model.h"

#include <QLocale>
#include <QSet>

#include <algorithm>

namespace kaikou {

namespace {

QDateTime timeOf(const StoredChat& chat)
{
    return QDateTime::fromMSecsSinceEpoch(chat.updatedMs);
}

QString nameOf(const StoredChat& chat)
{
    const QString title = chat.title.simplified();
    return title.isEmpty() ? ChatListModel::tr("New chat") : title;
}

QString sectionName(ChatListModel::Section section)
{
    switch (section) {
    case ChatListModel::Section::None:
        break;
    case ChatListModel::Section::Pinned:
        return ChatListModel::tr("Pinned");
    case ChatListModel::Section::Today:
        return ChatListModel::tr("Today");
    case ChatListModel::Section::Yesterday:
        return ChatListModel::tr("Yesterday");
    case ChatListModel::Section::Week:
        return ChatListModel::tr("Last 7 days");
    case ChatListModel::Section::Month:
        return ChatListModel::tr("Last 30 days");
    case ChatListModel::Section::Earlier:
        return ChatListModel::tr("Earlier");
    }
    return {};
}

// A clock that was set back leaves chats in the future: they were changed just now.
QString timeText(const QDateTime& then, const QDateTime& now)
{
    const QLocale locale;
    const qint64 minutes = then.secsTo(now) / 60;
    const qint64 days = then.date().daysTo(now.date());
    if (minutes < 1)
        return ChatListModel::tr("just now");
    if (minutes < 60)
        return ChatListModel::tr("%1 min ago").arg(minutes);
    if (days <= 0)
        return ChatListModel::tr("%1 h ago").arg(minutes / 60);
    const QString clock = locale.toString(then.time(), QStringLiteral("HH:mm"));
    if (days == 1)
        return ChatListModel::tr("yesterday %1").arg(clock);
    if (days < 7)
        return QStringLiteral("%1 %2").arg(locale.dayName(then.date().dayOfWeek()), clock);
    const bool sameYear = then.date().year() == now.date().year();
    //: date of this year, in Qt's format language
    const QString near = ChatListModel::tr("d MMM");
    //: date of another year, in Qt's format language
    const QString far = ChatListModel::tr("d MMM yyyy");
    return locale.toString(then.date(), sameYear ? near : far);
}

bool before(const StoredChat& a, const StoredChat& b)
{
    if (a.pinned != b.pinned)
        return a.pinned;
    if (a.updatedMs != b.updatedMs)
        return a.updatedMs > b.updatedMs;
    return a.id > b.id;
}

} // namespace

ChatListModel::ChatListModel(QObject* parent)
    : QAbstractListModel(parent)
    , m_clock([] { return QDateTime::currentDateTime(); })
{
}

void ChatListModel::setClock(Clock clock)
{
    m_clock = std::move(clock);
    refresh();
}

void ChatListModel::refresh()
{
    become(m_chats);
    if (!m_rows.isEmpty())
        emit dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
}

void ChatListModel::setChats(const QList<StoredChat>& chats)
{
    QHash<qint64, StoredChat> all;
    all.reserve(chats.size());
    for (const StoredChat& chat : chats) {
        if (!chat.trashedMs)
            all.insert(chat.id, chat);
    }
    become(all);
}

void ChatListModel::startSearch(const QString& words)
{
    m_words = words;
    m_running = !words.isEmpty();
    m_hits.clear();
    become(m_chats);
}

void ChatListModel::showHits(const QList<SearchHit>& hits)
{
    if (m_words.isEmpty())
        return; // late ones of a search that was left
    m_hits += hits;
    become(m_chats);
}

void ChatListModel::endSearch()
{
    m_running = false;
}

void ChatListModel::setOpen(qint64 chat)
{
    const qint64 old = std::exchange(m_open, chat);
    for (int row = 0; row < rowCount(); ++row) {
        const bool touched = m_rows[row].chat == old || m_rows[row].chat == chat;
        if (touched && old != chat)
            emit dataChanged(index(row), index(row), {OpenRole, Qt::AccessibleTextRole});
    }
}

std::optional<StoredChat> ChatListModel::chat(qint64 id) const
{
    const auto found = m_chats.constFind(id);
    return found == m_chats.cend() ? std::nullopt : std::optional(*found);
}

QModelIndex ChatListModel::indexOf(qint64 chat, qint64 message) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (keyOf(m_rows[row]) == Key(chat, message))
            return index(row);
    }
    return {};
}

void ChatListModel::put(const StoredChat& chat)
{
    QHash<qint64, StoredChat> chats = m_chats;
    chats.insert(chat.id, chat);
    become(chats);
}

void ChatListModel::drop(qint64 chat)
{
    QHash<qint64, StoredChat> chats = m_chats;
    chats.remove(chat);
    become(chats);
}

int ChatListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChatListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[index.row()];
    const StoredChat chat = m_chats.value(row.chat);
    const bool inMessage = row.hit && row.hit->message != 0;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return nameOf(chat);
    case Qt::EditRole:
    case TitleRole:
        return chat.title;
    case Qt::AccessibleTextRole:
        return accessibleText(row, chat);
    case IdRole:
        return chat.id;
    case PinnedRole:
        return chat.pinned;
    case UpdatedMsRole:
        return chat.updatedMs;
    case SectionRole:
        return static_cast<int>(row.section);
    case HeadingRole:
        return row.first ? sectionName(row.section) : QString();
    case TimeRole:
        return timeText(timeOf(chat), m_clock());
    case OpenRole:
        return chat.id == m_open;
    case MessageRole:
        return row.hit ? row.hit->message : 0;
    case SnippetRole:
        return inMessage ? row.hit->excerpt : QString();
    case MatchStartRole:
        if (!row.hit)
            return -1;
        return inMessage ? row.hit->excerptMatch
                         : static_cast<int>(nameOf(chat).indexOf(m_words, 0, Qt::CaseInsensitive));
    case MatchLengthRole:
        return row.hit ? static_cast<int>(m_words.size()) : 0;
    default:
        return {};
    }
}

bool ChatListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    StoredChat chat = m_chats.value(m_rows[index.row()].chat);
    const QString title = value.toString().simplified();
    if (title.isEmpty() || title == chat.title)
        return false;
    chat.title = title;
    put(chat);
    emit titleEdited(chat.id, title);
    return true;
}

Qt::ItemFlags ChatListModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemNeverHasChildren;
}

QHash<int, QByteArray> ChatListModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractListModel::roleNames();
    names.insert({{TitleRole, "title"}, {IdRole, "id"}, {PinnedRole, "pinned"}, {UpdatedMsRole, "updatedMs"},
        {SectionRole, "section"}, {SnippetRole, "snippet"}});
    return names;
}

ChatListModel::Key ChatListModel::keyOf(const Row& row)
{
    return {row.chat, row.hit ? row.hit->message : 0};
}

QString ChatListModel::accessibleText(const Row& row, const StoredChat& chat) const
{
    QStringList parts {nameOf(chat)};
    if (row.hit && row.hit->message != 0)
        parts += row.hit->excerpt;
    parts += timeText(timeOf(chat), m_clock());
    if (chat.pinned)
        parts += tr("pinned");
    if (chat.id == m_open)
        parts += tr("open");
    return parts.join(tr(", ", "between the parts of a spoken line"));
}

ChatListModel::Section ChatListModel::sectionOf(const StoredChat& chat, const QDate& today) const
{
    if (chat.pinned)
        return Section::Pinned;
    const qint64 days = timeOf(chat).date().daysTo(today);
    if (days <= 0)
        return Section::Today;
    if (days == 1)
        return Section::Yesterday;
    if (days < 7)
        return Section::Week;
    return days < 30 ? Section::Month : Section::Earlier;
}

QList<ChatListModel::Row> ChatListModel::wantedRows(const QHash<qint64, StoredChat>& chats) const
{
    QList<Row> rows;
    if (!m_words.isEmpty()) {
        QSet<Key> seen;
        for (const SearchHit& hit : m_hits) {
            const Key key(hit.chat, hit.message);
            if (chats.contains(hit.chat) && !seen.contains(key)) {
                seen.insert(key);
                rows.append({hit.chat, Section::None, seen.size() == 1, hit});
            }
        }
        return rows;
    }
    QList<StoredChat> sorted = chats.values();
    std::sort(sorted.begin(), sorted.end(), before);
    const QDate today = m_clock().date();
    rows.reserve(sorted.size());
    for (const StoredChat& chat : sorted) {
        const Section section = sectionOf(chat, today);
        rows.append({chat.id, section, rows.isEmpty() || rows.last().section != section, std::nullopt});
    }
    return rows;
}

void ChatListModel::become(const QHash<qint64, StoredChat>& chats)
{
    const QHash<qint64, StoredChat> now
        = chats; // NOLINT(performance-unnecessary-copy-initialization): may be m_chats
    const QHash<qint64, StoredChat> old = m_chats;
    const QList<Row> wanted = wantedRows(now);
    QHash<Key, qsizetype> places;
    places.reserve(wanted.size());
    for (qsizetype i = 0; i < wanted.size(); ++i)
        places.insert(keyOf(wanted[i]), i);
    // While rows come and go the others keep their old texts: observers compare.
    for (auto it = now.cbegin(); it != now.cend(); ++it) {
        if (!m_chats.contains(it.key()))
            m_chats.insert(it.key(), it.value());
    }
    removeMissing(places);
    moveToOrder(places);
    insertNew(wanted);
    const QList<Row> shown = std::exchange(m_rows, wanted);
    m_chats = now;
    for (int row = 0; row < rowCount(); ++row) {
        const auto was = old.constFind(m_rows[row].chat);
        const bool changed = was != old.cend() && *was != now[m_rows[row].chat];
        if (changed || shown[row] != m_rows[row])
            emit dataChanged(index(row), index(row));
    }
}

void ChatListModel::removeMissing(const QHash<Key, qsizetype>& wanted)
{
    for (int last = rowCount() - 1; last >= 0; --last) {
        if (wanted.contains(keyOf(m_rows[last])))
            continue;
        int first = last;
        while (first > 0 && !wanted.contains(keyOf(m_rows[first - 1])))
            --first;
        beginRemoveRows({}, first, last);
        m_rows.remove(first, last - first + 1);
        endRemoveRows();
        last = first;
    }
}

// One move for one chat that went up or down.
void ChatListModel::moveToOrder(const QHash<Key, qsizetype>& wanted)
{
    const auto place = [&](int row) { return wanted.value(keyOf(m_rows[row])); };
    QList<qsizetype> order; // places of the rows that stay, ascending
    for (int row = 0; row < rowCount(); ++row)
        order.append(place(row));
    std::sort(order.begin(), order.end());
    for (int row = 0; row + 1 < rowCount(); ++row) {
        if (place(row) == order[row])
            continue;
        if (place(row + 1) == order[row]) {
            const auto target = std::lower_bound(order.cbegin(), order.cend(), place(row));
            moveRow(row, static_cast<int>(target - order.cbegin()));
            continue;
        }
        int from = row + 1;
        while (place(from) != order[row])
            ++from;
        moveRow(from, row);
    }
}

void ChatListModel::moveRow(int from, int to)
{
    beginMoveRows({}, from, from, {}, to > from ? to + 1 : to);
    m_rows.move(from, to);
    endMoveRows();
}

void ChatListModel::insertNew(const QList<Row>& wanted)
{
    for (int first = 0; first < wanted.size(); ++first) {
        const Key next = first < rowCount() ? keyOf(m_rows[first]) : Key(0, -1);
        if (keyOf(wanted[first]) == next)
            continue;
        int end = first + 1;
        while (end < wanted.size() && keyOf(wanted[end]) != next)
            ++end;
        beginInsertRows({}, first, end - 1);
        for (int row = first; row < end; ++row)
            m_rows.insert(row, wanted[row]);
        endInsertRows();
        first = end;
    }
}

} // namespace kaikou
