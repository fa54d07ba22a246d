#include "ui/model/consistency_model.h"

#include "ui/model/generation_bridge.h"

#include <algorithm>

namespace kaikou {

namespace {

constexpr quintptr kGroup = 0; // internal id of a top-level row; an answer has its group's row + 1

} // namespace

ConsistencyModel::ConsistencyModel(GenerationBridge& bridge, QObject* parent)
    : QAbstractItemModel(parent)
    , m_bridge(bridge)
{
    connect(&bridge, &GenerationBridge::started, this, &ConsistencyModel::start);
    connect(&bridge, &GenerationBridge::tokensArrived, this, &ConsistencyModel::append);
    connect(&bridge, &GenerationBridge::finished, this, &ConsistencyModel::finish);
    connect(&bridge, &GenerationBridge::failed, this, &ConsistencyModel::fail);
}

SampleParams ConsistencyModel::gptTeacherParams(SampleParams base)
{
    base.temperature = 0.5F;
    base.greedy = false;
    base.topK = 50;
    base.topP = 0.9F;
    base.minP = 0.0F;
    return base;
}

Result<void> ConsistencyModel::run(
    Request request, const QString& question, int samples, const ReplySetup& setup)
{
    request.choices = static_cast<std::uint32_t>(samples);
    request.liveSiblings = request.choices; // the memory limit holds for all of them together
    KAIKOU_TRY(const Ticket ticket, m_bridge.submit(std::move(request)));
    beginResetModel();
    m_ticket = ticket;
    m_question = question;
    m_samples.assign(static_cast<std::size_t>(samples), {});
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        m_samples[i].reply.setup = setup;
        m_samples[i].reply.setup.seed = setup.seed + i;
    }
    m_judged.clear();
    m_done = 0;
    m_error.reset();
    m_verdict.reset();
    endResetModel();
    emit changed();
    return {};
}

void ConsistencyModel::cancel()
{
    if (m_ticket)
        m_bridge.cancel(*m_ticket);
}

void ConsistencyModel::clear()
{
    if (m_ticket)
        m_bridge.abandon(*m_ticket);
    beginResetModel();
    m_ticket.reset();
    m_question.clear();
    m_samples.clear();
    m_judged.clear();
    m_done = 0;
    m_error.reset();
    m_verdict.reset();
    endResetModel();
    emit changed();
}

void ConsistencyModel::start(const Started& started)
{
    if (!m_ticket || started.ticket != *m_ticket)
        return;
    for (Sample& sample : m_samples)
        sample.reply.prompt = started.prompt;
}

void ConsistencyModel::append(const QList<Token>& tokens)
{
    for (const Token& token : tokens) {
        if (!m_ticket || token.ticket != *m_ticket || token.choice >= m_samples.size())
            continue;
        appendToken(m_samples[token.choice].reply, token);
    }
}

void ConsistencyModel::finish(const Finished& finished)
{
    if (!m_ticket || finished.ticket != *m_ticket || finished.choice >= m_samples.size())
        return;
    Sample& sample = m_samples[finished.choice];
    finishReply(sample.reply, finished);
    // A cut-off sample says nothing about what the model would have answered.
    sample.finished = finished.reason != FinishReason::Cancelled;
    ++m_done;
    if (finished.openChoices == 0)
        m_ticket.reset();
    if (sample.finished)
        judge();
    emit changed();
}

void ConsistencyModel::fail(const Failed& failed)
{
    if (!m_ticket || failed.ticket != *m_ticket)
        return;
    m_ticket.reset();
    m_error = failed.error;
    emit changed();
}

void ConsistencyModel::judge()
{
    beginResetModel();
    m_judged.clear();
    std::vector<std::string> answers;
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        if (!m_samples[i].finished)
            continue;
        m_judged.push_back(i);
        answers.push_back(answer(i));
    }
    m_verdict = judgeConsistency(answers);
    endResetModel();
}

// The largest group that says something.
bool ConsistencyModel::isMain(std::size_t row) const
{
    const auto& clusters = m_verdict->clusters;
    const auto main = std::ranges::find(clusters, false, &AnswerCluster::empty);
    return main != clusters.end() && static_cast<std::size_t>(main - clusters.begin()) == row;
}

std::string ConsistencyModel::answer(std::size_t sample) const
{
    return m_samples[sample].reply.answer();
}

const Reply* ConsistencyModel::sample(const QModelIndex& answer) const
{
    if (!checkIndex(answer, CheckIndexOption::IndexIsValid) || answer.internalId() == kGroup)
        return nullptr;
    const AnswerCluster& cluster = m_verdict->clusters[static_cast<std::size_t>(answer.internalId()) - 1];
    return &m_samples[m_judged[cluster.members[static_cast<std::size_t>(answer.row())]]].reply;
}

QModelIndex ConsistencyModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kGroup);
}

QModelIndex ConsistencyModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == kGroup)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, kGroup);
}

int ConsistencyModel::rowCount(const QModelIndex& parent) const
{
    if (!m_verdict)
        return 0;
    if (!parent.isValid())
        return static_cast<int>(m_verdict->clusters.size());
    if (parent.internalId() != kGroup || parent.column() != 0)
        return 0;
    return static_cast<int>(m_verdict->clusters[static_cast<std::size_t>(parent.row())].members.size());
}

int ConsistencyModel::columnCount(const QModelIndex&) const
{
    return 1;
}

QVariant ConsistencyModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const bool group = index.internalId() == kGroup;
    const auto row = static_cast<std::size_t>(group ? index.row() : static_cast<int>(index.internalId()) - 1);
    const AnswerCluster& cluster = m_verdict->clusters[row];
    const std::size_t member = group ? 0 : static_cast<std::size_t>(index.row());
    const QString text = QString::fromStdString(answer(m_judged[cluster.members[member]])).trimmed();
    const int count = group ? static_cast<int>(cluster.members.size()) : 1;
    switch (role) {
    case Qt::DisplayRole:
    case TextRole:
        return text.isEmpty() ? tr("(empty answer)") : text;
    case Qt::AccessibleTextRole:
        return group ? tr("%n answer(s): ", nullptr, count) + text : text;
    case CountRole:
        return count;
    case ShareRole:
        return static_cast<double>(count) / m_verdict->total;
    case EmptyRole:
        return cluster.empty;
    case MainRole:
        return isMain(row);
    default:
        return {};
    }
}

} // namespace kaikou
