#include "inference/load/weight_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace kaikou {

namespace {

constexpr std::size_t kChunk = std::size_t {1} << 20;
constexpr std::size_t kMaxWarnings = 10;

// Four independent lanes of multiply and rotate over 32-byte blocks, after the pattern of XXH64 (Y. Collet).
// Fast and well mixed, not secure.
class Hash
{
public:
    void add(std::uint64_t word) { m_lanes[0] = round(m_lanes[0], word); }

    void add(std::span<const std::byte> bytes)
    {
        while (bytes.size() >= sizeof(m_lanes)) {
            block(bytes.data());
            bytes = bytes.subspan(sizeof(m_lanes));
        }
        if (!bytes.empty()) {
            std::array<std::byte, sizeof(m_lanes)> last {};
            std::copy(bytes.begin(), bytes.end(), last.begin());
            block(last.data());
        }
        add(bytes.size());
    }

    [[nodiscard]] std::string hex() const
    {
        std::uint64_t value = 0;
        for (const std::uint64_t lane : m_lanes)
            value = round(value, lane);
        value ^= value >> 33;
        value *= kSecond;
        value ^= value >> 29;
        constexpr std::string_view kHex = "0123456789abcdef";
        std::string text;
        for (int shift = 60; shift >= 0; shift -= 4)
            text += kHex[(value >> shift) & 15];
        return text;
    }

private:
    static constexpr std::uint64_t kFirst = 0x9E3779B185EBCA87;
    static constexpr std::uint64_t kSecond = 0xC2B2AE3D27D4EB4F;

    static std::uint64_t round(std::uint64_t lane, std::uint64_t word)
    {
        return std::rotl(lane + word * kSecond, 31) * kFirst;
    }

    void block(const std::byte* bytes)
    {
        std::array<std::uint64_t, 4> words;
        std::memcpy(words.data(), bytes, sizeof(words));
        for (std::size_t i = 0; i < words.size(); ++i)
            m_lanes[i] = round(m_lanes[i], words[i]);
    }

    std::array<std::uint64_t, 4> m_lanes = {1, 2, 3, 4};
};

// Numbers whose exponent bits are all ones: NaN and infinity.
template <class Bits>
std::size_t countNonFinite(std::span<const std::byte> bytes, Bits exponent)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at + sizeof(Bits) <= bytes.size(); at += sizeof(Bits)) {
        Bits bits;
        std::memcpy(&bits, bytes.data() + at, sizeof(Bits));
        count += (bits & exponent) == exponent ? 1U : 0U;
    }
    return count;
}

std::size_t countNonFinite(std::span<const std::byte> bytes, Dtype dtype)
{
    if (dtype == Dtype::F32)
        return countNonFinite<std::uint32_t>(bytes, 0x7F800000U);
    return countNonFinite<std::uint16_t>(bytes, dtype == Dtype::F16 ? 0x7C00U : 0x7F80U);
}

void addConfig(Hash& hash, const ModelConfig& config)
{
    for (const std::uint32_t value : {static_cast<std::uint32_t>(config.family),
             static_cast<std::uint32_t>(config.norm), static_cast<std::uint32_t>(config.mlp), config.layers,
             config.width, config.heads, config.kvHeads, config.headSize, config.feedForward,
             config.vocabRows, config.context, static_cast<std::uint32_t>(config.rope.scaling)})
        hash.add(value);
    for (const float value : {config.normEps, config.rope.base, config.rope.factor,
             config.rope.lowFrequencyFactor, config.rope.highFrequencyFactor, config.rope.originalContext})
        hash.add(std::bit_cast<std::uint32_t>(value));
}

} // namespace

Result<void> scanWeights(Checkpoint& checkpoint, const Progress& progress)
{
    const std::vector<const Tensor*> tensors = allTensors(checkpoint.weights);
    std::size_t total = 1;
    for (const Tensor* tensor : tensors)
        total += tensor->bytes.size();
    Hash hash;
    addConfig(hash, checkpoint.config);
    std::size_t done = 0;
    std::size_t bad = 0;
    for (const Tensor* tensor : tensors) {
        for (const std::uint64_t word : {std::uint64_t {static_cast<std::uint8_t>(tensor->dtype)},
                 std::uint64_t {tensor->rows}, std::uint64_t {tensor->cols}})
            hash.add(word);
        std::size_t nonFinite = 0;
        for (std::size_t at = 0; at < tensor->bytes.size(); at += kChunk) {
            if (progress.stop.stop_requested())
                return Error {ErrorCode::Cancelled, "loading was cancelled", checkpoint.path};
            const auto chunk = tensor->bytes.subspan(at, std::min(kChunk, tensor->bytes.size() - at));
            hash.add(chunk);
            nonFinite += countNonFinite(chunk, tensor->dtype);
        }
        if (nonFinite != 0 && bad++ < kMaxWarnings)
            checkpoint.warnings.push_back({ErrorCode::NonFiniteWeights,
                std::to_string(nonFinite) + " numbers of tensor \"" + tensor->name + "\" are NaN or infinite",
                tensor->name});
        const std::size_t before = done * 100 / total;
        done += tensor->bytes.size();
        if (done * 100 / total != before)
            progress(static_cast<double>(done) / static_cast<double>(total));
    }
    checkpoint.fingerprint = hash.hex();
    checkpoint.parameters = parameterCount(checkpoint.weights);
    return {};
}

} // namespace kaikou
