#pragma once

#include "inference/base/byte_source.h"
#include "inference/base/result.h"
#include "inference/model/checkpoint.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace kaikou {

// Reads a tokenizer.json as bytes; its MD5 is filled in. A missing file is TokenizerMissing, other 1xx stay.
[[nodiscard]] Result<TokenizerSource> readTokenizerFile(const std::filesystem::path& path);

// Tokenizer, special ids and chat template of a Hugging Face folder: tokenizer.json, tokenizer_config.json,
// chat_template.jinja. `special` is what config.json and generation_config.json said. A missing tokenizer is
// a warning and kind None.
[[nodiscard]] Result<TokenizerSource> readHfTokenizer(const std::filesystem::path& folder, SpecialIds special,
    const std::optional<std::filesystem::path>& replacement, std::vector<Warning>& warnings);

// generation_config.json: hints, and special ids, which win over those of config.json. A file that does not
// parse is only a warning.
[[nodiscard]] GenerationHints readGenerationConfig(
    const ByteSource& file, SpecialIds& special, std::vector<Warning>& warnings);

} // namespace kaikou
