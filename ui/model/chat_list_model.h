#pragma once

#include "ui/store/chat_search.h"
#include "ui/store/chat_values.h"

#include <QAbstractListModel>
#include <QDateTime>
#include <QHash>

#include <functional>
#include <optional>

namespace kaikou {

// The chats by time, or the hits of a search in the order they come. Rows change one by one, never by a
// reset, so that a view keeps what is selected and edited. GUI thread.
class ChatListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role
    {
        TitleRole = Qt::UserRole + 1, // as stored; DisplayRole names an empty one
        IdRole, // qint64
        PinnedRole, // bool
        UpdatedMsRole, // qint64
        SectionRole, // int(Section)
        HeadingRole, // name of the section in its first row, else empty
        TimeRole, // when it changed, in words
        OpenRole, // bool: shown in the window
        MessageRole, // qint64: message of the hit; 0 = none or the title
        SnippetRole, // line of a message hit, else empty
        MatchStartRole, // int: of the words in the snippet, or in DisplayRole when there is none; -1 = no hit
        MatchLengthRole // int
    };

    enum class Section
    {
        None, // search
        Pinned,
        Today,
        Yesterday,
        Week, // last 7 days
        Month, // last 30 days
        Earlier
    };
    Q_ENUM(Section)

    using Clock = std::function<QDateTime()>;

    explicit ChatListModel(QObject* parent = nullptr);

    void setClock(Clock clock); // local time; QDateTime::currentDateTime unless set
    void refresh(); // time went on or the language changed

    // Pinned first, then by updatedMs, newest first; of equals the larger id first. Chats in the trash are
    // left out.
    void setChats(const QList<StoredChat>& chats);
    // From here on the rows are hits; no words = the chats again.
    void startSearch(const QString& words);
    void showHits(const QList<SearchHit>& hits); // more of them; those of chats not in the list are held back
    void endSearch(); // no more hits will come

    [[nodiscard]] const QString& words() const { return m_words; }

    [[nodiscard]] bool searching() const { return m_running; } // more hits may come

    [[nodiscard]] qsizetype chatCount() const { return m_chats.size(); }

    void setOpen(qint64 chat); // 0 = none

    [[nodiscard]] qint64 open() const { return m_open; }

    [[nodiscard]] std::optional<StoredChat> chat(qint64 id) const;
    [[nodiscard]] QModelIndex indexOf(qint64 chat, qint64 message = 0) const; // invalid = not shown

    // What was just asked of the store, shown at once; the next setChats() is the truth.
    void put(const StoredChat& chat);
    void drop(qint64 chat);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    // A new title, for EditRole: without line breaks; false for an empty or the same one.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

signals:
    void titleEdited(qint64 chat, const QString& title);

private:
    struct Row
    {
        qint64 chat = 0;
        Section section = Section::None;
        bool first = true; // of its section
        std::optional<SearchHit> hit;

        friend bool operator==(const Row&, const Row&) = default;
    };

    using Key = std::pair<qint64, qint64>; // chat, message

    [[nodiscard]] static Key keyOf(const Row& row);
    [[nodiscard]] QList<Row> wantedRows(const QHash<qint64, StoredChat>& chats) const;
    [[nodiscard]] Section sectionOf(const StoredChat& chat, const QDate& today) const;
    [[nodiscard]] QString accessibleText(const Row& row, const StoredChat& chat) const;
    void become(const QHash<qint64, StoredChat>& chats);
    void removeMissing(const QHash<Key, qsizetype>& wanted);
    void moveToOrder(const QHash<Key, qsizetype>& wanted);
    void insertNew(const QList<Row>& wanted);
    void moveRow(int from, int to);

    QHash<qint64, StoredChat> m_chats;
    QList<SearchHit> m_hits;
    QList<Row> m_rows;
    QString m_words;
    bool m_running = false;
    qint64 m_open = 0;
    Clock m_clock;
};

} // namespace kaikou
