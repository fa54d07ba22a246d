#pragma once

#include "inference/base/result.h"
#include "inference/sample/reshape.h"
#include "inference/sample/stages.h"
#include "inference/sample/statistics.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kaikou {

// All that decides one step besides the dice. Borrowed for the call.
struct StepInput
{
    std::span<const float> logits; // [vocab], raw
    const SampleParams& params;
    const History& history;
    const SpecialIds& special;
    std::uint64_t step = 0;
};

// One row through the stages of its semantics: the only implementation behind the sampler, scoring and the
// ledger, so that they cannot differ. Holds the scratch; one thread at a time.
class Pipeline
{
public:
    // Called after each active stage; the pipeline's row is in the state that stage left.
    using Observer = std::function<void(StageKind)>;

    // Runs every stage up to the dice. Errors: NonFiniteLogits (where = "step N, id M").
    [[nodiscard]] Result<void> run(const StepInput& input, const Observer& observer = {});

    // First kept candidate, most likely first, whose cumulative mass exceeds floor(u * total).
    [[nodiscard]] TokenId pick(double u);

    // The numbers of `token` under the last run.
    [[nodiscard]] TokenStats stats(TokenId token, double u) const;

    [[nodiscard]] bool greedy() const noexcept { return m_greedy; }

    [[nodiscard]] const Row& row() const noexcept { return m_row; }

    // The row P_model is the softmax of: the input, or the end tokens alone where the input allows nothing.
    [[nodiscard]] std::span<const float> modelLogits() const noexcept { return m_model; }

    // P_shaped is the softmax of row().logits at this temperature.
    [[nodiscard]] double shapedTemperature() const noexcept { return m_shapedTemperature; }

    // [vocab] distribution at this point of the run; the observer's view.
    [[nodiscard]] std::vector<double> probabilities();

    // P_sample: mass / total of a kept candidate, else 0.
    [[nodiscard]] double sampleProbability(TokenId token) const;

private:
    [[nodiscard]] Result<void> start(const StepInput& input);
    [[nodiscard]] bool active(StageKind kind) const;
    void applyLogitStage(StageKind kind);
    void applyCandidateStage(StageKind kind);
    [[nodiscard]] Result<void> beginCandidates();
    [[nodiscard]] bool rescueEnd();
    void finish();
    void needMasses();

    const StepInput* m_input = nullptr; // during run only
    const SemanticsRules* m_rules = nullptr;
    Row m_row;
    std::vector<float> m_rescued;
    std::span<const float> m_model;
    const SpecialIds* m_special = nullptr;
    float m_wantedTemperature = 1.0F; // of the request; 1 where it does not apply
    float m_temperature = 1.0F; // of the masses at this point of the order
    double m_shapedTemperature = 1.0;
    bool m_greedy = false;
    bool m_collected = false; // the candidates exist
    bool m_logitsChanged = false; // some logit stage was active
};

} // namespace kaikou
