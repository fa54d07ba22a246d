#pragma once

#include "inference/generate/events.h"
#include "inference/generate/service.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace kaikou {

// The status line: which model on which device, how fast the last reply was, how full context and record
// memory are.
class MetricsBar : public QWidget
{
    Q_OBJECT

public:
    explicit MetricsBar(QWidget* parent = nullptr);

    void setModel(const std::optional<Capabilities>& model); // none = no model
    void setState(const QString& text); // "generating", "loading 40 %"; empty = idle
    void setReply(const std::optional<Metrics>& metrics, std::uint64_t seed);
    void setContext(std::uint32_t used, std::uint32_t limit); // tokens; limit 0 = unknown
    void setRecords(std::uint64_t used, std::uint64_t limit); // bytes

    [[nodiscard]] QString text() const; // all chips, for tests and diagnostics

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Chip
    {
        Model,
        Backend,
        State,
        Ttft,
        Tpot,
        Speed,
        Tokens,
        Seed,
        Context,
        Records,
        ChipCount
    };

    void refresh();
    void refreshReply();
    void setChip(Chip chip, const QString& text, const QString& help);
    void fit(); // hides the least important chips where there is no room for all

    QLabel* m_chips[ChipCount] = {};
    std::optional<Capabilities> m_model;
    QString m_state;
    std::optional<Metrics> m_metrics;
    std::uint64_t m_seed = 0;
    std::uint32_t m_contextUsed = 0, m_contextLimit = 0;
    std::uint64_t m_recordsUsed = 0, m_recordsLimit = 0;
};

} // namespace kaikou
