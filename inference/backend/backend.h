#pragma once

#include "inference/base/progress.h"
#include "inference/base/result.h"
#include "inference/model/checkpoint.h"
#include "inference/model/ids.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

// Seam 1: advance sequences by tokens, get rows of logits.
namespace kaikou {

enum class KvSlot : std::uint32_t
{
};

enum class Output : std::uint8_t
{
    None,
    Logits
};

// One token to compute. Rows of one slot are adjacent and kvRow ascends without gaps from the slot's length;
// masks use kvRow, rotation uses ropePosition, which only Sequence sets.
struct BatchRow
{
    KvSlot slot {};
    std::uint32_t kvRow = 0;
    std::uint32_t ropePosition = 0;
    TokenId token = 0;
    Output output = Output::None;
};

// Logits of the rows that asked for them, in batch order.
struct LogitsRows
{
    std::span<const float> values; // [rows with Output::Logits, vocabRows], f32; valid until the next step
    std::uint32_t vocabRows = 0;

    [[nodiscard]] std::span<const float> row(std::size_t index) const
    {
        return values.subspan(index * vocabRows, vocabRows);
    }
};

enum class Precision : std::uint8_t
{
    Auto,
    Exact
};
enum class KvType : std::uint8_t
{
    Auto,
    F32,
    F16
};

struct LoadOptions
{
    Precision precision = Precision::Auto;
    KvType kv = KvType::Auto; // Auto: f32 for models of at most 10 M parameters and at Exact, f16 otherwise
    std::uint32_t context = 0; // positions per slot; 0 = min(the model's, 4096)
    std::uint32_t slotCount = 8; // sequences that can run at once; shrinks to the memory budget
    std::uint32_t threads = 0; // 0 = physical cores, at most the affinity count
    std::uint32_t contextLimit = 4096; // what `context = 0` means at most
};

struct MemoryNeed
{
    std::uint64_t weights = 0, kv = 0, scratch = 0; // bytes

    [[nodiscard]] std::uint64_t total() const noexcept { return weights + kv + scratch; }
};

struct BackendInfo
{
    std::string name; // "cpu", "cuda"
    std::string device; // "AVX2"
    std::uint32_t threads = 0; // worker threads of a CPU; 0 = not a matter of threads
    std::uint64_t memoryTotal = 0, memoryFree = 0; // bytes; 0 = unknown
};

struct ModelInfo
{
    ModelConfig config;
    std::uint32_t context = 0; // positions per slot as granted
    std::uint32_t slotCount = 0;
    MemoryNeed memory;
    std::string backend; // "cpu"
    std::string device;
    std::uint32_t threads = 0; // as in BackendInfo
    Precision precision = Precision::Auto;
    KvType kv = KvType::F32;
    bool batchInvariant = true; // a row's logits do not depend on its neighbours, bit for bit
};

// Weights and KV cache on one device. Used by one thread at a time, the engine thread.
// After an error from step, the slots it touched are dirty: close them, never reuse them.
class Model
{
public:
    virtual ~Model() = default;

    [[nodiscard]] virtual const ModelInfo& info() const = 0;

    // A free slot with room for capacityTokens (<= info().context) rows. OutOfMemory when all slots are
    // taken.
    [[nodiscard]] virtual Result<KvSlot> openSlot(std::uint32_t capacityTokens) = 0;
    virtual void closeSlot(KvSlot slot) = 0;

    // Copies the first `tokens` rows of `from` over `to` (which then has exactly the returned length).
    [[nodiscard]] virtual Result<std::uint32_t> copyKv(KvSlot from, KvSlot to, std::uint32_t tokens) = 0;

    // Shortens the slot to at most `tokens` rows; returns the length really kept.
    virtual std::uint32_t truncateKv(KvSlot slot, std::uint32_t tokens) = 0;

    // Computes all rows; Cancelled when `cancel` fires first (roll back with truncateKv to the lengths
    // before).
    [[nodiscard]] virtual Result<LogitsRows> step(std::span<const BatchRow> rows, std::stop_token cancel) = 0;
};

// Makes Models on one kind of device. Any thread.
class Backend
{
public:
    virtual ~Backend() = default;

    [[nodiscard]] virtual BackendInfo info() const = 0;
    [[nodiscard]] virtual Result<MemoryNeed> estimate(
        const Checkpoint& checkpoint, const LoadOptions& options) const = 0;

    // Repacks the weights into memory of its own: the checkpoint may go once this returns.
    [[nodiscard]] virtual Result<std::unique_ptr<Model>> load(
        const Checkpoint& checkpoint, const LoadOptions& options, const Progress& progress)
        = 0;
};

} // namespace kaikou
