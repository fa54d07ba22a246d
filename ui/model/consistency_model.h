#pragma once

#include "inference/generate/service.h"
#include "inference/study/consistency.h"
#include "ui/model/reply.h"

#include <QAbstractItemModel>

#include <optional>
#include <vector>

namespace kaikou {

class GenerationBridge;

// Several answers to one question, sorted into groups that say the same: groups by size at the top level, the
// answers of a group below it. Fills while the samples arrive. GUI thread.
class ConsistencyModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Role
    {
        TextRole = Qt::UserRole + 1, // QString: the whole answer
        CountRole, // int: answers of the group, 1 for an answer
        ShareRole, // double: of the finished answers
        EmptyRole, // bool: the group of the empty answers
        MainRole, // bool: the group that counts as the answer
    };

    explicit ConsistencyModel(GenerationBridge& bridge, QObject* parent = nullptr);

    // Asks for `samples` answers in one request; forgets the results before. setup: how they are asked for;
    // the seed of sample c is setup.seed + c. Errors as submit.
    Result<void> run(Request request, const QString& question, int samples, const ReplySetup& setup);
    void cancel(); // the answers so far stay
    void clear();

    [[nodiscard]] bool running() const noexcept { return m_ticket.has_value(); }

    [[nodiscard]] int total() const noexcept { return static_cast<int>(m_samples.size()); }

    [[nodiscard]] int done() const noexcept { return m_done; }

    [[nodiscard]] const QString& question() const noexcept { return m_question; }

    // The whole answer of an answer's row, as it would stand in a chat; null for a group.
    [[nodiscard]] const Reply* sample(const QModelIndex& answer) const;

    [[nodiscard]] const std::optional<Error>& error() const noexcept { return m_error; }

    // Agreement of the finished answers; none before the first has finished.
    [[nodiscard]] const std::optional<Consistency>& verdict() const noexcept { return m_verdict; }

    // GPT_teacher's self-consistency settings on top of `base`: T 0.5, top-k 50, top-p 0.9.
    [[nodiscard]] static SampleParams gptTeacherParams(SampleParams base);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

signals:
    void changed(); // progress, verdict or state

private:
    struct Sample
    {
        Reply reply;
        bool finished = false;
    };

    void start(const Started& started);
    void append(const QList<Token>& tokens);
    void finish(const Finished& finished);
    void fail(const Failed& failed);
    void judge();
    [[nodiscard]] bool isMain(std::size_t row) const;
    [[nodiscard]] std::string answer(std::size_t sample) const;

    GenerationBridge& m_bridge;
    std::optional<Ticket> m_ticket;
    QString m_question;
    std::vector<Sample> m_samples;
    std::vector<std::size_t> m_judged; // sample of each judged answer
    int m_done = 0;
    std::optional<Error> m_error;
    std::optional<Consistency> m_verdict;
};

} // namespace kaikou
