#include "inference/chat/reply_guard.h"

#include "inference/sample/rng.h"
#include "inference/tokenize/unicode.h"

#include <algorithm>
#include <array>

namespace kaikou {

bool isEmptyReply(std::string_view text)
{
    constexpr std::array<std::string_view, 4> kAlone {"。", "，", ".", ","};
    const std::string_view stripped = stripWhiteSpace(text);
    return stripped.empty() || std::find(kAlone.begin(), kAlone.end(), stripped) != kAlone.end();
}

std::vector<std::string> defaultFallbackSentences()
{
    return {
        "（开口提示：模型没有说出内容，换个问法试试。）",
        "（开口提示：这次的回答是空的，可以提高温度或重新生成。）",
        "(Kaikou: the model said nothing here. Try asking in other words.)",
        "(Kaikou: this answer came out empty. A higher temperature or a new seed may help.)",
    };
}

std::string fallbackSentence(std::span<const std::string> sentences, std::uint64_t seed)
{
    return sentences.empty() ? std::string() : sentences[rng::word(seed, 0) % sentences.size()];
}

} // namespace kaikou
