#pragma once

#include "inference/backend/cpu/cpu_backend.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace kaikou::test {

using Logits = std::vector<float>;

inline std::unique_ptr<Model> loadModel(
    const Checkpoint& checkpoint, const LoadOptions& options = {}, const CpuBackendOptions& backend = {})
{
    auto model = CpuBackend(backend).load(checkpoint, options, {});
    return model.ok() ? std::move(model).value() : nullptr;
}

// Rows that continue `slot` from `length` at true positions; logits for the last, or for all.
inline std::vector<BatchRow> rowsFor(
    KvSlot slot, std::uint32_t length, std::span<const TokenId> tokens, bool logitsOfAll = false)
{
    std::vector<BatchRow> rows;
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
        const bool wanted = logitsOfAll || i + 1 == tokens.size();
        rows.push_back({slot, length + i, length + i, tokens[i], wanted ? Output::Logits : Output::None});
    }
    return rows;
}

// Logits after every token, the tokens given to the model `chunk` at a time.
inline std::vector<Logits> logitsByChunks(Model& model, std::span<const TokenId> tokens, std::uint32_t chunk)
{
    std::vector<Logits> all;
    auto slot = model.openSlot(model.info().context);
    if (!slot.ok())
        return all;
    for (std::uint32_t from = 0; from < tokens.size(); from += chunk) {
        const auto part = tokens.subspan(from, std::min<std::size_t>(chunk, tokens.size() - from));
        const auto result = model.step(rowsFor(*slot, from, part, true), {});
        for (std::size_t i = 0; result.ok() && i < part.size(); ++i) {
            const auto row = result->row(i);
            all.emplace_back(row.begin(), row.end());
        }
    }
    model.closeSlot(*slot);
    return all;
}

inline bool sameBits(std::span<const float> a, std::span<const float> b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

inline bool sameBits(const std::vector<Logits>& a, const std::vector<Logits>& b)
{
    return a.size() == b.size()
        && std::equal(a.begin(), a.end(), b.begin(),
            [](const Logits& x, const Logits& y) { return sameBits(std::span(x), std::span(y)); });
}

inline std::vector<TokenId> someTokens(std::uint32_t count, std::uint32_t vocabRows, std::uint32_t seed)
{
    std::vector<TokenId> tokens;
    for (std::uint32_t i = 0; i < count; ++i)
        tokens.push_back((i * 37 + seed * 101 + i * i * 7) % vocabRows);
    return tokens;
}

} // namespace kaikou::test
