#include "inference/model/weights.h"

namespace kaikou {

std::vector<const Tensor*> allTensors(const Weights& weights)
{
    std::vector<const Tensor*> tensors;
    const auto add = [&](const Tensor& tensor) {
        if (!tensor.empty())
            tensors.push_back(&tensor);
    };
    add(weights.embedding);
    for (const LayerWeights& layer : weights.layers)
        for (const Tensor* tensor : {&layer.attentionNorm, &layer.q, &layer.qBias, &layer.k, &layer.kBias,
                 &layer.v, &layer.vBias, &layer.output, &layer.outputBias, &layer.mlpNorm, &layer.gate,
                 &layer.up, &layer.upBias, &layer.down, &layer.downBias})
            add(*tensor);
    add(weights.finalNorm);
    add(weights.head);
    return tensors;
}

std::uint64_t parameterCount(const Weights& weights)
{
    std::uint64_t count = 0;
    for (const Tensor* tensor : allTensors(weights))
        count += std::uint64_t {tensor->rows} * tensor->cols;
    return count;
}

} // namespace kaikou
