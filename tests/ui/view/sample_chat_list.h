#pragma once

#include "ui/store/chat_values.h"

#include <QDateTime>

namespace kaikou::test {

// A Thursday, 10:30: the clock of the list's tests.
inline const QDateTime& now()
{
    static const QDateTime time(QDate(2026, 3, 12), QTime(10, 30));
    return time;
}

inline StoredChat chat(qint64 id, qint64 hoursAgo, const QString& title, bool pinned = false)
{
    StoredChat chat;
    chat.id = id;
    chat.title = title;
    chat.pinned = pinned;
    chat.updatedMs = now().addSecs(-hoursAgo * 3600 - 130).toMSecsSinceEpoch();
    return chat;
}

} // namespace kaikou::test
