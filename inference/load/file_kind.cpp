#include "inference/load/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kaikou {

namespace {

constexpr std::string_view kLfs = "version https://git-lfs";

// Pickled 0x1950a86a20f9469cfc6c, the first thing torch < 1.6 wrote.
constexpr std::string_view kLegacyMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", 15);

bool startsWithAnyCase(std::string_view text, std::string_view lower)
{
    return text.size() >= lower.size()
        && std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
               return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
           });
}

bool isTar(std::string_view text)
{
    return text.size() >= 262 && text.substr(257, 5) == "ustar";
}

// The size an LFS pointer names, as text.
std::string_view pointedSize(std::string_view pointer)
{
    const std::size_t at = pointer.find("\nsize ");
    if (at == std::string_view::npos)
        return "unknown";
    std::string_view size = pointer.substr(at + 6);
    return size.substr(0, std::min(size.find_first_not_of("0123456789"), std::size_t {20}));
}

} // namespace

FileKind detectKind(std::span<const std::byte> bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.substr(0, 4) == "GGUF")
        return FileKind::Gguf;
    if (text.substr(0, 4) == "PK\x03\x04" || text.substr(0, 4) == "PK\x05\x06")
        return FileKind::Zip;
    if (text.substr(0, kLegacyMagic.size()) == kLegacyMagic)
        return FileKind::LegacyTorch;
    if (text.size() >= 9 && text[8] == '{')
        return FileKind::Safetensors;
    if (text.size() >= 2 && text[0] == '\x80' && static_cast<unsigned char>(text[1]) <= 5)
        return FileKind::Pickle;
    if (text.substr(0, kLfs.size()) == kLfs)
        return FileKind::LfsPointer;
    if (isTar(text))
        return FileKind::Tar;
    std::string_view start = text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
    start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
    for (const std::string_view page : {"<!doctype", "<html", "<?xml"})
        if (startsWithAnyCase(start, page))
            return FileKind::WebPage;
    return !start.empty() && start[0] == '{' ? FileKind::Json : FileKind::Unknown;
}

std::string_view kindName(FileKind kind)
{
    constexpr std::array<std::string_view, 10> kNames = {"unknown", "GGUF", "PyTorch zip", "pickle",
        "PyTorch before 1.6", "tar", "safetensors", "Git LFS pointer", "web page", "JSON"};
    return kNames[static_cast<std::size_t>(kind)];
}

Error refusal(FileKind kind, const ByteSource& file)
{
    const auto error = [&](ErrorCode code, std::string message) {
        return Error {code, std::move(message), file.where};
    };
    switch (kind) {
    case FileKind::Gguf:
        return error(ErrorCode::FormatUnsupported,
            "GGUF files are not supported yet; open the model as safetensors or as a PyTorch checkpoint");
    case FileKind::Pickle:
        return error(ErrorCode::FormatUnsupported,
            "this is a bare pickle, not a PyTorch checkpoint; save the state_dict with torch.save or as "
            "safetensors");
    case FileKind::LegacyTorch:
        return error(ErrorCode::FormatUnsupported,
            "saved by PyTorch before 1.6 (legacy stream); load it there and save again, or export "
            "safetensors");
    case FileKind::Tar:
        return error(ErrorCode::FormatUnsupported,
            "this is a tar archive (PyTorch before 0.1.10), not a PyTorch zip; save it again with a newer "
            "version");
    case FileKind::LfsPointer:
        return error(ErrorCode::FileIsLfsPointer,
            "This is a Git LFS pointer (" + std::to_string(file.bytes.size())
                + " bytes), not the model. Download the real file (size "
                + std::string(pointedSize(file.text())) + " from the pointer).");
    case FileKind::WebPage:
    case FileKind::Json:
        return error(ErrorCode::FileIsWebPage,
            "The download saved a web page, not a model (the file is "
                + std::string(kind == FileKind::Json ? "JSON" : "HTML or XML") + ").");
    default:
        return error(ErrorCode::FileKindUnknown,
            "not a model file that is known here; safetensors, PyTorch checkpoints (.pt, .pth, .bin) and "
            "Hugging Face folders are read");
    }
}

} // namespace kaikou
