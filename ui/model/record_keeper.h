#pragma once

#include "inference/history/record_store.h"

#include <QObject>

namespace kaikou {

class ChatModel;

// Keeps the step records of the chat within the memory limit: replies that were not looked at for the longest
// time lose their logits first, running ones and the inspected one never do. GUI thread.
class RecordKeeper : public QObject
{
    Q_OBJECT

public:
    explicit RecordKeeper(ChatModel& chat, QObject* parent = nullptr);

    void setLimit(std::uint64_t bytes);
    void pin(quint64 reply); // the one the inspector shows; 0 = none
    void clear();
    void adopt(quint64 reply); // counts one that came in whole

    [[nodiscard]] std::uint64_t used() const;
    [[nodiscard]] std::uint64_t limit() const;

signals:
    void changed(); // used or limit
    void dropped(quint64 reply); // its logits are to go

private:
    void grow(int index, int firstToken);
    void settle(int index);
    void evict();

    ChatModel& m_chat;
    RecordStore m_store;
    quint64 m_pinned = 0;
};

} // namespace kaikou
