#pragma once

#include "inference/base/json.h"
#include "inference/base/utf8.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Writes small, valid model folders with seeded random weights, for tests that need a real file.
namespace kaikou::test {

inline void writeFile(const std::filesystem::path& path, std::string_view bytes)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Builds the bytes of a safetensors file of f32 tensors, in the order of add().
class SafetensorsWriter
{
public:
    void add(
        const std::string& name, const std::vector<std::uint64_t>& shape, const std::vector<float>& values)
    {
        Json dims = Json::array();
        for (const std::uint64_t dim : shape)
            dims.push(dim);
        const std::size_t begin = m_data.size();
        m_data.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
        m_header.set(name,
            Json::object()
                .set("dtype", "F32")
                .set("shape", dims)
                .set("data_offsets", Json::array().push(begin).push(m_data.size())));
    }

    [[nodiscard]] std::string bytes() const { return join(m_header.dump(), m_data); }

    // Length, header and data, whatever they say.
    static std::string join(const std::string& header, const std::string& data)
    {
        const std::uint64_t length = header.size();
        std::string file(sizeof length, '\0');
        std::memcpy(file.data(), &length, sizeof length);
        return file + header + data;
    }

private:
    Json m_header = Json::object();
    std::string m_data;
};

struct TinyShape
{
    std::uint32_t layers = 1;
    std::uint32_t width = 16;
    std::uint32_t heads = 2;
    std::uint32_t kvHeads = 1;
    std::uint32_t feedForward = 24;
    std::uint32_t vocab = 260; // of the tokenizer below
    std::uint32_t context = 64;
};

// Adds seeded tensors; norms lie around 1, all others around 0.
class TinyWriter
{
public:
    explicit TinyWriter(std::uint32_t seed)
        : m_random(seed)
    {
    }

    void tensor(const std::string& name, const std::vector<std::uint64_t>& shape)
    {
        std::uint64_t count = 1;
        for (const std::uint64_t dim : shape)
            count *= dim;
        const float centre = name.find("norm") != std::string::npos ? 1.0F : 0.0F;
        std::vector<float> values(count);
        for (float& value : values) // not std::normal_distribution, whose values differ between libraries
            value = centre + (static_cast<float>(m_random() >> 8) / 16777216.0F - 0.5F) * 0.5F;
        m_file.add(name, shape, values);
    }

    [[nodiscard]] std::string bytes() const { return m_file.bytes(); }

private:
    std::mt19937 m_random;
    SafetensorsWriter m_file;
};

// A byte-level BPE without merges: <bos> 0, <eos> 1, <pad> 2, <unk> 3, then the 256 bytes.
inline std::string tinyTokenizerJson()
{
    Json vocab = Json::object();
    Json added = Json::array();
    const char* const specials[] = {"<bos>", "<eos>", "<pad>", "<unk>"};
    for (std::uint32_t id = 0; id < 4; ++id) {
        vocab.set(specials[id], id);
        added.push(Json::object()
                       .set("id", id)
                       .set("content", specials[id])
                       .set("single_word", false)
                       .set("lstrip", false)
                       .set("rstrip", false)
                       .set("normalized", false)
                       .set("special", true));
    }
    char32_t next = 0x100;
    for (std::uint32_t byte = 0; byte < 256; ++byte) { // GPT-2's printable stand-ins
        const bool printable
            = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
        std::string text;
        appendUtf8(text, printable ? byte : next++);
        vocab.set(text, 4 + byte);
    }
    const Json byteLevel = Json::object()
                               .set("type", "ByteLevel")
                               .set("add_prefix_space", false)
                               .set("trim_offsets", true)
                               .set("use_regex", true);
    return Json::object()
        .set("version", "1.0")
        .set("truncation", nullptr)
        .set("padding", nullptr)
        .set("added_tokens", added)
        .set("normalizer", nullptr)
        .set("pre_tokenizer", byteLevel)
        .set("post_processor", nullptr)
        .set("decoder", byteLevel)
        .set("model",
            Json::object()
                .set("type", "BPE")
                .set("dropout", nullptr)
                .set("unk_token", "<unk>")
                .set("continuing_subword_prefix", nullptr)
                .set("end_of_word_suffix", nullptr)
                .set("fuse_unk", false)
                .set("byte_fallback", false)
                .set("vocab", vocab)
                .set("merges", Json::array()))
        .dump();
}

inline Json tinyLlamaConfig(const TinyShape& shape)
{
    return Json::object()
        .set("model_type", "llama")
        .set("hidden_act", "silu")
        .set("num_hidden_layers", shape.layers)
        .set("hidden_size", shape.width)
        .set("num_attention_heads", shape.heads)
        .set("num_key_value_heads", shape.kvHeads)
        .set("intermediate_size", shape.feedForward)
        .set("vocab_size", shape.vocab)
        .set("max_position_embeddings", shape.context)
        .set("rms_norm_eps", 1e-5)
        .set("rope_theta", 10000.0)
        .set("tie_word_embeddings", true)
        .set("bos_token_id", 0)
        .set("eos_token_id", 1);
}

inline std::string tinyLlamaWeights(const TinyShape& shape, std::uint32_t seed)
{
    TinyWriter file(seed);
    const std::uint64_t width = shape.width, keys = width / shape.heads * shape.kvHeads,
                        inner = shape.feedForward;
    file.tensor("model.embed_tokens.weight", {shape.vocab, width});
    for (std::uint32_t i = 0; i < shape.layers; ++i) {
        const std::string p = "model.layers." + std::to_string(i) + '.';
        file.tensor(p + "input_layernorm.weight", {width});
        file.tensor(p + "self_attn.q_proj.weight", {width, width});
        file.tensor(p + "self_attn.k_proj.weight", {keys, width});
        file.tensor(p + "self_attn.v_proj.weight", {keys, width});
        file.tensor(p + "self_attn.o_proj.weight", {width, width});
        file.tensor(p + "post_attention_layernorm.weight", {width});
        file.tensor(p + "mlp.gate_proj.weight", {inner, width});
        file.tensor(p + "mlp.up_proj.weight", {inner, width});
        file.tensor(p + "mlp.down_proj.weight", {width, inner});
    }
    file.tensor("model.norm.weight", {width});
    return file.bytes();
}

// folder/{config.json, model.safetensors, tokenizer.json}: tied, one grouped-query layer unless shape says
// more.
inline void writeTinyLlama(
    const std::filesystem::path& folder, const TinyShape& shape = {}, std::uint32_t seed = 1)
{
    writeFile(folder / "config.json", tinyLlamaConfig(shape).dump());
    writeFile(folder / "model.safetensors", tinyLlamaWeights(shape, seed));
    writeFile(folder / "tokenizer.json", tinyTokenizerJson());
}

inline Json tinyTeacherConfig(const TinyShape& shape)
{
    return Json::object()
        .set("model",
            Json::object()
                .set("n_layer", shape.layers)
                .set("n_head", shape.heads)
                .set("n_kv_head", shape.kvHeads)
                .set("n_embd", shape.width)
                .set("seq_len", shape.context)
                .set("dropout", 0.1))
        .set("tokenizer", Json::object().set("type", "hf_tokenizers").set("path", "train/tokenizer.json"));
}

// folder/{best.safetensors, best.json, tokenizer.json} of the current generation.
inline void writeTinyTeacher(
    const std::filesystem::path& folder, const TinyShape& shape = {}, std::uint32_t seed = 1)
{
    TinyWriter file(seed);
    const std::uint64_t width = shape.width, keys = width / shape.heads * shape.kvHeads,
                        inner = shape.feedForward;
    file.tensor("tok_emb.weight", {shape.vocab, width});
    for (std::uint32_t i = 0; i < shape.layers; ++i) {
        const std::string p = "blocks." + std::to_string(i) + '.';
        file.tensor(p + "norm1.weight", {width});
        file.tensor(p + "attn.wq.weight", {width, width});
        file.tensor(p + "attn.wk.weight", {keys, width});
        file.tensor(p + "attn.wv.weight", {keys, width});
        file.tensor(p + "attn.proj.weight", {width, width});
        file.tensor(p + "norm2.weight", {width});
        file.tensor(p + "mlp.w_gate.weight", {inner, width});
        file.tensor(p + "mlp.w_up.weight", {inner, width});
        file.tensor(p + "mlp.w_down.weight", {width, inner});
    }
    file.tensor("norm.weight", {width});
    writeFile(folder / "best.safetensors", file.bytes());
    writeFile(folder / "best.json", tinyTeacherConfig(shape).dump());
    writeFile(folder / "tokenizer.json", tinyTokenizerJson());
}

// The same of the first generation: fused qkv, biases, no gate, as many key as query heads.
inline void writeTinyFirstTeacher(
    const std::filesystem::path& folder, const TinyShape& shape = {}, std::uint32_t seed = 1)
{
    TinyWriter file(seed);
    const std::uint64_t width = shape.width, inner = 4 * width;
    file.tensor("tok_emb.weight", {shape.vocab, width});
    for (std::uint32_t i = 0; i < shape.layers; ++i) {
        const std::string p = "blocks." + std::to_string(i) + '.';
        file.tensor(p + "norm1.weight", {width});
        file.tensor(p + "attn.qkv.weight", {3 * width, width});
        file.tensor(p + "attn.qkv.bias", {3 * width});
        file.tensor(p + "attn.proj.weight", {width, width});
        file.tensor(p + "attn.proj.bias", {width});
        file.tensor(p + "norm2.weight", {width});
        file.tensor(p + "mlp.fc1.weight", {inner, width});
        file.tensor(p + "mlp.fc1.bias", {inner});
        file.tensor(p + "mlp.fc2.weight", {width, inner});
        file.tensor(p + "mlp.fc2.bias", {width});
    }
    file.tensor("norm.weight", {width});
    writeFile(folder / "best.safetensors", file.bytes());
    writeFile(folder / "best.json", tinyTeacherConfig(shape).dump());
    writeFile(folder / "tokenizer.json", tinyTokenizerJson());
}

} // namespace kaikou::test
