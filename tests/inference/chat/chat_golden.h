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

inline std::shared_ptr<const Tokenizer> tokenizerFrom(const std::filesystem::path& path)
{
    TokenizerSource source;
    source.kind = TokenizerKind::HfJson;
    source.content = readFile(path);
    source.where = path.string();
    auto made = makeTokenizer(source);
    return made ? *made : nullptr;
}

// The tokenizer of the trained GPT_teacher checkpoint.
inline std::shared_ptr<const Tokenizer> teacherTokenizer()
{
    return tokenizerFrom(sourceDir() / "tests/golden/chat/gpt_teacher_tokenizer.json");
}

// Answers of that project's own code.
inline Result<JsonDocument> teacherGolden()
{
    return JsonDocument::parse(readFile(sourceDir() / "tests/golden/chat/gpt_teacher_prompts.json"));
}

inline std::vector<TokenId> idsOf(const JsonValue& list)
{
    std::vector<TokenId> ids;
    for (const JsonValue id : list.children())
        ids.push_back(static_cast<TokenId>(*id.count()));
    return ids;
}

} // namespace kaikou::test
