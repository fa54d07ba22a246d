#pragma once

#include "inference/base/json.h"
#include "inference/model/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaikou {

inline constexpr TokenId kMaxTokenId = (1U << 20) - 1; // settled.md 39: vocabularies are at most 2^20

// Token text <-> id as the model part of a tokenizer.json has it. Ids may have holes.
class Vocabulary
{
public:
    Vocabulary() = default;
    Vocabulary(Vocabulary&&) = default; // keeps the views valid; a copy would not
    Vocabulary& operator=(Vocabulary&&) = default;

    // An object text -> id. Errors: TokenizerInvalid (id out of range, used twice, or not a number).
    [[nodiscard]] static Result<Vocabulary> read(const JsonValue& vocab);

    [[nodiscard]] std::optional<TokenId> id(std::string_view text) const
    {
        const auto found = m_ids.find(text);
        return found == m_ids.end() ? std::nullopt : std::optional(found->second);
    }

    // The text of an id; nothing for a hole or beyond the end.
    [[nodiscard]] std::optional<std::string_view> text(TokenId id) const
    {
        if (id >= m_texts.size() || !m_used[id])
            return std::nullopt;
        return m_texts[id];
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(m_texts.size()); }

private:
    std::vector<std::string> m_texts; // by id
    std::vector<bool> m_used;
    std::unordered_map<std::string_view, TokenId> m_ids; // views of m_texts
};

} // namespace kaikou
