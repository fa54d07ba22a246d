#pragma once

#include "inference/generate/service.h"
#include "inference/sample/reshape.h"
#include "ui/model/reply.h"

#include <QAbstractListModel>

#include <memory>
#include <optional>
#include <vector>

namespace kaikou {

// One chosen token with all that is needed to shape its step again.
struct StepView
{
    std::shared_ptr<const StepRecord> record; // null = the logits were dropped to stay in the memory limit
    std::shared_ptr<const TextModel> text;
    std::vector<TopToken> top; // without a record: the likeliest tokens that are still known
    TokenStats stats;
    TokenId token = 0;
    std::vector<TokenId> prompt; // ids the model saw
    std::vector<TokenId> generated; // answer ids before this token
    SampleParams made; // what the reply was made with
    int index = 0; // place in the answer, from 0
    int count = 0; // tokens of the answer
};

// Token `index` of a reply; the reply's own parameters count as `made`.
[[nodiscard]] StepView stepView(const Reply& reply, int index);

// The distribution of one step under the parameters of the panel, as rows: the likeliest tokens by P_model,
// the chosen one even where it is further down, and one row for all others together. Ranks do not change with
// the parameters, so rows keep their places while a slider moves. GUI thread.
class DistributionModel : public QAbstractListModel
{
    Q_OBJECT

public:
    static constexpr int kRows = 20; // alternatives listed one by one

    enum Role
    {
        IdRole = Qt::UserRole + 1, // quint32; not for the others row
        LabelRole, // QString: the token's text
        ModelRole, // double: P_model
        SampleRole, // double: P_sample under the panel's parameters; 0 = cut
        RemovedRole, // int: StageKind that cut it, Raw (0) = kept
        RankRole, // int: 1 = likeliest
        ChosenRole, // bool: the token of the answer
        PickRole, // bool: what the same dice give now
        OthersRole, // bool: the row of all others
        CountRole, // int: tokens in this row
    };

    enum class State
    {
        Empty, // no token is selected
        Ready,
        Evicted, // only the stored numbers and the likeliest tokens are left
        Failed, // reshape refused; see error()
    };

    struct StageLine
    {
        StageKind kind = StageKind::Raw;
        int left = 0; // candidates after the stage
        int removed = 0; // by the stage
    };

    struct Segment // of the cumulative strip, in the order of the dice
    {
        TokenId token = 0;
        double from = 0.0, to = 0.0; // 0..1
    };

    struct Summary
    {
        int vocab = 0;
        int kept = 0; // candidates left under the panel's parameters
        int rank = 0;
        double surprisalBits = 0.0; // -log2 P_model of the chosen token
        double entropy = 0.0; // of P_model, nats
        double choices = 0.0; // exp(entropy)
        double choicesNow = 0.0; // exp(entropy of P_sample)
        double pModel = 0.0, pShaped = 0.0,
               pSample = 0.0; // of the chosen token, under the panel's parameters
        double u = 0.0; // the dice of this step
        TokenId pick = 0; // what the dice give under the panel's parameters
        bool greedy = false;
        bool approximate = false;
        std::vector<StageLine> stages; // in the order they were applied
        std::vector<Segment> strip; // the kept candidates until 64 or until 99.9 %
    };

    explicit DistributionModel(QObject* parent = nullptr);

    void show(StepView step);
    void clear();
    // Shapes the shown step again; no model runs.
    void setParams(const SampleParams& params);

    [[nodiscard]] State state() const noexcept { return m_state; }

    [[nodiscard]] const std::optional<StepView>& step() const noexcept { return m_step; }

    [[nodiscard]] const SampleParams& params() const noexcept { return m_params; }

    [[nodiscard]] const Summary& summary() const noexcept { return m_summary; }

    [[nodiscard]] const Error& error() const noexcept { return m_error; }

    // Candidates that would be left if only this one stage's value counted, from the current run: the last
    // stage line of that kind, none when the stage is off.
    [[nodiscard]] std::optional<StageLine> stage(StageKind kind) const;

    [[nodiscard]] QString label(TokenId id) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    // The sentence a screen reader says for a row: "2: 机器, 12 %".
    [[nodiscard]] QString accessibleRow(int row) const;

signals:
    void reshaped(); // any of state, summary or rows changed

private:
    struct Row
    {
        TokenId id = 0;
        int rank = 0;
        int count = 1;
        double model = 0.0, sample = 0.0;
        StageKind removedBy = StageKind::Raw;
        bool chosen = false, pick = false, others = false;
    };

    void compute();
    [[nodiscard]] std::vector<Row> makeRows(const Explained& explained) const;
    [[nodiscard]] std::vector<Row> storedRows() const;
    void replaceRows(std::vector<Row> rows);

    std::optional<StepView> m_step;
    SampleParams m_params;
    State m_state = State::Empty;
    Summary m_summary;
    Error m_error;
    std::vector<Row> m_rows;
};

// The stage's name in the user's language.
[[nodiscard]] QString stageName(StageKind kind);

// What cut a candidate: only greedy choice cuts at the last stage.
[[nodiscard]] QString cutName(StageKind kind);

// "64 %", "0.3 %", "< 0.01 %": short and never a false 0 or 100.
[[nodiscard]] QString percent(double probability);

} // namespace kaikou
