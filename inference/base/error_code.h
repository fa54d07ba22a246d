#pragma once

#include <cstdint>

namespace kaikou {

// What went wrong, as a number that never changes: it reaches files, JSON and translations.
// Families: 1xx file, 2xx format, 3xx tokenizer, 4xx model, 5xx device, 6xx request, 7xx network, 8xx
// storage, 9xx internal.
enum class ErrorCode : std::uint16_t
{
    FileNotFound = 101,
    FileAccess = 102,
    FileEmpty = 103,
    FileIsFolder = 104,
    FileRead = 105,
    FileTooLarge = 106,
    FileKindUnknown = 107,
    FileIsLfsPointer = 108,
    FileIsWebPage = 109,
    FileWrite = 110,

    FormatMagic = 201,
    FormatVersion = 202,
    FormatTruncated = 203,
    FormatLimit = 204, // a count or length is beyond what the reader accepts
    FormatJson = 205,
    FormatDuplicate = 206,
    FormatRange = 207, // offsets outside the file, gaps or overlaps
    FormatDtype = 208,
    FormatZip = 209,
    FormatPickle = 210,
    PickleForbidden = 211, // the file asks to call something that is not a weight
    FormatUnsupported = 212, // a known kind that Kaikou does not read (TorchScript, packed int8, ...)

    TokenizerMissing = 301,
    TokenizerInvalid = 302,
    TokenizerUnsupported = 303,
    TokenizerMismatch = 304, // vocabulary larger than the embedding
    TokenizerRegex = 305,

    ConfigMissing = 401,
    ConfigInvalid = 402,
    ArchitectureUnknown = 403,
    TensorMissing = 404,
    TensorShape = 405,
    TensorUnexpected = 406,
    NonFiniteWeights = 407,
    NonFiniteLogits = 408,

    OutOfMemory = 501,
    DeviceUnavailable = 502,
    NoDriver = 503,
    DriverTooOld = 504,
    DriverMismatch = 505,
    NoDevice = 506,
    NoKernelImage = 507,
    DeviceBusy = 508,
    DeviceLost = 509,
    PluginMissing = 510,
    PluginInvalid = 511,

    ParameterRange = 601,
    PromptTooLong = 602,
    PromptEmpty = 603,
    QueueFull = 604,
    ParameterUnsupported = 605,
    TokenIdRange = 606,
    ShuttingDown = 607,
    Cancelled = 608,
    InputInvalid = 609,

    StorageWrite = 801,
    StorageRead = 802,

    Internal = 901,
};

} // namespace kaikou
