#include "tests/support/run_all.h"

#include <QCoreApplication>

int main(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    return kaikou::test::runAll(argc, argv);
}
