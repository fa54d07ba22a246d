#include "inference/backend/cpu/attention.h"

#include "inference/base/exp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kaikou {

namespace {

struct HeadState
{
    float max = -std::numeric_limits<float>::infinity();
    std::array<float, 8> partials {}; // of the sum of exp(score - max)
};

// At most kMaxScoreHeads heads.
void attendHeads(const KernelTable& kernels, const AttentionArgs& a)
{
    const auto format = static_cast<std::size_t>(a.format);
    const std::size_t rowBytes
        = std::size_t {a.headSize} * (a.format == KvFormat::F32 ? sizeof(float) : sizeof(std::uint16_t));
    const float scale = 1.0F / std::sqrt(static_cast<float>(a.headSize));
    alignas(32) std::array<float, std::size_t {kMaxScoreHeads} * kAttentionBlock> scores {};
    std::array<HeadState, kMaxScoreHeads> states;
    std::fill_n(a.out, std::size_t {a.group} * a.headSize, 0.0F);
    for (std::uint32_t from = 0; from < a.positions; from += kAttentionBlock) {
        const std::uint32_t count = std::min(kAttentionBlock, a.positions - from);
        const auto* k = static_cast<const std::byte*>(a.k) + from * rowBytes;
        const auto* v = static_cast<const std::byte*>(a.v) + from * rowBytes;
        kernels.scores[format]({a.q, k, scores.data(), scale, a.group, count, a.headSize});
        for (std::uint32_t h = 0; h < a.group; ++h) {
            float* s = scores.data() + std::size_t {h} * kAttentionBlock;
            HeadState& state = states[h];
            const float max = std::max(state.max, *std::max_element(s, s + count));
            const float rescale = expNonPositive(state.max - max); // 0 in the first block
            for (float& partial : state.partials)
                partial *= rescale;
            state.max = max;
            kernels.expShifted(s, count, max, state.partials.data());
            kernels.mix[format]({s, v, a.out + std::size_t {h} * a.headSize, rescale, count, a.headSize});
        }
    }
    for (std::uint32_t h = 0; h < a.group; ++h) {
        const float inverse = 1.0F / reducePartials(states[h].partials.data());
        for (std::uint32_t e = 0; e < a.headSize; ++e)
            a.out[h * a.headSize + e] *= inverse;
    }
}

} // namespace

void attend(const KernelTable& kernels, const AttentionArgs& args)
{
    for (std::uint32_t h = 0; h < args.group; h += kMaxScoreHeads) {
        AttentionArgs part = args;
        part.group = std::min(kMaxScoreHeads, args.group - h);
        part.q += std::size_t {h} * args.headSize;
        part.out += std::size_t {h} * args.headSize;
        attendHeads(kernels, part);
    }
}

} // namespace kaikou
