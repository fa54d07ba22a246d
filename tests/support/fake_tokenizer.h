#pragma once

#include "inference/tokenize/tokenizer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kaikou::test {

// Any list of byte strings as a vocabulary; ids are positions. Text is cut greedily, longest piece first.
class FakeTokenizer final : public Tokenizer
{
public:
    FakeTokenizer(std::vector<std::string> pieces, SpecialIds special)
        : m_pieces(std::move(pieces))
        , m_special(std::move(special))
    {
        m_info = {"fake", "none", static_cast<std::uint32_t>(m_pieces.size())};
    }

    // 0..255 bytes, 256 bos, 257 eos, then 42 words of Chinese and English, one of them an emoji in parts.
    static std::shared_ptr<const FakeTokenizer> words()
    {
        std::vector<std::string> pieces;
        for (int byte = 0; byte < 256; ++byte)
            pieces.emplace_back(1, static_cast<char>(byte));
        pieces.insert(pieces.end(), {"<bos>", "<eos>"});
        for (const char* word : {"什么", "是", "注意力", "机制", "？", "。", "；", "用户", "助手",
                 "用户:", "\n用户", "模型", "温度", "概率", "the ", "model ", "keeps ", "tokens", "stop",
                 "\n\n", "###", "##", "# ", "ab", "abc", "bc", "end", "END", "学习", "机器", "\xF0\x9F",
                 "\x98\x80", "\xE4\xBD", "\xA0", "你", "好", "天空", "海", "水", "火", "木", "金"})
            pieces.emplace_back(word);
        SpecialIds special;
        special.bos = 256;
        special.eos = {257};
        return std::make_shared<FakeTokenizer>(std::move(pieces), std::move(special));
    }

    std::vector<TokenId> encode(std::string_view text, EncodeOptions options) const override
    {
        std::vector<TokenId> ids;
        if (options.addSpecial && m_special.bos)
            ids.push_back(*m_special.bos);
        while (!text.empty()) {
            std::size_t best = m_pieces.size();
            for (std::size_t id = 0; id < m_pieces.size(); ++id)
                if (!isSpecial(static_cast<TokenId>(id)) && text.starts_with(m_pieces[id])
                    && (best == m_pieces.size() || m_pieces[id].size() > m_pieces[best].size()))
                    best = id;
            if (best == m_pieces.size())
                break;
            ids.push_back(static_cast<TokenId>(best));
            text.remove_prefix(m_pieces[best].size());
        }
        return ids;
    }

    std::string_view piece(TokenId id) const override
    {
        return id < m_pieces.size() ? std::string_view(m_pieces[id]) : std::string_view();
    }

    bool isSpecial(TokenId id) const override
    {
        return id == m_special.bos
            || std::find(m_special.eos.begin(), m_special.eos.end(), id) != m_special.eos.end();
    }

    std::string decode(std::span<const TokenId> ids, bool skipSpecial) const override
    {
        std::string text;
        for (const TokenId id : ids)
            if (!skipSpecial || !isSpecial(id))
                text += piece(id);
        return text;
    }

    const SpecialIds& special() const override { return m_special; }

    const TokenizerInfo& info() const override { return m_info; }

private:
    std::vector<std::string> m_pieces;
    SpecialIds m_special;
    TokenizerInfo m_info;
};

} // namespace kaikou::test
