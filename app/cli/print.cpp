#include "app/cli/print.h"

#include <unistd.h>

#include <array>
#include <cstdio>

namespace kaikou::cli {

std::string_view advice(ErrorCode code)
{
    switch (code) {
    case ErrorCode::FileNotFound:
        return "check the path";
    case ErrorCode::FileAccess:
        return "check the file's permissions";
    case ErrorCode::FileEmpty:
    case ErrorCode::FormatTruncated:
    case ErrorCode::FormatRange:
    case ErrorCode::FormatZip:
        return "the file is damaged or incomplete: copy or download it again";
    case ErrorCode::FileIsLfsPointer:
    case ErrorCode::FileIsWebPage:
        return "download the real file";
    case ErrorCode::PickleForbidden:
        return "ask for a .safetensors file: only weights are read, nothing in a file is ever run";
    case ErrorCode::FormatUnsupported:
    case ErrorCode::FileKindUnknown:
    case ErrorCode::ArchitectureUnknown:
        return "see the table of formats in the README";
    case ErrorCode::TokenizerMissing:
        return "put tokenizer.json beside the weights or name it with --tokenizer";
    case ErrorCode::TokenizerMismatch:
        return "use the tokenizer the model was trained with";
    case ErrorCode::ConfigMissing:
        return "put config.json beside the weights";
    case ErrorCode::OutOfMemory:
        return "close other programs or use a shorter --context";
    case ErrorCode::ParameterRange:
    case ErrorCode::ParameterUnsupported:
        return "see --help for the allowed values";
    case ErrorCode::PromptTooLong:
        return "shorten the prompt";
    case ErrorCode::PromptEmpty:
        return "give a prompt";
    case ErrorCode::NonFiniteLogits:
    case ErrorCode::NonFiniteWeights:
        return "the weights are broken: train or download them again";
    case ErrorCode::FileWrite:
        return "choose a place with free space that you may write to";
    case ErrorCode::ConfigInvalid:
        return "correct the named entry, or take the config.json the weights came with";
    case ErrorCode::TensorMissing:
    case ErrorCode::TensorShape:
    case ErrorCode::TensorUnexpected:
        return "config.json and weights do not belong together: take both from one place";
    case ErrorCode::TokenizerInvalid:
    case ErrorCode::TokenizerUnsupported:
    case ErrorCode::TokenizerRegex:
        return "take the tokenizer.json the model came with, or name another with --tokenizer";
    case ErrorCode::DeviceUnavailable:
    case ErrorCode::NoDriver:
    case ErrorCode::DriverTooOld:
    case ErrorCode::DriverMismatch:
    case ErrorCode::NoDevice:
    case ErrorCode::NoKernelImage:
    case ErrorCode::DeviceBusy:
    case ErrorCode::DeviceLost:
    case ErrorCode::PluginMissing:
    case ErrorCode::PluginInvalid:
        return "use --backend cpu; kaikou-cli devices says what is there";
    case ErrorCode::FileIsFolder:
    case ErrorCode::FileRead:
    case ErrorCode::FileTooLarge:
    case ErrorCode::FormatMagic:
    case ErrorCode::FormatVersion:
    case ErrorCode::FormatLimit:
    case ErrorCode::FormatDuplicate:
    case ErrorCode::FormatDtype:
    case ErrorCode::FormatPickle:
    case ErrorCode::FormatJson:
        return "check that this is the file you mean, or save it again with the tool that made it";
    case ErrorCode::TokenIdRange:
    case ErrorCode::InputInvalid:
        return "correct the input";
    default:
        return "try again; if it stays, report it with the exact command";
    }
}

int printError(const Error& error, const Console& console)
{
    const std::string where = error.where.empty() ? std::string("-") : error.where;
    const std::string line
        = "error: " + error.message + " — " + where + " — " + std::string(advice(error.code)) + "\n";
    std::fputs(line.c_str(), stderr);
    if (console.json) {
        const Json inner = Json::object()
                               .set("code", static_cast<std::uint16_t>(error.code))
                               .set("message", error.message)
                               .set("where", error.where);
        std::fprintf(stderr, "%s\n", Json::object().set("error", inner).dump().c_str());
    }
    return kFailed;
}

void note(const Console& console, const std::string& text)
{
    if (!console.quiet)
        std::fprintf(stderr, "%s\n", text.c_str());
}

void noteUnknown(const PromptInfo& prompt, const Console& console)
{
    std::string list;
    for (const std::string& character : prompt.unknownCharacters)
        list += (list.empty() ? "'" : ", '") + visible(character) + "'";
    if (!list.empty())
        note(console, "note: the tokenizer does not know " + list + "; the model reads <unk> there");
}

void printJson(const Json& object)
{
    printText(object.dump() + "\n");
}

void printText(std::string_view text)
{
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

Json bytesJson(std::string_view bytes)
{
    Json array = Json::array();
    for (const char byte : bytes)
        array.push(static_cast<std::uint8_t>(byte));
    return array;
}

std::string visible(std::string_view bytes)
{
    if (isValidUtf8(bytes)) {
        std::string text;
        for (const char byte : bytes)
            byte == '\n' ? text.append("⏎") : text.append(1, byte);
        return text;
    }
    std::string text = "⟨";
    for (const char byte : bytes) {
        std::array<char, 4> hex {};
        std::snprintf(
            hex.data(), hex.size(), "%02X", static_cast<unsigned>(static_cast<unsigned char>(byte)));
        text += (text.size() > 3 ? " " : "") + std::string(hex.data());
    }
    return text + "⟩";
}

void progressLine(const Console& console, std::string_view what, double fraction)
{
    if (!console.quiet && !console.json && isatty(STDERR_FILENO) != 0)
        std::fprintf(stderr, "\r%.*s %3.0f %%", static_cast<int>(what.size()), what.data(), fraction * 100.0);
}

void endProgress(const Console& console)
{
    if (!console.quiet && !console.json && isatty(STDERR_FILENO) != 0)
        std::fputs("\r\033[K", stderr);
}

} // namespace kaikou::cli
