#pragma once

#include "inference/backend/backend.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace kaikou::test {

// What a FakeModel was asked to do. Read by the test, written by the engine thread.
struct FakeCounters
{
    std::atomic<std::uint32_t> steps {0}, cancelledSteps {0}, rows {0}, copies {0};
    std::atomic<std::uint32_t> largestStep {0}; // rows
    std::atomic<std::uint32_t> openSlots {0};
    std::atomic<std::uint32_t> heldRows {0}; // of all open slots
    std::atomic<std::uint32_t> contractErrors {0}; // gaps, closed slots, positions out of range
    std::atomic<std::uint32_t> closedModels {0};
};

// How a FakeModel behaves beyond being a model.
struct FakeScript
{
    std::uint32_t vocab = 300;
    std::uint32_t context = 128;
    std::uint32_t slotCount = 8;
    Family family = Family::Llama;
    std::uint32_t kvHeads = 2;
    // Which token follows these; empty = as the hash has it.
    std::function<std::optional<TokenId>(std::span<const TokenId>)> next;
    // Called before the rows are computed; an error ends the step, an exception passes through.
    std::function<Result<void>(std::uint32_t step, std::span<const BatchRow>)> before;
    std::uint32_t rowMicroseconds = 0; // time of a row, broken off when the step is cancelled
    std::uint32_t rewindLimit = UINT32_MAX; // copying and cutting keep at most so many rows, as windows do
    TokenId nanAfter = UINT32_MAX; // logits after this token are not finite
};

// A model whose logits are a hash of all (id, ropePosition) rows below: any stale, foreign or misplaced row
// changes every number after it. Rows beyond a slot's length are poisoned.
class FakeModel final : public Model
{
public:
    FakeModel(FakeScript script, std::shared_ptr<FakeCounters> counters)
        : m_script(std::move(script))
        , m_counters(std::move(counters))
        , m_slots(m_script.slotCount)
    {
        m_info.config.family = m_script.family;
        m_info.config.vocabRows = m_script.vocab;
        m_info.config.context = m_script.context;
        m_info.config.kvHeads = m_script.kvHeads;
        m_info.context = m_script.context;
        m_info.slotCount = m_script.slotCount;
        m_info.backend = "fake";
        m_info.device = "hash";
    }

    ~FakeModel() override { ++m_counters->closedModels; }

    const ModelInfo& info() const override { return m_info; }

    Result<KvSlot> openSlot(std::uint32_t capacityTokens) override
    {
        for (std::uint32_t i = 0; i < m_slots.size(); ++i) {
            if (m_slots[i].open)
                continue;
            m_slots[i] = Slot {true, 0, std::vector<Row>(capacityTokens)};
            ++m_counters->openSlots;
            return KvSlot {i};
        }
        return Error {ErrorCode::OutOfMemory, "no slot", {}};
    }

    void closeSlot(KvSlot slot) override
    {
        check(at(slot).open);
        shorten(at(slot), 0);
        at(slot) = {};
        --m_counters->openSlots;
    }

    Result<std::uint32_t> copyKv(KvSlot from, KvSlot to, std::uint32_t tokens) override
    {
        check(from != to && at(from).open && at(to).open && tokens <= at(from).length);
        tokens = std::min(tokens, m_script.rewindLimit);
        std::copy_n(at(from).rows.begin(), tokens, at(to).rows.begin());
        m_counters->heldRows += tokens > at(to).length ? tokens - at(to).length : 0;
        at(to).length = std::max(at(to).length, tokens);
        shorten(at(to), tokens);
        ++m_counters->copies;
        return tokens;
    }

    std::uint32_t truncateKv(KvSlot slot, std::uint32_t tokens) override
    {
        check(at(slot).open);
        if (tokens < at(slot).length)
            shorten(at(slot), std::min(tokens, m_script.rewindLimit));
        return at(slot).length;
    }

    Result<LogitsRows> step(std::span<const BatchRow> rows, std::stop_token cancel) override
    {
        const std::uint32_t number = m_counters->steps++;
        m_counters->rows += static_cast<std::uint32_t>(rows.size());
        m_counters->largestStep
            = std::max<std::uint32_t>(m_counters->largestStep, static_cast<std::uint32_t>(rows.size()));
        if (m_script.before) {
            if (Result<void> allowed = m_script.before(number, rows); !allowed)
                return allowed.error();
        }
        m_logits.clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            place(rows, i);
            if (m_script.rowMicroseconds > 0)
                std::this_thread::sleep_for(std::chrono::microseconds(m_script.rowMicroseconds));
            if (cancel.stop_requested()) {
                ++m_counters->cancelledSteps;
                return Error {ErrorCode::Cancelled, "cancelled", {}};
            }
            if (rows[i].output == Output::Logits)
                appendLogits(at(rows[i].slot));
        }
        return LogitsRows {m_logits, m_script.vocab};
    }

private:
    struct Row
    {
        TokenId id = 0;
        std::uint32_t rope = 0;
        bool poison = true;
    };

    struct Slot
    {
        bool open = false;
        std::uint32_t length = 0;
        std::vector<Row> rows;
    };

    Slot& at(KvSlot slot) { return m_slots.at(static_cast<std::uint32_t>(slot)); }

    void check(bool holds)
    {
        if (!holds)
            ++m_counters->contractErrors;
    }

    void shorten(Slot& slot, std::uint32_t tokens)
    {
        m_counters->heldRows -= slot.length - std::min(slot.length, tokens);
        for (std::uint32_t i = tokens; i < slot.length; ++i)
            slot.rows[i] = Row {};
        slot.length = std::min(slot.length, tokens);
    }

    void place(std::span<const BatchRow> rows, std::size_t index)
    {
        const BatchRow& row = rows[index];
        Slot& slot = at(row.slot);
        check(slot.open && row.kvRow == slot.length && row.kvRow < slot.rows.size());
        check(row.token < m_script.vocab);
        for (std::size_t j = 0; j + 1 < index; ++j) // rows of one slot are adjacent
            check(rows[j].slot != row.slot || rows[index - 1].slot == row.slot);
        slot.rows.at(row.kvRow) = {row.token, row.ropePosition, false};
        slot.length = row.kvRow + 1;
        ++m_counters->heldRows;
    }

    static std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    void appendLogits(const Slot& slot)
    {
        std::uint64_t hash = 1;
        std::vector<TokenId> ids;
        bool poisoned = false;
        for (std::uint32_t i = 0; i < slot.length; ++i) {
            const Row& row = slot.rows[i];
            poisoned = poisoned || row.poison || row.id == m_script.nanAfter;
            hash = mix(hash * 31 + row.id * 0x9E3779B97F4A7C15ULL + (std::uint64_t {row.rope} << 40) + i);
            ids.push_back(row.id);
        }
        const std::size_t begin = m_logits.size();
        for (std::uint32_t v = 0; v < m_script.vocab; ++v) {
            const std::uint64_t word = mix(hash + (v + 1) * 0x9E3779B97F4A7C15ULL);
            m_logits.push_back(static_cast<float>(static_cast<double>(word >> 40) / (1 << 24) * 10.0 - 5.0));
        }
        if (m_script.next)
            if (const std::optional<TokenId> wanted = m_script.next(ids))
                m_logits[begin + *wanted] = 40.0F;
        if (poisoned)
            m_logits[begin] = std::numeric_limits<float>::quiet_NaN();
    }

    FakeScript m_script;
    std::shared_ptr<FakeCounters> m_counters;
    ModelInfo m_info;
    std::vector<Slot> m_slots;
    std::vector<float> m_logits;
};

} // namespace kaikou::test
