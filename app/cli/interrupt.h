#pragma once

namespace kaikou::cli {

// Ctrl+C ends the work, not the program: once installed, SIGINT only sets a flag. A second one kills.
void catchInterrupt();
[[nodiscard]] bool interrupted();
void clearInterrupt();

} // namespace kaikou::cli
