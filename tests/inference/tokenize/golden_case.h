#pragma once

#include "inference/base/json.h"
#include "inference/tokenize/tokenizer.h"
#include "tests/support/paths.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace kaikou::test {

inline std::string readFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline Result<std::shared_ptr<const Tokenizer>> tokenizerFrom(std::string content)
{
    TokenizerSource source;
    source.kind = TokenizerKind::HfJson;
    source.content = std::move(content);
    source.where = "tokenizer.json";
    return makeTokenizer(source);
}

inline std::vector<TokenId> idsOf(const JsonValue& list)
{
    std::vector<TokenId> ids;
    for (const JsonValue id : list.children())
        ids.push_back(static_cast<TokenId>(*id.count()));
    return ids;
}

inline std::string textOf(const std::vector<TokenId>& ids)
{
    std::string text;
    for (const TokenId id : ids)
        text += std::to_string(id) + ' ';
    return text;
}

// The folders with a BPE tokenizer.json and answers by HF `tokenizers`: all of the shared ones, or our
// copies.
inline std::vector<std::filesystem::path> tokenizerFolders()
{
    const auto shared = sharedDir();
    const std::filesystem::path root
        = shared ? *shared / "goldens" / "tokenizers" : sourceDir() / "tests" / "golden" / "tokenizers";
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        if (std::filesystem::exists(entry.path() / "tokenizer.json"))
            folders.push_back(entry.path());
    }
    return folders;
}

} // namespace kaikou::test
