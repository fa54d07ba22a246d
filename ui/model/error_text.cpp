#include "ui/model/error_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace kaikou {

namespace {

struct Row
{
    ErrorCode code;
    const char* what;
    const char* next;
};

constexpr const char* kContext = "ErrorText";

constexpr Row kRows[] = {
    {ErrorCode::FileNotFound, QT_TRANSLATE_NOOP("ErrorText", "The file or folder is not there."),
        QT_TRANSLATE_NOOP("ErrorText", "Check the path, or open the model from its new place.")},
    {ErrorCode::FileAccess, QT_TRANSLATE_NOOP("ErrorText", "The file may not be read."),
        QT_TRANSLATE_NOOP("ErrorText", "Give yourself permission to read it, then try again.")},
    {ErrorCode::FileEmpty, QT_TRANSLATE_NOOP("ErrorText", "The file is empty."),
        QT_TRANSLATE_NOOP("ErrorText", "Copy or save the checkpoint again; the transfer was cut off.")},
    {ErrorCode::FileIsFolder, QT_TRANSLATE_NOOP("ErrorText", "This is a folder, a file was expected."),
        QT_TRANSLATE_NOOP("ErrorText", "Choose the file inside the folder.")},
    {ErrorCode::FileRead, QT_TRANSLATE_NOOP("ErrorText", "The file could not be read to its end."),
        QT_TRANSLATE_NOOP("ErrorText", "Check the disk or the network drive, then try again.")},
    {ErrorCode::FileTooLarge, QT_TRANSLATE_NOOP("ErrorText", "The file is larger than Kaikou accepts."),
        QT_TRANSLATE_NOOP("ErrorText", "Choose a smaller model.")},
    {ErrorCode::FileKindUnknown,
        QT_TRANSLATE_NOOP("ErrorText", "This is not a model file that Kaikou knows."),
        QT_TRANSLATE_NOOP(
            "ErrorText", "Open a .pt, .pth or .safetensors checkpoint, or the folder it was saved in.")},
    {ErrorCode::FileIsLfsPointer,
        QT_TRANSLATE_NOOP("ErrorText", "This is a Git LFS pointer, not the weights themselves."),
        QT_TRANSLATE_NOOP("ErrorText", "Run \"git lfs pull\" in its folder, then open it again.")},
    {ErrorCode::FileIsWebPage, QT_TRANSLATE_NOOP("ErrorText", "This is a web page, not a model."),
        QT_TRANSLATE_NOOP("ErrorText", "Download the file itself instead of the page that shows it.")},
    {ErrorCode::FileWrite, QT_TRANSLATE_NOOP("ErrorText", "The file could not be written."),
        QT_TRANSLATE_NOOP("ErrorText", "Check the free space and your permission, or choose another place.")},

    {ErrorCode::FormatMagic, QT_TRANSLATE_NOOP("ErrorText", "The file is not what its name says."),
        QT_TRANSLATE_NOOP("ErrorText", "Check that it was not renamed, and copy it again.")},
    {ErrorCode::FormatVersion,
        QT_TRANSLATE_NOOP("ErrorText", "The file has a version that Kaikou cannot read."),
        QT_TRANSLATE_NOOP("ErrorText", "Save the model again with a current version of its tool.")},
    {ErrorCode::FormatTruncated, QT_TRANSLATE_NOOP("ErrorText", "The file is cut off."),
        QT_TRANSLATE_NOOP("ErrorText", "Copy or download it again; its end is missing.")},
    {ErrorCode::FormatLimit, QT_TRANSLATE_NOOP("ErrorText", "The file claims a size that no real model has."),
        QT_TRANSLATE_NOOP("ErrorText", "The file is damaged; copy it again from its source.")},
    {ErrorCode::FormatJson, QT_TRANSLATE_NOOP("ErrorText", "A JSON part of the model is damaged."),
        QT_TRANSLATE_NOOP("ErrorText", "The details name the place; repair it or copy the file again.")},
    {ErrorCode::FormatDuplicate, QT_TRANSLATE_NOOP("ErrorText", "A name occurs twice in the file."),
        QT_TRANSLATE_NOOP("ErrorText", "Save the checkpoint again; Kaikou does not guess which one counts.")},
    {ErrorCode::FormatRange, QT_TRANSLATE_NOOP("ErrorText", "Parts of the file overlap or lie outside it."),
        QT_TRANSLATE_NOOP("ErrorText", "The file is damaged; copy it again from its source.")},
    {ErrorCode::FormatDtype,
        QT_TRANSLATE_NOOP("ErrorText", "The weights use a number format that Kaikou cannot read."),
        QT_TRANSLATE_NOOP("ErrorText", "Save the model as float32, float16 or bfloat16.")},
    {ErrorCode::FormatZip, QT_TRANSLATE_NOOP("ErrorText", "The checkpoint's archive is damaged."),
        QT_TRANSLATE_NOOP("ErrorText", "Copy the file again or save the checkpoint once more.")},
    {ErrorCode::FormatPickle, QT_TRANSLATE_NOOP("ErrorText", "The checkpoint's list of weights is damaged."),
        QT_TRANSLATE_NOOP("ErrorText", "Save the checkpoint again with torch.save.")},
    {ErrorCode::PickleForbidden,
        QT_TRANSLATE_NOOP("ErrorText", "The file asks to run code; Kaikou never does that."),
        QT_TRANSLATE_NOOP(
            "ErrorText", "Do not trust this file. Ask its author for a .safetensors copy of the weights.")},
    {ErrorCode::FormatUnsupported,
        QT_TRANSLATE_NOOP("ErrorText", "Kaikou knows this kind of file but cannot read it."),
        QT_TRANSLATE_NOOP("ErrorText", "Save the plain weights instead, for example with torch.save.")},

    {ErrorCode::TokenizerMissing, QT_TRANSLATE_NOOP("ErrorText", "The model has no tokenizer."),
        QT_TRANSLATE_NOOP("ErrorText", "Put its tokenizer.json beside the weights and open them again.")},
    {ErrorCode::TokenizerInvalid, QT_TRANSLATE_NOOP("ErrorText", "The tokenizer file is damaged."),
        QT_TRANSLATE_NOOP("ErrorText", "Copy tokenizer.json again from where the model was trained.")},
    {ErrorCode::TokenizerUnsupported,
        QT_TRANSLATE_NOOP("ErrorText", "The tokenizer is of a kind that Kaikou cannot read."),
        QT_TRANSLATE_NOOP("ErrorText", "Use a byte-level BPE tokenizer.json.")},
    {ErrorCode::TokenizerMismatch,
        QT_TRANSLATE_NOOP("ErrorText", "Tokenizer and weights do not belong together."),
        QT_TRANSLATE_NOOP("ErrorText", "Use the tokenizer.json the model was trained with.")},
    {ErrorCode::TokenizerRegex,
        QT_TRANSLATE_NOOP("ErrorText", "The tokenizer holds a pattern that cannot be used."),
        QT_TRANSLATE_NOOP("ErrorText", "The details name the pattern; repair it in tokenizer.json.")},

    {ErrorCode::ConfigMissing, QT_TRANSLATE_NOOP("ErrorText", "The model's configuration is missing."),
        QT_TRANSLATE_NOOP("ErrorText", "Put its config file beside the weights and open them again.")},
    {ErrorCode::ConfigInvalid, QT_TRANSLATE_NOOP("ErrorText", "The model's configuration is wrong."),
        QT_TRANSLATE_NOOP("ErrorText", "The details name the field; correct it in the config file.")},
    {ErrorCode::ArchitectureUnknown, QT_TRANSLATE_NOOP("ErrorText", "Kaikou cannot run this kind of model."),
        QT_TRANSLATE_NOOP("ErrorText", "Open a GPT_teacher checkpoint or a model of the Llama shape.")},
    {ErrorCode::TensorMissing, QT_TRANSLATE_NOOP("ErrorText", "A part of the weights is missing."),
        QT_TRANSLATE_NOOP("ErrorText", "Save the whole state_dict, or open the complete folder.")},
    {ErrorCode::TensorShape, QT_TRANSLATE_NOOP("ErrorText", "A part of the weights has the wrong size."),
        QT_TRANSLATE_NOOP("ErrorText", "Check that weights and configuration come from the same training.")},
    {ErrorCode::TensorUnexpected,
        QT_TRANSLATE_NOOP("ErrorText", "The file holds weights that this kind of model does not have."),
        QT_TRANSLATE_NOOP("ErrorText", "Check that weights and configuration come from the same training.")},
    {ErrorCode::NonFiniteWeights,
        QT_TRANSLATE_NOOP("ErrorText", "The weights hold NaN or infinity; the training went wrong."),
        QT_TRANSLATE_NOOP("ErrorText", "Open an earlier checkpoint of the same training.")},
    {ErrorCode::NonFiniteLogits,
        QT_TRANSLATE_NOOP("ErrorText", "The model computed NaN or infinity and had to stop."),
        QT_TRANSLATE_NOOP("ErrorText", "The text so far is kept. Open an earlier checkpoint.")},

    {ErrorCode::OutOfMemory, QT_TRANSLATE_NOOP("ErrorText", "There is not enough memory for this model."),
        QT_TRANSLATE_NOOP("ErrorText", "Close other programs or choose a smaller model.")},
    {ErrorCode::DeviceUnavailable, QT_TRANSLATE_NOOP("ErrorText", "The device cannot be used."),
        QT_TRANSLATE_NOOP("ErrorText", "Kaikou goes on with the processor.")},
    {ErrorCode::NoDriver, QT_TRANSLATE_NOOP("ErrorText", "No NVIDIA driver is installed."),
        QT_TRANSLATE_NOOP("ErrorText", "Install the driver, or go on with the processor.")},
    {ErrorCode::DriverTooOld, QT_TRANSLATE_NOOP("ErrorText", "The NVIDIA driver is too old."),
        QT_TRANSLATE_NOOP("ErrorText", "Update the driver, or go on with the processor.")},
    {ErrorCode::DriverMismatch,
        QT_TRANSLATE_NOOP("ErrorText", "The NVIDIA driver and its library have different versions."),
        QT_TRANSLATE_NOOP("ErrorText", "Restart the computer to finish the driver's update.")},
    {ErrorCode::NoDevice, QT_TRANSLATE_NOOP("ErrorText", "No NVIDIA graphics card was found."),
        QT_TRANSLATE_NOOP("ErrorText", "Kaikou goes on with the processor.")},
    {ErrorCode::NoKernelImage,
        QT_TRANSLATE_NOOP("ErrorText", "This graphics card is too old or too new for this build."),
        QT_TRANSLATE_NOOP("ErrorText", "Kaikou goes on with the processor.")},
    {ErrorCode::DeviceBusy, QT_TRANSLATE_NOOP("ErrorText", "Another program keeps the device busy."),
        QT_TRANSLATE_NOOP("ErrorText", "Close that program, or go on with the processor.")},
    {ErrorCode::DeviceLost, QT_TRANSLATE_NOOP("ErrorText", "The device stopped answering."),
        QT_TRANSLATE_NOOP("ErrorText", "Open the model again on the processor; the text so far is kept.")},
    {ErrorCode::PluginMissing, QT_TRANSLATE_NOOP("ErrorText", "This build has no GPU part."),
        QT_TRANSLATE_NOOP("ErrorText", "Install the GPU package, or go on with the processor.")},
    {ErrorCode::PluginInvalid,
        QT_TRANSLATE_NOOP("ErrorText", "The GPU part does not belong to this version of Kaikou."),
        QT_TRANSLATE_NOOP("ErrorText", "Install program and GPU part of the same version.")},

    {ErrorCode::ParameterRange, QT_TRANSLATE_NOOP("ErrorText", "A sampling value is out of its range."),
        QT_TRANSLATE_NOOP("ErrorText", "The details name the value; change it in the sampling panel.")},
    {ErrorCode::PromptTooLong,
        QT_TRANSLATE_NOOP("ErrorText", "The message is longer than the model can take in."),
        QT_TRANSLATE_NOOP("ErrorText", "Shorten it; your text is still in the input box.")},
    {ErrorCode::PromptEmpty, QT_TRANSLATE_NOOP("ErrorText", "There is nothing to send."),
        QT_TRANSLATE_NOOP("ErrorText", "Type a message first.")},
    {ErrorCode::QueueFull, QT_TRANSLATE_NOOP("ErrorText", "Too many requests are waiting."),
        QT_TRANSLATE_NOOP("ErrorText", "Wait until one has ended, then send again.")},
    {ErrorCode::ParameterUnsupported, QT_TRANSLATE_NOOP("ErrorText", "This model cannot do what was asked."),
        QT_TRANSLATE_NOOP("ErrorText", "The details name the setting; switch it off.")},
    {ErrorCode::TokenIdRange,
        QT_TRANSLATE_NOOP("ErrorText", "A token number is outside the model's vocabulary."),
        QT_TRANSLATE_NOOP("ErrorText", "Check that tokenizer and weights belong together.")},
    {ErrorCode::ShuttingDown, QT_TRANSLATE_NOOP("ErrorText", "The model is being closed."),
        QT_TRANSLATE_NOOP("ErrorText", "Open a model and send again.")},
    {ErrorCode::Cancelled, QT_TRANSLATE_NOOP("ErrorText", "Stopped at your request."),
        QT_TRANSLATE_NOOP("ErrorText", "Start again whenever you like.")},
    {ErrorCode::InputInvalid, QT_TRANSLATE_NOOP("ErrorText", "The input has the wrong form."),
        QT_TRANSLATE_NOOP("ErrorText", "The details name the place; correct it there.")},

    {ErrorCode::StorageWrite, QT_TRANSLATE_NOOP("ErrorText", "The data could not be saved."),
        QT_TRANSLATE_NOOP("ErrorText", "Check the free space; what you see stays until you close Kaikou.")},
    {ErrorCode::StorageRead, QT_TRANSLATE_NOOP("ErrorText", "Saved data could not be read."),
        QT_TRANSLATE_NOOP("ErrorText", "The details name the file; move it away and start again.")},

    {ErrorCode::Internal, QT_TRANSLATE_NOOP("ErrorText", "Something went wrong inside Kaikou."),
        QT_TRANSLATE_NOOP("ErrorText", "Please report it with Help > Copy diagnostics.")},
};

} // namespace

ErrorText errorText(ErrorCode code)
{
    const auto* const row = std::find_if(
        std::begin(kRows), std::end(kRows), [code](const Row& candidate) { return candidate.code == code; });
    if (row == std::end(kRows))
        return {};
    return {
        QCoreApplication::translate(kContext, row->what), QCoreApplication::translate(kContext, row->next)};
}

QString sentences(const ErrorText& text)
{
    //: Two sentences, one after the other: what happened, what to do now.
    return QCoreApplication::translate(kContext, "%1 %2").arg(text.what, text.next);
}

QString errorDetails(const Error& error)
{
    QString text = QStringLiteral("%1 (%2)")
                       .arg(QString::fromStdString(error.message))
                       .arg(static_cast<int>(error.code));
    if (!error.where.empty())
        text += QStringLiteral("\n") + QString::fromStdString(error.where);
    return text;
}

} // namespace kaikou
