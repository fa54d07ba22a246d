#include "inference/load/torch_file.h"

#include "inference/load/torch_tensors.h"
#include "inference/load/zip_reader.h"

#include <algorithm>
#include <utility>

namespace kaikou {

namespace {

constexpr std::string_view kPickleName = "data.pkl";

std::string_view bytesText(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// "best/" of "best/data.pkl"; other folders named data.pkl deeper inside do not count.
Result<std::string> findFolder(const ZipEntries& entries, const std::string& where)
{
    for (const auto& [name, entry] : entries) {
        const std::size_t slash = name.find('/');
        if (slash != std::string::npos && std::string_view(name).substr(slash + 1) == kPickleName)
            return name.substr(0, slash + 1);
    }
    return Error {ErrorCode::FormatZip,
        "not a PyTorch checkpoint: the zip has no entry data.pkl in a top folder", where};
}

Result<void> checkArchive(const ZipEntries& entries, const std::string& folder, const std::string& where)
{
    for (const auto& [name, entry] : entries)
        if (name == folder + "constants.pkl" || name.starts_with(folder + "code/"))
            return Error {ErrorCode::FormatUnsupported,
                "this is a TorchScript program, not a state_dict; save model.state_dict() instead", where};
    const auto order = entries.find(folder + "byteorder");
    if (order != entries.end() && bytesText(order->second.bytes) != "little")
        return Error {ErrorCode::FormatUnsupported,
            "its byte order is \"" + std::string(bytesText(order->second.bytes).substr(0, 16))
                + "\", not little",
            where};
    return {};
}

std::string_view kindText(PickleKind kind)
{
    constexpr std::string_view kNames[] = {"None", "a boolean", "an integer", "a number", "a string", "bytes",
        "a tuple", "a list", "a set", "a dict", "a class", "an object", "a storage", "a tensor"};
    return kNames[static_cast<std::size_t>(kind)];
}

Error foreignObject(const PickleNode& node, const std::string& what, const std::string& where)
{
    return {ErrorCode::PickleForbidden,
        what + " is an object of class `" + std::string(node.text)
            + "`. Only weights are read: save model.state_dict(), or export safetensors",
        where};
}

Result<const PickleNode*> findWeights(const PickleDocument& document)
{
    const PickleNode& top = document.top();
    if (top.kind == PickleKind::Opaque || top.kind == PickleKind::Global)
        return foreignObject(top, "refused: the file", document.where);
    if (top.kind != PickleKind::Dict)
        return Error {ErrorCode::FormatPickle,
            "no state dict found: the top level is " + std::string(kindText(top.kind)) + ", not a dict",
            document.where};
    for (const std::string_view key : {"model", "state_dict"}) {
        const PickleNode* inner = document.find(top, key);
        if (inner && inner->kind == PickleKind::Opaque)
            return foreignObject(*inner, "refused: \"" + std::string(key) + '"', document.where);
        if (inner && inner->kind == PickleKind::Dict)
            return inner;
    }
    return &top;
}

std::string stripped(std::string_view name)
{
    for (bool more = true; more;) {
        more = false;
        for (const std::string_view prefix : {"module.", "_orig_mod."})
            if (name.starts_with(prefix)) {
                name.remove_prefix(prefix.size());
                more = true;
            }
    }
    return std::string(name);
}

// The tensors that lie directly in a dict; other plain values beside them are no weights.
Result<TensorSet> collect(const PickleDocument& document, const PickleNode& weights,
    const TorchStorages& storages, const Progress& progress)
{
    const auto value = [&](std::size_t i) -> const PickleNode& { return document.nodes[weights.items[i]]; };
    for (std::size_t i = 0; i < weights.items.size(); i += 2)
        if (value(i).kind == PickleKind::String
            && value(i).text.find("_packed_params") != std::string_view::npos)
            return Error {ErrorCode::FormatUnsupported,
                "packed int8 weights of torch's dynamic quantisation (as in quantized.pt) are not read; open "
                "the checkpoint they were made from, such as best.pt or best.safetensors",
                document.where};
    TensorSet tensors;
    for (std::size_t i = 0; i + 1 < weights.items.size(); i += 2) {
        if (progress.stop.stop_requested())
            return Error {ErrorCode::Cancelled, "loading was cancelled", document.where};
        if (value(i).kind != PickleKind::String)
            continue;
        std::string name = stripped(value(i).text);
        if (value(i + 1).kind == PickleKind::Opaque)
            return foreignObject(value(i + 1), "refused: weight \"" + name + '"', document.where);
        if (value(i + 1).kind != PickleKind::Tensor)
            continue;
        KAIKOU_TRY(RawTensor tensor, torchTensor(name, document, value(i + 1), storages));
        if (tensors.size() >= kMaxTensors)
            return Error {ErrorCode::FormatLimit, "too many tensors", document.where};
        if (!tensors.emplace(name, std::move(tensor)).second)
            return Error {ErrorCode::FormatDuplicate, "tensor \"" + name + "\" occurs twice", document.where};
    }
    if (tensors.empty())
        return Error {ErrorCode::TensorMissing,
            "no tensor found in its state dict: the file is empty of weights", document.where};
    return tensors;
}

void warnSkipped(const PickleDocument& document, std::vector<Warning>& warnings)
{
    if (document.skipped.empty())
        return;
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(document.skipped.size(), 10); ++i)
        names += (i == 0 ? "" : ", ") + document.skipped[i];
    warnings.push_back({ErrorCode::PickleForbidden,
        "objects beside the weights were left out, nothing was called: " + names, document.where});
}

} // namespace

Result<TorchFile> readTorch(const ByteSource& file, const Progress& progress, std::vector<Warning>& warnings)
{
    KAIKOU_TRY(const ZipEntries entries, readZip(file));
    KAIKOU_TRY(const std::string folder, findFolder(entries, file.where));
    KAIKOU_CHECK(checkArchive(entries, folder, file.where));
    KAIKOU_CHECK(checkEntries(entries, file.where, progress));
    TorchFile result {file, {}, {}};
    KAIKOU_TRY(result.pickle,
        readPickle(entries.find(folder + std::string(kPickleName))->second.bytes,
            file.where + ':' + folder + std::string(kPickleName)));
    KAIKOU_TRY(const PickleNode* weights, findWeights(result.pickle));
    KAIKOU_TRY(result.tensors,
        collect(result.pickle, *weights, TorchStorages {entries, folder, file.owner, file.where}, progress));
    warnSkipped(result.pickle, warnings);
    return result;
}

} // namespace kaikou
