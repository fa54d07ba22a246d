#include "inference/backend/cpu/rope.h"

#include <cmath>
#include <numbers>

namespace kaikou {

namespace {

// Long wave lengths are stretched by `factor`, short ones kept, with a ramp between (Llama 3.1).
double llama3Frequency(const RopeConfig& config, double frequency)
{
    const double waveLength = 2.0 * std::numbers::pi / frequency;
    const double context = config.originalContext;
    const double low = config.lowFrequencyFactor;
    const double high = config.highFrequencyFactor;
    if (waveLength < context / high)
        return frequency;
    if (waveLength > context / low)
        return frequency / config.factor;
    const double smooth = (context / waveLength - low) / (high - low);
    return (1.0 - smooth) * frequency / config.factor + smooth * frequency;
}

// Up to here the reference implementations form the angle in f32; beyond, its rounding would show.
constexpr std::uint32_t kSingleAnglePositions = 8192;

double angleOf(std::uint32_t position, float frequency)
{
    if (position > kSingleAnglePositions)
        return static_cast<double>(position) * static_cast<double>(frequency);
    return static_cast<double>(static_cast<float>(position) * frequency);
}

} // namespace

std::vector<float> ropeFrequencies(const RopeConfig& config, std::uint32_t headSize)
{
    std::vector<float> frequencies;
    frequencies.reserve(headSize / 2);
    for (std::uint32_t i = 0; i < headSize / 2; ++i) {
        const double exponent = -2.0 * i / headSize;
        double frequency = std::pow(static_cast<double>(config.base), exponent);
        if (config.scaling == RopeScaling::Linear)
            frequency /= config.factor;
        else if (config.scaling == RopeScaling::Llama3)
            frequency = llama3Frequency(config, frequency);
        frequencies.push_back(static_cast<float>(frequency));
    }
    return frequencies;
}

RopeTable::RopeTable(const RopeConfig& config, std::uint32_t headSize, std::uint32_t positions)
    : m_half(headSize / 2)
    , m_positions(positions)
    , m_table(std::size_t {headSize} * positions)
{
    const std::vector<float> frequencies = ropeFrequencies(config, headSize);
    float* row = m_table.data();
    for (std::uint32_t position = 0; position < positions; ++position, row += headSize) {
        for (std::uint32_t i = 0; i < m_half; ++i) {
            const double angle = angleOf(position, frequencies[i]);
            row[i] = static_cast<float>(std::cos(angle));
            row[m_half + i] = static_cast<float>(std::sin(angle));
        }
    }
}

void RopeTable::rotate(float* head, std::uint32_t position) const noexcept
{
    const float* cosines = m_table.data() + std::size_t {position} * m_half * 2;
    const float* sines = cosines + m_half;
    for (std::uint32_t i = 0; i < m_half; ++i) {
        const float a = head[i];
        const float b = head[m_half + i];
        head[i] = a * cosines[i] - b * sines[i];
        head[m_half + i] = b * cosines[i] + a * sines[i];
    }
}

} // namespace kaikou
