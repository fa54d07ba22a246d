#include "app/cli/interrupt.h"

#include <csignal>

namespace kaikou::cli {

namespace {

volatile std::sig_atomic_t s_interrupted = 0; // a signal handler can reach nothing else

void onInterrupt(int)
{
    if (s_interrupted != 0)
        std::signal(SIGINT, SIG_DFL);
    s_interrupted = 1;
}

} // namespace

void catchInterrupt()
{
    struct sigaction action = {};
    action.sa_handler = onInterrupt;
    sigaction(SIGINT, &action, nullptr);
}

bool interrupted()
{
    return s_interrupted != 0;
}

void clearInterrupt()
{
    s_interrupted = 0;
}

} // namespace kaikou::cli
