#pragma once

#include <cstdio>
#include <cstdlib>

// A broken contract between parts of the program, never bad input. On where KAIKOU_ASSERTS is defined (dev,
// asan, tsan).
#ifdef KAIKOU_ASSERTS
#define KAIKOU_ASSERT(condition)                                                                             \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition);           \
            std::abort();                                                                                    \
        }                                                                                                    \
    } while (false)
#else
#define KAIKOU_ASSERT(condition) static_cast<void>(0)
#endif
