#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kaikou {

// Heights of a column of items in pixels, with prefix sums in O(log n) (Fenwick tree).
class HeightIndex
{
public:
    [[nodiscard]] int count() const { return static_cast<int>(m_heights.size()); }

    [[nodiscard]] int height(int index) const { return m_heights[static_cast<std::size_t>(index)]; }

    [[nodiscard]] std::int64_t top(
        int index) const; // sum of the heights before it; index == count() is allowed

    [[nodiscard]] std::int64_t total() const { return top(count()); }

    // The item whose [top, top + height) holds y; the first for y < 0, the last beyond the end, -1 when
    // empty.
    [[nodiscard]] int indexAt(std::int64_t y) const;

    void set(int index, int height); // O(log n)
    void append(int height); // O(log n)
    void insert(int index, std::span<const int> heights); // O(n), O(log n) each at the end
    void remove(int index, int number); // O(n)
    void assign(std::vector<int> heights); // O(n)

private:
    void rebuild();

    std::vector<int> m_heights;
    std::vector<std::int64_t> m_tree; // m_tree[i - 1] = sum of heights (i - lowbit(i), i], i from 1
};

} // namespace kaikou
