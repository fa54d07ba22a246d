#include "ui/model/distribution_model.h"

#include "ui/model/token_label.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kaikou {

namespace {

constexpr std::size_t kStripSegments = 64;
constexpr double kStripShare = 0.999;

double entropyOf(const std::vector<double>& probs)
{
    double sum = 0.0;
    for (const double p : probs) {
        if (p > 0.0)
            sum -= p * std::log(p);
    }
    return sum;
}

int positives(const std::vector<double>& probs)
{
    return static_cast<int>(std::count_if(probs.begin(), probs.end(), [](double p) { return p > 0.0; }));
}

// Ids by P_model, the likeliest first, ties by id; only the first `count` are sorted.
std::vector<TokenId> likeliest(const std::vector<double>& probs, std::size_t count)
{
    std::vector<TokenId> ids(probs.size());
    std::iota(ids.begin(), ids.end(), TokenId {0});
    const auto before
        = [&probs](TokenId a, TokenId b) { return probs[a] != probs[b] ? probs[a] > probs[b] : a < b; };
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, ids.size()));
    std::partial_sort(ids.begin(), middle, ids.end(), before);
    ids.erase(middle, ids.end());
    return ids;
}

int rankOf(const std::vector<double>& probs, TokenId id)
{
    int better = 0;
    for (std::size_t other = 0; other < probs.size(); ++other) {
        if (probs[other] > probs[id] || (probs[other] == probs[id] && other < id))
            ++better;
    }
    return better + 1;
}

std::vector<DistributionModel::Segment> stripOf(const Explained& explained)
{
    std::vector<DistributionModel::Segment> strip;
    double sum = 0.0;
    for (const TokenId id : explained.order) {
        const double next = std::min(1.0, sum + explained.pSample[id]);
        strip.push_back({id, sum, next});
        sum = next;
        if (strip.size() == kStripSegments || sum >= kStripShare)
            break;
    }
    return strip;
}

DistributionModel::Summary summarise(const Explained& explained, const StepView& step)
{
    DistributionModel::Summary out;
    const TokenId token = step.token;
    out.vocab = static_cast<int>(explained.pModel.size());
    out.kept = static_cast<int>(explained.order.size());
    out.rank = rankOf(explained.pModel, token);
    out.pModel = explained.pModel[token];
    out.pShaped = explained.pShaped[token];
    out.pSample = explained.pSample[token];
    out.surprisalBits = -std::log2(out.pModel);
    out.entropy = entropyOf(explained.pModel);
    out.choices = std::exp(out.entropy);
    out.choicesNow = std::exp(entropyOf(explained.pSample));
    out.u = step.stats.u;
    out.pick = explained.pick;
    out.greedy = explained.greedy;
    out.approximate = explained.approximate;
    for (const Stage& stage : explained.stages)
        out.stages.push_back({stage.kind, positives(stage.probs), static_cast<int>(stage.removed.size())});
    out.strip = stripOf(explained);
    return out;
}

// What is still known when the logits are gone.
DistributionModel::Summary storedNumbers(const StepView& step)
{
    DistributionModel::Summary out;
    out.rank = static_cast<int>(step.stats.rank);
    out.kept = static_cast<int>(step.stats.kept);
    out.pModel = step.stats.pModel;
    out.pShaped = step.stats.pShaped;
    out.pSample = step.stats.pSample;
    out.surprisalBits = -std::log2(step.stats.pModel);
    out.entropy = step.stats.entropy;
    out.choices = std::exp(step.stats.entropy);
    out.choicesNow = 0.0;
    out.u = step.stats.u;
    out.pick = step.token;
    out.greedy = step.stats.greedy;
    return out;
}

} // namespace

StepView stepView(const Reply& reply, int index)
{
    const ReplyToken& token = reply.tokens[static_cast<std::size_t>(index)];
    StepView step;
    step.record = token.record;
    step.text = reply.setup.text;
    step.top = token.top;
    step.stats = token.stats;
    step.token = token.id;
    if (reply.prompt)
        step.prompt = reply.prompt->ids;
    for (int i = 0; i < index; ++i)
        step.generated.push_back(reply.tokens[static_cast<std::size_t>(i)].id);
    step.made = reply.setup.params;
    step.index = index;
    step.count = static_cast<int>(reply.tokens.size());
    return step;
}

DistributionModel::DistributionModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void DistributionModel::show(StepView step)
{
    m_step = std::move(step);
    compute();
}

void DistributionModel::clear()
{
    m_step.reset();
    compute();
}

void DistributionModel::setParams(const SampleParams& params)
{
    if (params == m_params)
        return;
    m_params = params;
    if (m_step)
        compute();
}

void DistributionModel::compute()
{
    m_summary = {};
    m_error = {};
    if (!m_step) {
        m_state = State::Empty;
        replaceRows({});
        emit reshaped();
        return;
    }
    if (!m_step->record) {
        m_state = State::Evicted;
        m_summary = storedNumbers(*m_step);
        replaceRows(storedRows());
        emit reshaped();
        return;
    }
    const StepRecord& record = *m_step->record;
    const SpecialIds special = m_step->text ? m_step->text->specialIds() : SpecialIds {};
    const auto explained = reshape(
        record.logits, m_params, {m_step->prompt, m_step->generated}, record.step, special, record.stats.u);
    if (!explained) {
        m_state = State::Failed;
        m_error = explained.error();
        m_summary = storedNumbers(*m_step);
        replaceRows({});
    } else {
        m_state = State::Ready;
        m_summary = summarise(*explained, *m_step);
        replaceRows(makeRows(*explained));
    }
    emit reshaped();
}

std::vector<DistributionModel::Row> DistributionModel::makeRows(const Explained& explained) const
{
    const TokenId token = m_step->token;
    std::vector<TokenId> ids = likeliest(explained.pModel, kRows);
    if (std::find(ids.begin(), ids.end(), token) == ids.end())
        ids.back() = token;
    std::vector<Row> rows;
    double model = 0.0;
    double sample = 0.0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const TokenId id = ids[i];
        Row row;
        row.id = id;
        row.rank = id == token ? m_summary.rank : static_cast<int>(i) + 1;
        row.model = explained.pModel[id];
        row.sample = explained.pSample[id];
        row.removedBy = explained.removedBy[id];
        row.chosen = id == token;
        row.pick = id == explained.pick;
        model += row.model;
        sample += row.sample;
        rows.push_back(row);
    }
    const int rest = static_cast<int>(explained.pModel.size() - ids.size());
    if (rest > 0) {
        Row others;
        others.others = true;
        others.count = rest;
        others.model = std::max(0.0, 1.0 - model);
        others.sample = sample > 1.0 - 1e-12 ? 0.0 : 1.0 - sample;
        rows.push_back(others);
    }
    return rows;
}

// What is left of a step without its logits; nothing is known about P_sample of the tokens not chosen.
std::vector<DistributionModel::Row> DistributionModel::storedRows() const
{
    std::vector<Row> rows;
    bool chosenListed = false;
    for (const TopToken& top : m_step->top) {
        Row row;
        row.id = top.id;
        row.rank = static_cast<int>(rows.size()) + 1;
        row.model = top.pModel;
        row.chosen = row.pick = top.id == m_step->token;
        row.sample = row.chosen ? m_step->stats.pSample : std::numeric_limits<double>::quiet_NaN();
        chosenListed = chosenListed || row.chosen;
        rows.push_back(row);
    }
    if (!rows.empty() && !chosenListed) {
        Row row;
        row.id = m_step->token;
        row.rank = m_summary.rank;
        row.model = m_step->stats.pModel;
        row.sample = m_step->stats.pSample;
        row.chosen = row.pick = true;
        rows.push_back(row);
    }
    return rows;
}

void DistributionModel::replaceRows(std::vector<Row> rows)
{
    if (rows.size() == m_rows.size() && !rows.empty()) {
        m_rows = std::move(rows);
        emit dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

std::optional<DistributionModel::StageLine> DistributionModel::stage(StageKind kind) const
{
    for (const StageLine& line : m_summary.stages) {
        if (line.kind == kind)
            return line;
    }
    return std::nullopt;
}

QString DistributionModel::label(TokenId id) const
{
    return tokenLabel(m_step ? m_step->text.get() : nullptr, id);
}

int DistributionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant DistributionModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return accessibleRow(index.row());
    case IdRole:
        return row.others ? QVariant() : QVariant(row.id);
    case LabelRole:
        return row.others ? tr("%n other(s)", nullptr, row.count) : label(row.id);
    case ModelRole:
        return row.model;
    case SampleRole:
        return row.sample;
    case RemovedRole:
        return static_cast<int>(row.removedBy);
    case RankRole:
        return row.rank;
    case ChosenRole:
        return row.chosen;
    case PickRole:
        return row.pick;
    case OthersRole:
        return row.others;
    case CountRole:
        return row.count;
    default:
        return {};
    }
}

QHash<int, QByteArray> DistributionModel::roleNames() const
{
    return {{IdRole, "id"}, {LabelRole, "label"}, {ModelRole, "pModel"}, {SampleRole, "pSample"},
        {RemovedRole, "removedBy"}, {RankRole, "rank"}, {ChosenRole, "chosen"}, {PickRole, "pick"},
        {OthersRole, "others"}, {CountRole, "count"}};
}

QString DistributionModel::accessibleRow(int row) const
{
    const Row& entry = m_rows[static_cast<std::size_t>(row)];
    if (entry.others)
        return tr("%n other(s)", nullptr, entry.count) + QStringLiteral(", ") + percent(entry.model);
    QString text = tr("%1: %2, %3").arg(entry.rank).arg(label(entry.id), percent(entry.model));
    if (entry.removedBy != StageKind::Raw)
        text += QStringLiteral(", ") + tr("cut by %1").arg(cutName(entry.removedBy));
    else if (!std::isnan(entry.sample))
        text += QStringLiteral(", ") + tr("now %1").arg(percent(entry.sample));
    if (entry.chosen)
        text += QStringLiteral(", ") + tr("chosen");
    return text;
}

QString stageName(StageKind kind)
{
    switch (kind) {
    case StageKind::Raw:
        return DistributionModel::tr("model");
    case StageKind::Bias:
        return DistributionModel::tr("bias");
    case StageKind::Mask:
        return DistributionModel::tr("mask");
    case StageKind::MinTokens:
        return DistributionModel::tr("min tokens");
    case StageKind::Repetition:
        return DistributionModel::tr("repetition penalty");
    case StageKind::FrequencyPresence:
        return DistributionModel::tr("frequency and presence");
    case StageKind::Temperature:
        return DistributionModel::tr("temperature");
    case StageKind::TopK:
        return DistributionModel::tr("top-k");
    case StageKind::TopP:
        return DistributionModel::tr("top-p");
    case StageKind::MinP:
        return DistributionModel::tr("min-p");
    case StageKind::Dice:
        return DistributionModel::tr("dice");
    }
    return {};
}

QString cutName(StageKind kind)
{
    return kind == StageKind::Dice ? DistributionModel::tr("greedy") : stageName(kind);
}

QString percent(double probability)
{
    const double value = probability * 100.0;
    const QLocale locale;
    if (value <= 0.0)
        return QStringLiteral("0 %");
    if (value < 0.01)
        return QStringLiteral("< ") + locale.toString(0.01, 'f', 2) + QStringLiteral(" %");
    if (value < 1.0)
        return locale.toString(value, 'f', 2) + QStringLiteral(" %");
    if (value < 10.0 || (value > 99.0 && value < 100.0))
        return locale.toString(std::min(value, value < 100.0 ? 99.9 : 100.0), 'f', 1) + QStringLiteral(" %");
    return locale.toString(value, 'f', 0) + QStringLiteral(" %");
}

} // namespace kaikou
