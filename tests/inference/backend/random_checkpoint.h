#pragma once

#include "inference/base/half.h"
#include "inference/model/checkpoint.h"

#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace kaikou::test {

// Random weights of any shape, so that equalities can be tested where no golden exists.
struct RandomModel
{
    ModelConfig config;
    Dtype dtype = Dtype::F32;
    bool tied = true;
    bool biases = false;
    std::uint64_t parameters = 0; // told to the backend: more than 10 M keeps 16-bit weights and f16 KV
};

inline ModelConfig smallConfig()
{
    ModelConfig c;
    c.layers = 2;
    c.width = 44; // no multiple of 8 anywhere on purpose
    c.heads = 4;
    c.kvHeads = 2;
    c.headSize = 12;
    c.feedForward = 61;
    c.vocabRows = 53;
    c.context = 160;
    return c;
}

class RandomWeights
{
public:
    explicit RandomWeights(Dtype dtype)
        : m_dtype(dtype)
    {
    }

    Tensor tensor(std::uint32_t rows, std::uint32_t cols, float mean, float spread)
    {
        std::normal_distribution<float> normal(mean, spread);
        const std::uint32_t step = bytesPerElement(m_dtype);
        auto bytes = std::make_shared<std::vector<std::byte>>(std::size_t {rows} * cols * step);
        for (std::size_t i = 0; i < std::size_t {rows} * cols; ++i) {
            const float value = normal(m_random);
            const std::uint16_t bits = m_dtype == Dtype::F16 ? floatToHalf(value) : floatToBfloat(value);
            if (m_dtype == Dtype::F32)
                std::memcpy(bytes->data() + i * step, &value, step);
            else
                std::memcpy(bytes->data() + i * step, &bits, step);
        }
        Tensor tensor;
        tensor.name = "random";
        tensor.dtype = m_dtype;
        tensor.rows = rows;
        tensor.cols = cols;
        tensor.bytes = *bytes;
        tensor.owner = bytes;
        return tensor;
    }

private:
    Dtype m_dtype;
    std::mt19937 m_random {7};
};

inline Checkpoint randomCheckpoint(const RandomModel& model)
{
    const ModelConfig& c = model.config;
    RandomWeights random(model.dtype);
    const auto matrix = [&](std::uint32_t rows, std::uint32_t cols) {
        return random.tensor(rows, cols, 0.0F, 1.5F / std::sqrt(static_cast<float>(cols)));
    };
    const auto norm = [&](std::uint32_t size) { return random.tensor(1, size, 1.0F, 0.2F); };
    const auto bias
        = [&](std::uint32_t size) { return model.biases ? random.tensor(1, size, 0.0F, 0.3F) : Tensor {}; };
    Checkpoint checkpoint;
    checkpoint.name = "random";
    checkpoint.config = c;
    checkpoint.parameters = model.parameters;
    checkpoint.weights.embedding = random.tensor(c.vocabRows, c.width, 0.0F, 1.0F);
    for (std::uint32_t i = 0; i < c.layers; ++i) {
        LayerWeights layer;
        layer.attentionNorm = norm(c.width);
        layer.q = matrix(c.heads * c.headSize, c.width);
        layer.k = matrix(c.kvHeads * c.headSize, c.width);
        layer.v = matrix(c.kvHeads * c.headSize, c.width);
        layer.qBias = bias(c.heads * c.headSize);
        layer.kBias = bias(c.kvHeads * c.headSize);
        layer.vBias = bias(c.kvHeads * c.headSize);
        layer.output = matrix(c.width, c.heads * c.headSize);
        layer.outputBias = bias(c.width);
        layer.mlpNorm = norm(c.width);
        if (c.mlp == MlpKind::SwiGlu)
            layer.gate = matrix(c.feedForward, c.width);
        layer.up = matrix(c.feedForward, c.width);
        layer.upBias = bias(c.feedForward);
        layer.down = matrix(c.width, c.feedForward);
        layer.downBias = bias(c.width);
        checkpoint.weights.layers.push_back(layer);
    }
    checkpoint.weights.finalNorm = norm(c.width);
    if (!model.tied)
        checkpoint.weights.head = matrix(c.vocabRows, c.width);
    return checkpoint;
}

} // namespace kaikou::test
