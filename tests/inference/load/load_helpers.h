#pragma once

#include "inference/base/byte_source.h"
#include "inference/base/half.h"
#include "inference/load/open_checkpoint.h"
#include "inference/model/checkpoint.h"

#include <QString>
#include <QTemporaryDir>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace kaikou::test {

inline std::filesystem::path pathOf(const QTemporaryDir& folder)
{
    return folder.path().toStdString();
}

// Bytes in memory of exactly their size, so that a sanitizer sees a read past the end.
inline ByteSource memory(std::string_view text, const std::string& where = "memory")
{
    const std::shared_ptr<std::byte[]> copy(new std::byte[text.size()]);
    std::memcpy(copy.get(), text.data(), text.size());
    return {{copy.get(), text.size()}, copy, where};
}

inline std::string slurp(const std::filesystem::path& path)
{
    const auto file = readFile(path, kMaxFileBytes);
    return file ? std::string(file->text()) : std::string();
}

// One number of a tensor, widened.
inline double valueAt(std::span<const std::byte> bytes, Dtype dtype, std::size_t index)
{
    const auto read = [&](auto value) {
        std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
        return value;
    };
    switch (dtype) {
    case Dtype::F32:
        return read(float {});
    case Dtype::F64:
        return read(double {});
    case Dtype::F16:
        return halfToFloat(read(std::uint16_t {}));
    case Dtype::BF16:
        return bfloatToFloat(read(std::uint16_t {}));
    case Dtype::I64:
        return static_cast<double>(read(std::int64_t {}));
    case Dtype::I32:
        return read(std::int32_t {});
    case Dtype::I16:
        return read(std::int16_t {});
    case Dtype::I8:
        return read(std::int8_t {});
    default:
        return read(std::uint8_t {});
    }
}

// A token whose work was called off before it began.
inline std::stop_token stoppedToken()
{
    std::jthread thread([] {});
    thread.request_stop();
    return thread.get_stop_token();
}

// What a user would read: code, message and place.
inline QString shown(const Error& error)
{
    return QString::number(static_cast<int>(error.code)) + ' ' + QString::fromStdString(error.message) + " ["
        + QString::fromStdString(error.where) + ']';
}

inline bool hasWarning(const std::vector<Warning>& warnings, ErrorCode code)
{
    for (const Warning& warning : warnings)
        if (warning.code == code)
            return true;
    return false;
}

} // namespace kaikou::test

// Opens a checkpoint that must open, as a const reference `name`. In a test slot of a file that includes
// QtTest.
#define KAIKOU_OPEN(name, ...)                                                                               \
    const auto name##Result = openCheckpoint(__VA_ARGS__);                                                   \
    QVERIFY2(name##Result.ok(), name##Result.ok() ? "" : qPrintable(shown(name##Result.error())));           \
    const Checkpoint& name = *name##Result
