#include "inference/tokenize/byte_tokenizer.h"

#include "inference/base/utf8.h"

namespace kaikou {

namespace {

constexpr TokenId kBos = 256, kEos = 257, kPad = 258;

} // namespace

ByteTokenizer::ByteTokenizer()
    : m_special {kBos, kPad, std::nullopt, {kEos}}
    , m_info {"bytes", "none", kPad + 1}
{
    for (std::size_t i = 0; i < m_bytes.size(); ++i)
        m_bytes[i] = static_cast<char>(i);
}

std::vector<TokenId> ByteTokenizer::encode(std::string_view text, EncodeOptions options) const
{
    std::vector<TokenId> ids;
    if (options.addSpecial)
        ids.push_back(kBos);
    for (const char c : toValidUtf8(text))
        ids.push_back(static_cast<unsigned char>(c));
    if (options.addSpecial)
        ids.push_back(kEos);
    return ids;
}

std::string_view ByteTokenizer::piece(TokenId id) const
{
    constexpr std::string_view kNames[] = {"<bos>", "<eos>", "<pad>"};
    if (id < m_bytes.size())
        return {&m_bytes[id], 1};
    return id <= kPad ? kNames[id - kBos] : std::string_view();
}

bool ByteTokenizer::isSpecial(TokenId id) const
{
    return id >= kBos && id <= kPad;
}

std::string ByteTokenizer::decode(std::span<const TokenId> ids, bool /*skipSpecial*/) const
{
    std::string bytes;
    for (const TokenId id : ids) {
        if (id < m_bytes.size())
            bytes += m_bytes[id];
    }
    std::string text;
    for (std::string_view rest = bytes; !rest.empty();) {
        const Utf8Unit unit = firstUtf8Unit(rest);
        if (unit.kind == Utf8Unit::Kind::Character)
            text += rest.substr(0, unit.length);
        rest.remove_prefix(unit.length);
    }
    return text;
}

} // namespace kaikou
