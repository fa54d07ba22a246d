#include "inference/base/byte_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace kaikou {

namespace {

class Descriptor
{
public:
    explicit Descriptor(int fd)
        : m_fd(fd)
    {
    }

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }

    [[nodiscard]] int get() const { return m_fd; }

private:
    int m_fd;
};

class Map
{
public:
    Map(void* address, std::size_t size)
        : m_address(address)
        , m_size(size)
    {
    }

    Map(const Map&) = delete;
    Map& operator=(const Map&) = delete;

    ~Map() { ::munmap(m_address, m_size); }

private:
    void* m_address;
    std::size_t m_size;
};

Error systemError(int number, const std::string& where)
{
    if (number == ENOENT || number == ENOTDIR)
        return {ErrorCode::FileNotFound, "the file does not exist", where};
    if (number == EACCES || number == EPERM)
        return {ErrorCode::FileAccess, "no permission to read the file", where};
    return {ErrorCode::FileRead, "cannot read the file: " + std::generic_category().message(number), where};
}

Result<std::size_t> sizeOf(int fd, const std::string& where, std::uint64_t limit)
{
    struct stat status
    {
    };

    if (fd < 0 || ::fstat(fd, &status) != 0)
        return systemError(errno, where);
    if (S_ISDIR(status.st_mode))
        return Error {ErrorCode::FileIsFolder, "this is a folder (directory), not a file", where};
    if (!S_ISREG(status.st_mode))
        return Error {ErrorCode::FileRead, "this is not a regular file", where};
    if (status.st_size == 0)
        return Error {ErrorCode::FileEmpty, "the file is empty (0 bytes)", where};
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > limit)
        return Error {ErrorCode::FileTooLarge,
            std::to_string(size) + " bytes are more than the " + std::to_string(limit) + " accepted here",
            where};
    return static_cast<std::size_t>(size);
}

// O_NONBLOCK: a pipe under the name of a model must not hang the program.
Descriptor openForReading(const std::filesystem::path& path)
{
    return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

} // namespace

Result<ByteSource> mapFile(const std::filesystem::path& path, std::uint64_t limit)
{
    const std::string where = path.string();
    const Descriptor file = openForReading(path);
    KAIKOU_TRY(const std::size_t size, sizeOf(file.get(), where, limit));
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (address == MAP_FAILED)
        return systemError(errno, where);
    return ByteSource {
        {static_cast<const std::byte*>(address), size}, std::make_shared<const Map>(address, size), where};
}

Result<ByteSource> readFile(const std::filesystem::path& path, std::uint64_t limit)
{
    const std::string where = path.string();
    const Descriptor file = openForReading(path);
    KAIKOU_TRY(const std::size_t size, sizeOf(file.get(), where, limit));
    auto bytes = std::make_shared<std::vector<std::byte>>(size);
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::read(file.get(), bytes->data() + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError(errno, where);
        if (got == 0)
            return Error {ErrorCode::FileRead, "the file became shorter while it was read", where};
        done += static_cast<std::size_t>(got);
    }
    return ByteSource {*bytes, bytes, where};
}

} // namespace kaikou
