#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace kaikou::test {

using Factory = std::function<std::unique_ptr<QObject>()>;

// All test classes of one program, in link order.
inline std::vector<Factory>& registry()
{
    static std::vector<Factory> tests;
    return tests;
}

struct Register
{
    explicit Register(Factory factory) { registry().push_back(std::move(factory)); }
};

int runAll(int argc, char** argv);

} // namespace kaikou::test

// Adds a QObject with test slots to its folder's program.
#define KAIKOU_TEST(Class)                                                                                   \
    static const kaikou::test::Register kRegister##Class([] { return std::make_unique<Class>(); });
