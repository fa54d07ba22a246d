#include "inference/sample/step_record.h"

#include "inference/base/half.h"
#include "inference/sample/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kaikou {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

void keepTop(RawLogits& raw, std::span<const float> logits)
{
    std::vector<TokenId> ids(logits.size());
    std::iota(ids.begin(), ids.end(), TokenId {0});
    const std::size_t count = std::min<std::size_t>(kTopRecordSize, ids.size());
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(count);
    const auto better
        = [logits](TokenId a, TokenId b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; };
    std::nth_element(ids.begin(), end - 1, ids.end(), better);
    std::sort(ids.begin(), end, better);
    raw.ids.assign(ids.begin(), end);
    raw.f32.reserve(count);
    for (const TokenId id : raw.ids)
        raw.f32.push_back(logits[id]);
}

} // namespace

RawLogits RawLogits::keep(std::span<const float> logits, RecordForm form)
{
    RawLogits raw;
    raw.form = form;
    raw.vocab = static_cast<std::uint32_t>(logits.size());
    raw.max = kMinusInfinity;
    for (const float logit : logits)
        raw.max = std::max(raw.max, logit);
    raw.logSumExp
        = std::isfinite(raw.max) ? summarise(logits, 1.0).logSumExp() : static_cast<double>(kMinusInfinity);
    switch (form) {
    case RecordForm::F32:
        raw.f32.assign(logits.begin(), logits.end());
        break;
    case RecordForm::F16:
        raw.f16.reserve(logits.size());
        for (const float logit : logits)
            raw.f16.push_back(floatToHalf(logit == kMinusInfinity ? logit : logit - raw.max));
        break;
    case RecordForm::Top:
        if (!logits.empty())
            keepTop(raw, logits);
        break;
    }
    return raw;
}

std::uint64_t RawLogits::bytes() const noexcept
{
    return f32.size() * sizeof(float) + f16.size() * sizeof(std::uint16_t) + ids.size() * sizeof(TokenId);
}

std::vector<float> RawLogits::widen() const
{
    if (form == RecordForm::F32)
        return f32;
    std::vector<float> logits(vocab, kMinusInfinity);
    if (form == RecordForm::F16)
        for (std::size_t i = 0; i < f16.size(); ++i)
            logits[i] = halfToFloat(f16[i]) + max;
    else
        for (std::size_t i = 0; i < ids.size(); ++i)
            logits[ids[i]] = f32[i];
    return logits;
}

std::vector<TopToken> topTokens(const RawLogits& logits, std::size_t count)
{
    std::vector<TopToken> top;
    const auto probability
        = [&logits](float logit) { return std::exp(static_cast<double>(logit) - logits.logSumExp); };
    if (logits.form == RecordForm::Top) {
        for (std::size_t i = 0; i < std::min(count, logits.ids.size()); ++i)
            top.push_back({logits.ids[i], probability(logits.f32[i])});
        return top;
    }
    const std::vector<float> widened = logits.exact() ? std::vector<float> {} : logits.widen();
    const std::span<const float> values = logits.exact() ? logits.f32 : widened;
    std::vector<TokenId> ids(values.size());
    std::iota(ids.begin(), ids.end(), TokenId {0});
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, ids.size()));
    std::partial_sort(ids.begin(), end, ids.end(),
        [values](TokenId a, TokenId b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
    for (auto id = ids.begin(); id != end; ++id)
        top.push_back({*id, probability(values[*id])});
    return top;
}

RecordForm chooseRecordForm(
    std::uint32_t vocab, std::uint64_t maxTokens, std::uint64_t siblings, std::uint64_t limitBytes) noexcept
{
    // In double: the product may exceed 64 bits, and the bounds are far from its rounding.
    const double values = static_cast<double>(vocab) * static_cast<double>(maxTokens)
        * static_cast<double>(std::max<std::uint64_t>(siblings, 1));
    const double half = static_cast<double>(limitBytes) / 2.0;
    if (values * sizeof(float) <= half)
        return RecordForm::F32;
    return values * sizeof(std::uint16_t) <= half ? RecordForm::F16 : RecordForm::Top;
}

} // namespace kaikou
