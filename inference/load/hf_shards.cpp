#include "inference/load/hf_shards.h"

#include "inference/base/byte_source.h"
#include "inference/base/json.h"
#include "inference/load/file_kind.h"
#include "inference/load/safetensors.h"
#include "inference/load/torch_file.h"

#include <map>
#include <set>
#include <utility>

namespace kaikou {

namespace {

constexpr std::uint64_t kMaxIndex = std::uint64_t {32} << 20;
constexpr std::size_t kMaxShards = 1000;

bool isThere(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::exists(path, error);
}

Result<TensorSet> readContainer(
    const std::filesystem::path& path, const Progress& progress, std::vector<Warning>& warnings)
{
    KAIKOU_TRY(const ByteSource file, mapFile(path));
    const FileKind kind = detectKind(file.bytes);
    if (kind == FileKind::Zip) {
        KAIKOU_TRY(TorchFile torch, readTorch(file, progress, warnings));
        return std::move(torch.tensors);
    }
    if (kind == FileKind::Safetensors || (kind == FileKind::Unknown && path.extension() == ".safetensors"))
        return readSafetensors(file, warnings);
    return refusal(kind, file);
}

struct Index
{
    std::map<std::string, std::string, std::less<>> files; // tensor -> shard
    std::set<std::string, std::less<>> shards;
    std::uint64_t totalSize = 0; // bytes of all tensors, 0 = not said
};

bool isBaseName(std::string_view name)
{
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == std::string_view::npos
        && name.find('\0') == std::string_view::npos;
}

Result<Index> readIndex(const std::filesystem::path& path)
{
    KAIKOU_TRY(const ByteSource file, readFile(path, kMaxIndex));
    KAIKOU_TRY(
        const JsonDocument document, JsonDocument::parse(file.text(), file.where, {kMaxIndex, 64, true}));
    KAIKOU_TRY(const JsonValue map, document.root().member("weight_map"));
    if (!map.isObject() || map.size() > kMaxTensors)
        return map.error(ErrorCode::FormatJson, "weight_map must be an object of tensor and file names");
    Index index;
    for (const JsonValue entry : map.children()) {
        KAIKOU_TRY(const std::string_view shard, entry.string());
        if (!isBaseName(shard))
            return entry.error(ErrorCode::FormatRange,
                "\"" + std::string(shard.substr(0, 200))
                    + "\" is not a plain file name: a path outside the folder is never opened");
        index.files.emplace(entry.key(), shard);
        index.shards.emplace(shard);
    }
    if (index.shards.empty() || index.shards.size() > kMaxShards)
        return map.error(ErrorCode::FormatLimit, std::to_string(index.shards.size()) + " shards");
    if (const auto size = document.root()["metadata"]["total_size"].count())
        index.totalSize = *size;
    return index;
}

Result<void> checkShards(const Index& index, const std::filesystem::path& folder)
{
    std::string absent;
    for (const std::string& shard : index.shards)
        if (!isThere(folder / shard))
            absent += (absent.empty() ? "" : ", ") + shard;
    if (absent.empty())
        return {};
    return Error {
        ErrorCode::FileNotFound, "weight files named by the index are missing: " + absent, folder.string()};
}

Result<TensorSet> readShards(const Index& index, const std::filesystem::path& folder,
    const Progress& progress, std::vector<Warning>& warnings)
{
    TensorSet all;
    double read = 0;
    for (const std::string& shard : index.shards) {
        const auto count = static_cast<double>(index.shards.size());
        const Progress share = progress.part(read / count, (read + 1) / count);
        KAIKOU_TRY(TensorSet part, readContainer(folder / shard, share, warnings));
        read += 1;
        for (auto& [name, tensor] : part)
            if (!all.emplace(name, std::move(tensor)).second)
                return Error {ErrorCode::FormatDuplicate, "tensor \"" + name + "\" stands in two shards",
                    (folder / shard).string()};
        if (progress.stop.stop_requested())
            return Error {ErrorCode::Cancelled, "loading was cancelled", folder.string()};
    }
    std::uint64_t bytes = 0;
    for (const auto& [name, tensor] : all)
        bytes += tensor.bytes.size();
    for (const auto& [name, shard] : index.files)
        if (all.find(name) == all.end())
            return Error {ErrorCode::TensorMissing,
                "missing tensor " + name + ": the index says it is in " + shard, (folder / shard).string()};
    if (index.totalSize != 0 && index.totalSize != bytes)
        warnings.push_back({ErrorCode::FormatRange,
            "the index says " + std::to_string(index.totalSize) + " bytes, the shards hold "
                + std::to_string(bytes),
            folder.string()});
    return all;
}

} // namespace

Result<FolderWeights> readFolderWeights(
    const std::filesystem::path& folder, const Progress& progress, std::vector<Warning>& warnings)
{
    constexpr std::pair<const char*, const char*> kForms[]
        = {{"model.safetensors", "safetensors"}, {"pytorch_model.bin", "torch"}};
    for (const auto& [name, container] : kForms) {
        const std::filesystem::path single = folder / name;
        const std::filesystem::path indexPath = folder / (std::string(name) + ".index.json");
        FolderWeights weights {{}, container, single.string()};
        if (isThere(single)) {
            KAIKOU_TRY(weights.tensors, readContainer(single, progress, warnings));
            return weights;
        }
        if (isThere(indexPath)) {
            KAIKOU_TRY(const Index index, readIndex(indexPath));
            KAIKOU_CHECK(checkShards(index, folder));
            weights.where = indexPath.string();
            KAIKOU_TRY(weights.tensors, readShards(index, folder, progress, warnings));
            return weights;
        }
    }
    return Error {ErrorCode::FileNotFound,
        "the folder has no weights: model.safetensors, pytorch_model.bin or an index of shards",
        folder.string()};
}

} // namespace kaikou
