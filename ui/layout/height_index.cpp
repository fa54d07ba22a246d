#include "ui/layout/height_index.h"

#include <bit>

namespace kaikou {

namespace {

std::size_t lowBit(std::size_t i)
{
    return i & (~i + 1);
}

} // namespace

std::int64_t HeightIndex::top(int index) const
{
    std::int64_t sum = 0;
    for (auto i = static_cast<std::size_t>(index); i > 0; i -= lowBit(i))
        sum += m_tree[i - 1];
    return sum;
}

int HeightIndex::indexAt(std::int64_t y) const
{
    if (m_heights.empty())
        return -1;
    std::size_t before = 0; // items whose sum is <= y
    std::int64_t rest = y;
    for (std::size_t step = std::bit_floor(m_heights.size()); step > 0; step /= 2) {
        const std::size_t next = before + step;
        if (next <= m_tree.size() && m_tree[next - 1] <= rest) {
            before = next;
            rest -= m_tree[next - 1];
        }
    }
    return static_cast<int>(std::min(before, m_heights.size() - 1));
}

void HeightIndex::set(int index, int height)
{
    auto& stored = m_heights[static_cast<std::size_t>(index)];
    const std::int64_t delta = std::int64_t {height} - stored;
    stored = height;
    for (auto i = static_cast<std::size_t>(index) + 1; i <= m_tree.size(); i += lowBit(i))
        m_tree[i - 1] += delta;
}

void HeightIndex::append(int height)
{
    m_heights.push_back(height);
    const std::size_t i = m_heights.size();
    std::int64_t sum = height;
    // The new node covers (i - lowbit, i]: itself and the nodes that end right before it.
    for (std::size_t child = i - 1; child > i - lowBit(i); child -= lowBit(child))
        sum += m_tree[child - 1];
    m_tree.push_back(sum);
}

void HeightIndex::insert(int index, std::span<const int> heights)
{
    if (index == count()) {
        for (const int height : heights)
            append(height);
        return;
    }
    m_heights.insert(m_heights.begin() + index, heights.begin(), heights.end());
    rebuild();
}

void HeightIndex::remove(int index, int number)
{
    m_heights.erase(m_heights.begin() + index, m_heights.begin() + index + number);
    rebuild();
}

void HeightIndex::assign(std::vector<int> heights)
{
    m_heights = std::move(heights);
    rebuild();
}

void HeightIndex::rebuild()
{
    m_tree.assign(m_heights.begin(), m_heights.end());
    for (std::size_t i = 1; i <= m_tree.size(); ++i) {
        const std::size_t parent = i + lowBit(i);
        if (parent <= m_tree.size())
            m_tree[parent - 1] += m_tree[i - 1];
    }
}

} // namespace kaikou
