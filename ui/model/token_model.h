#pragma once

#include <QAbstractTableModel>

namespace kaikou {

class ChatModel;
struct Reply;

// The tokens of one reply as rows, growing while it streams.
class TokenModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Index, // from 1
        Text, // readable form; bytes in hex where it is not text of its own
        Probability, // P_model
        Shaped, // P_shaped
        Sampled, // P_sample
        Rank,
        Surprisal, // bits
        Entropy, // bits
        ColumnCount
    };

    enum Role
    {
        ValueRole = Qt::UserRole, // double or int behind the text, for charts and sorting
        TokenIdRole, // uint
    };

    explicit TokenModel(ChatModel* chat, QObject* parent = nullptr);

    void setReply(quint64 id); // 0 = none

    [[nodiscard]] quint64 replyId() const { return m_reply; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] const Reply* reply() const;
    void grow(int index);
    void forgetMissing();

    ChatModel* m_chat;
    quint64 m_reply = 0;
    int m_rows = 0;
};

} // namespace kaikou
