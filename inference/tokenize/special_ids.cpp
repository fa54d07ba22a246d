#include "inference/tokenize/special_ids.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace kaikou {

namespace {

constexpr std::array<std::string_view, 10> kEndNames {"<eos>", "</s>", "<|endoftext|>", "<|end_of_text|>",
    "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end|>", "<end_of_turn>", "<EOT>"};
constexpr std::array<std::string_view, 3> kBeginNames {"<bos>", "<s>", "<|begin_of_text|>"};
constexpr std::array<std::string_view, 4> kPadNames {"<pad>", "[PAD]", "<|pad|>", "<|padding|>"};

bool isOneOf(std::string_view text, std::span<const std::string_view> names)
{
    return std::find(names.begin(), names.end(), text) != names.end();
}

} // namespace

SpecialIds completeSpecialIds(SpecialIds configured, const AddedTokens& added,
    const PostProcessor& postProcessor, std::optional<TokenId> unknown)
{
    SpecialIds ids = std::move(configured);
    if (!ids.bos && !postProcessor.before.empty())
        ids.bos = postProcessor.before.front();
    if (!ids.unk)
        ids.unk = unknown;
    for (const AddedToken& token : added.all()) {
        if (!token.special)
            continue;
        if (!ids.bos && isOneOf(token.content, kBeginNames))
            ids.bos = token.id;
        if (!ids.pad && isOneOf(token.content, kPadNames))
            ids.pad = token.id;
        if (isOneOf(token.content, kEndNames)
            && std::find(ids.eos.begin(), ids.eos.end(), token.id) == ids.eos.end())
            ids.eos.push_back(token.id);
    }
    return ids;
}

} // namespace kaikou
