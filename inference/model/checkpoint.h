#pragma once

#include "inference/base/error_code.h"
#include "inference/model/config.h"
#include "inference/model/ids.h"
#include "inference/model/weights.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kaikou {

enum class TokenizerKind : std::uint8_t
{
    None, // no tokenizer was found beside the weights
    HfJson, // the bytes of a tokenizer.json
    Bytes, // GPT_teacher `type: byte`: id = byte, 256 BOS, 257 EOS, 258 PAD
};

// The tokenizer file that belongs to a checkpoint, still as bytes: load/ finds it, tokenize/ reads it.
struct TokenizerSource
{
    TokenizerKind kind = TokenizerKind::None;
    std::string content; // the file's bytes
    std::string where; // its path, for messages
    std::string md5; // first 12 hex digits of the content's MD5, GPT_teacher's fingerprint form
    std::string expectedMd5; // what the checkpoint says it was trained with; empty = it does not say
    SpecialIds special; // from config files; what tokenizer.json itself says is added by tokenize/
    std::string chatTemplate; // Jinja text of the file; empty = none
};

// A thing worth telling the user that does not keep the model from being used.
struct Warning
{
    ErrorCode code;
    std::string message;
    std::string where;
};

// Values of generation_config.json; absent = the file does not say.
struct GenerationHints
{
    std::optional<float> temperature, topP, minP, repetitionPenalty;
    std::optional<std::int32_t> topK;
};

// A trained model as it was found on disk: numbers, tensors and tokenizer file, nothing repacked yet.
struct Checkpoint
{
    std::string name; // to show: folder or file name
    std::string path; // empty for the embedded model
    std::string format; // "GPT_teacher torch", "GPT_teacher safetensors", "Hugging Face folder" ...
    std::string architecture; // "gpt_teacher", "gpt_teacher (first)", "llama"
    ModelConfig config;
    Weights weights;
    TokenizerSource tokenizer;
    GenerationHints generation;
    std::string fingerprint; // 16 hex digits over config and tensor bytes: same weights = same text
    std::uint64_t parameters = 0; // distinct weights, a tied head counted once
    bool instructionTuned = false; // trained on turns (template or family says so); false = base model
    std::vector<Warning> warnings;
};

} // namespace kaikou
