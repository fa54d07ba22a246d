#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

class QSqlDatabase;

namespace kaikou {

// Where a chat holds the words looked for.
struct SearchHit
{
    qint64 chat = 0;
    qint64 message = 0; // 0 = in the title
    QString title;
    QString excerpt; // one line around the words
    int excerptMatch = 0; // where in `excerpt` they begin, in QChars
    qint64 position = 0; // where in the message they begin first, in QChars of its text

    friend bool operator==(const SearchHit&, const SearchHit&) = default;
};

// A scan over titles and texts outside the trash, newest first, in slices so that writes come in between.
// Matches ignore case in every script; 1 Chinese character is enough.
class ChatSearch
{
public:
    explicit ChatSearch(QString words)
        : m_words(std::move(words))
    {
    }

    // Hits of the next `rows` rows.
    [[nodiscard]] QList<SearchHit> next(const QSqlDatabase& sql, int rows);

    [[nodiscard]] bool ended() const { return m_words.isEmpty() || (m_titlesDone && m_below == 0); }

private:
    QList<SearchHit> titles(const QSqlDatabase& sql);

    QString m_words;
    bool m_titlesDone = false;
    qint64 m_below = INT64_MAX; // ids of messages still to be scanned; 0 = none
};

} // namespace kaikou
