#include "ui/model/token_model.h"

#include "ui/model/chat_model.h"
#include "ui/model/token_label.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kaikou {

TokenModel::TokenModel(ChatModel* chat, QObject* parent)
    : QAbstractTableModel(parent)
    , m_chat(chat)
{
    connect(chat, &ChatModel::replyGrew, this, &TokenModel::grow);
    connect(chat, &ChatModel::messagesRemoved, this, &TokenModel::forgetMissing);
    connect(chat, &ChatModel::reset, this, &TokenModel::forgetMissing);
}

const Reply* TokenModel::reply() const
{
    return m_chat->reply(m_reply);
}

void TokenModel::setReply(quint64 id)
{
    beginResetModel();
    m_reply = id;
    m_rows = reply() == nullptr ? 0 : static_cast<int>(reply()->tokens.size());
    endResetModel();
}

void TokenModel::grow(int index)
{
    if (m_chat->at(index).id != m_reply)
        return;
    const int rows = static_cast<int>(reply()->tokens.size());
    if (rows == m_rows)
        return;
    beginInsertRows({}, m_rows, rows - 1);
    m_rows = rows;
    endInsertRows();
}

void TokenModel::forgetMissing()
{
    if (m_reply != 0 && reply() == nullptr)
        setReply(0);
}

int TokenModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int TokenModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

namespace {

double valueOf(const ReplyToken& token, int row, int column)
{
    switch (column) {
    case TokenModel::Index:
        return row + 1;
    case TokenModel::Probability:
        return token.stats.pModel;
    case TokenModel::Shaped:
        return token.stats.pShaped;
    case TokenModel::Sampled:
        return token.stats.pSample;
    case TokenModel::Rank:
        return token.stats.rank;
    case TokenModel::Surprisal:
        return -std::log2(token.stats.pModel);
    case TokenModel::Entropy:
        return token.stats.entropy / std::numbers::ln2;
    default:
        return token.id;
    }
}

QString shown(double value, int column)
{
    const QLocale locale;
    switch (column) {
    case TokenModel::Index:
    case TokenModel::Rank:
        return locale.toString(static_cast<qlonglong>(value));
    case TokenModel::Surprisal:
    case TokenModel::Entropy:
        return locale.toString(value, 'f', 2);
    default:
        return locale.toString(value * 100, 'f', 2) + u" %";
    }
}

} // namespace

QVariant TokenModel::data(const QModelIndex& index, int role) const
{
    const Reply* shownReply = reply();
    if (!index.isValid() || index.row() >= m_rows || shownReply == nullptr)
        return {};
    const ReplyToken& token = shownReply->tokens[static_cast<std::size_t>(index.row())];
    const bool text = index.column() == Text;
    if (role == TokenIdRole)
        return token.id;
    if (role == ValueRole)
        return valueOf(token, index.row(), index.column());
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (!text)
        return shown(valueOf(token, index.row(), index.column()), index.column());
    return token.byteEnd > token.byteBegin ? tokenLabel(shownReply->bytesOf(token))
                                           : tokenLabel(shownReply->setup.text.get(), token.id);
}

QVariant TokenModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Index:
        return tr("No.");
    case Text:
        return tr("Token");
    case Probability:
        return tr("Model probability");
    case Shaped:
        return tr("Shaped probability");
    case Sampled:
        return tr("Sampling probability");
    case Rank:
        return tr("Rank");
    case Surprisal:
        return tr("Surprisal (bits)");
    case Entropy:
        return tr("Entropy (bits)");
    default:
        return {};
    }
}

} // namespace kaikou
