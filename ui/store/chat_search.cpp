#include "ui/store/chat_search.h"

#include <QtCore/QVariant>
#include <QtSql/QSqlDatabase>
#include <QtSql/QSqlQuery>

namespace kaikou {
namespace {

constexpr qsizetype kAround = 24; // characters shown on each side

void setExcerpt(SearchHit& hit, const QString& text, qsizetype words)
{
    qsizetype from = qMax<qsizetype>(0, hit.position - kAround);
    if (from > 0 && text[from].isLowSurrogate())
        --from;
    qsizetype to = qMin(text.size(), hit.position + words + kAround);
    if (to < text.size() && text[to].isLowSurrogate())
        ++to;
    hit.excerpt = text.mid(from, to - from);
    for (QChar& c : hit.excerpt)
        if (c.isSpace())
            c = QLatin1Char(' ');
    hit.excerptMatch = static_cast<int>(hit.position - from);
}

} // namespace

QList<SearchHit> ChatSearch::titles(const QSqlDatabase& sql)
{
    m_titlesDone = true;
    QSqlQuery rows(sql);
    rows.setForwardOnly(true);
    rows.exec(QStringLiteral("SELECT id, title FROM conversation WHERE trashed_ms IS NULL ORDER BY id DESC"));
    QList<SearchHit> hits;
    while (rows.next()) {
        const QString title = rows.value(1).toString();
        SearchHit hit {rows.value(0).toLongLong(), 0, title, {}, 0, 0};
        hit.position = title.indexOf(m_words, 0, Qt::CaseInsensitive);
        if (hit.position < 0)
            continue;
        setExcerpt(hit, title, m_words.size());
        hits.append(hit);
    }
    return hits;
}

QList<SearchHit> ChatSearch::next(const QSqlDatabase& sql, int rows)
{
    if (ended())
        return {};
    if (!m_titlesDone)
        return titles(sql);
    QSqlQuery query(sql);
    query.setForwardOnly(true);
    query.prepare(QStringLiteral("SELECT m.id, m.conv, c.title, m.text, c.trashed_ms FROM message m"
                                 " JOIN conversation c ON c.id = m.conv WHERE m.id < ?"
                                 " ORDER BY m.id DESC LIMIT ?"));
    query.addBindValue(m_below);
    query.addBindValue(rows);
    query.exec();
    QList<SearchHit> hits;
    int seen = 0;
    while (query.next()) {
        ++seen;
        m_below = query.value(0).toLongLong();
        if (!query.value(4).isNull())
            continue;
        const QString text = QString::fromUtf8(query.value(3).toByteArray());
        SearchHit hit {query.value(1).toLongLong(), m_below, query.value(2).toString(), {}, 0, 0};
        hit.position = text.indexOf(m_words, 0, Qt::CaseInsensitive);
        if (hit.position < 0)
            continue;
        setExcerpt(hit, text, m_words.size());
        hits.append(hit);
    }
    if (seen < rows)
        m_below = 0;
    return hits;
}

} // namespace kaikou
