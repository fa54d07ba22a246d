#pragma once

#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

// Runs every registered class; the exit code is the number of failures (at most 127).
inline int kaikou::test::runAll(int argc, char** argv)
{
    int failed = 0;
    for (const Factory& make : registry()) {
        const std::unique_ptr<QObject> test = make();
        failed += QTest::qExec(test.get(), argc, argv);
    }
    return failed > 127 ? 127 : failed;
}
