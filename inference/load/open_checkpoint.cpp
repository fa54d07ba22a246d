#include "inference/load/open_checkpoint.h"

#include "inference/base/byte_source.h"
#include "inference/load/file_kind.h"
#include "inference/load/hf_dir.h"
#include "inference/load/safetensors.h"
#include "inference/load/teacher.h"
#include "inference/load/teacher_config.h"
#include "inference/load/torch_file.h"
#include "inference/load/weight_scan.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace kaikou {

namespace {

bool isFile(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

// "first.weight, second.weight ..." so that a user can tell which project wrote the file.
Error unknownFamily(const TensorSet& tensors, const std::filesystem::path& path)
{
    std::string names;
    std::size_t count = 0;
    for (const auto& [name, tensor] : tensors)
        if (count++ < 5)
            names += (names.empty() ? "" : ", ") + name;
    return {ErrorCode::ArchitectureUnknown,
        "tensors of no known family (" + names
            + " ...); known: GPT_teacher, and Hugging Face llama with its config.json beside the weights",
        path.string()};
}

// Hugging Face weights opened by their file: the folder around them is the model.
bool hasHfNames(const TensorSet& tensors)
{
    return tensors.find("model.embed_tokens.weight") != tensors.end();
}

void noteExtension(const std::filesystem::path& path, FileKind kind, std::vector<Warning>& warnings)
{
    const std::string extension = path.extension().string();
    const bool safetensors = extension == ".safetensors";
    const bool torch = extension == ".pt" || extension == ".pth" || extension == ".bin";
    if ((kind == FileKind::Safetensors && torch) || (kind == FileKind::Zip && safetensors))
        warnings.push_back({ErrorCode::FileKindUnknown,
            "the file is named " + extension + " but is " + std::string(kindName(kind)), path.string()});
}

Result<Checkpoint> openSafetensors(const std::filesystem::path& path, const ByteSource& file,
    const OpenOptions& options, const Progress& progress, std::vector<Warning>& warnings)
{
    KAIKOU_TRY(const TensorSet tensors, readSafetensors(file, warnings));
    if (isTeacher(tensors))
        return openTeacherSafetensors(path, tensors, options);
    if (hasHfNames(tensors) && isFile(path.parent_path() / "config.json"))
        return openHfFolder(path.parent_path(), options, progress);
    return unknownFamily(tensors, path);
}

Result<Checkpoint> openTorch(const std::filesystem::path& path, const ByteSource& file,
    const OpenOptions& options, const Progress& progress, std::vector<Warning>& warnings)
{
    KAIKOU_TRY(const TorchFile torch, readTorch(file, progress, warnings));
    if (isTeacher(torch.tensors))
        return openTeacherTorch(path, torch, options);
    if (hasHfNames(torch.tensors) && isFile(path.parent_path() / "config.json"))
        return openHfFolder(path.parent_path(), options, progress);
    return unknownFamily(torch.tensors, path);
}

Result<Checkpoint> openFile(
    const std::filesystem::path& path, const OpenOptions& options, const Progress& progress)
{
    KAIKOU_TRY(const ByteSource file, mapFile(path));
    FileKind kind = detectKind(file.bytes);
    if (kind == FileKind::Unknown && path.extension() == ".safetensors")
        kind = FileKind::Safetensors; // its reader says what is wrong with the header
    if (kind == FileKind::Json
        && (path.filename() == "config.json" || path.string().ends_with(".index.json")))
        return openHfFolder(path.parent_path(), options, progress);
    std::vector<Warning> warnings;
    noteExtension(path, kind, warnings);
    if (kind == FileKind::Json && path.extension() == ".json")
        return Error {ErrorCode::FileKindUnknown,
            "a JSON file, not a model: open the weights, or the folder they are in", path.string()};
    if (kind != FileKind::Safetensors && kind != FileKind::Zip)
        return refusal(kind, file);
    KAIKOU_TRY(Checkpoint checkpoint,
        kind == FileKind::Zip ? openTorch(path, file, options, progress, warnings)
                              : openSafetensors(path, file, options, progress, warnings));
    checkpoint.warnings.insert(checkpoint.warnings.begin(), warnings.begin(), warnings.end());
    return checkpoint;
}

// Folders of tools whose models are not opened yet, by the file each is known by.
std::optional<Error> foreignFolder(const std::filesystem::path& folder)
{
    if (isFile(folder / "config.json"))
        return std::nullopt;
    const auto refuse = [&folder](const std::string& tool) {
        return Error {ErrorCode::FormatUnsupported,
            "a folder of " + tool + ", which this version does not open yet", folder.string()};
    };
    if (isFile(folder / "lit_model.pth") || isFile(folder / "model_config.yaml"))
        return refuse("LitGPT");
    if (isFile(folder / "ckpt.pt"))
        return refuse("nanoGPT");
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".gguf")
            return refuse("GGUF files");
    }
    return std::nullopt;
}

// A folder of Hugging Face, or one of GPT_teacher, which names its best checkpoint `best`.
Result<Checkpoint> openFolder(
    const std::filesystem::path& folder, const OpenOptions& options, const Progress& progress)
{
    for (const char* name : {"best.safetensors", "best.pt", "distill_best.pt"})
        if (!isFile(folder / "config.json") && isFile(folder / name))
            return openFile(folder / name, options, progress);
    if (auto foreign = foreignFolder(folder))
        return *std::move(foreign);
    return openHfFolder(folder, options, progress);
}

} // namespace

Result<Checkpoint> openCheckpoint(
    const std::filesystem::path& path, const OpenOptions& options, const Progress& progress)
{
    std::error_code error;
    const bool folder = std::filesystem::is_directory(path, error);
    int checked = 0; // percent: a zip is read once for its CRC, half of the work, and once more below
    const auto check = [&progress, &checked](double fraction) {
        const int percent = static_cast<int>(fraction * 50.0);
        if (percent > checked)
            progress(percent / 100.0);
        checked = std::max(checked, percent);
    };
    const Progress reading {check, progress.stop};
    KAIKOU_TRY(Checkpoint checkpoint,
        folder ? openFolder(path, options, reading) : openFile(path, options, reading));
    KAIKOU_CHECK(scanWeights(checkpoint, progress.part(checked > 0 ? 0.5 : 0.0, 1.0)));
    return checkpoint;
}

Result<Checkpoint> openEmbedded(const EmbeddedFiles& files)
{
    KAIKOU_TRY(Checkpoint checkpoint, openHfEmbedded(files));
    KAIKOU_CHECK(scanWeights(checkpoint, {}));
    return checkpoint;
}

} // namespace kaikou
