#pragma once

#include <QtCore/QtGlobal>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

namespace kaikou::test {

// Drops root for a while: root may write everywhere.
class AsNobody
{
public:
    AsNobody()
        : m_user(::geteuid())
    {
        if (m_user == 0 && ::setresuid(65534, 65534, 0) != 0)
            qFatal("cannot drop root");
    }

    ~AsNobody()
    {
        if (m_user == 0 && ::setresuid(0, 0, 0) != 0)
            qFatal("cannot become root again");
    }

private:
    uid_t m_user;
};

// No file of this process may grow beyond `bytes`: the nearest thing to a full disk without one.
class SmallFiles
{
public:
    explicit SmallFiles(rlim_t bytes)
    {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_old);
        const rlimit limit {bytes, m_old.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }

    ~SmallFiles() { ::setrlimit(RLIMIT_FSIZE, &m_old); }

private:
    rlimit m_old {};
};

} // namespace kaikou::test
