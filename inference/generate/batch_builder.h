#pragma once

#include "inference/backend/backend.h"
#include "inference/generate/engine_options.h"
#include "inference/generate/prefix_cache.h"
#include "inference/generate/sequence.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kaikou {

// Chooses the rows of one step: every decoding sequence first, then chunks of the prompts in turn.
// Takes the events that the rows will make from Job::room; a ticket without room has no rows. Engine thread.
class BatchBuilder
{
public:
    struct Part
    {
        Sequence* sequence = nullptr;
        std::uint32_t first = 0; // row of the sequence
        std::uint32_t count = 0;
    };

    explicit BatchBuilder(BatchLimits limits)
        : m_limits(limits)
    {
    }

    void build(std::span<const std::unique_ptr<Sequence>> live, const PrefixCache& cache);

    [[nodiscard]] std::span<const BatchRow> rows() const noexcept { return m_rows; }

    [[nodiscard]] std::span<const Part> parts() const noexcept { return m_parts; } // in the order of rows()

    void measured(double stepMs, std::size_t rowCount); // how long a step of so many rows took

    [[nodiscard]] std::uint32_t prefillBudget(std::uint32_t decodeRows) const;

private:
    void add(Sequence& sequence, std::uint32_t most, const PrefixCache& cache);

    BatchLimits m_limits;
    std::vector<BatchRow> m_rows;
    std::vector<Part> m_parts;
    std::vector<Sequence*> m_prefilling;
    std::size_t m_turn = 0; // whose prompt comes first
    double m_rowMs = 0.0; // moving mean
};

} // namespace kaikou
