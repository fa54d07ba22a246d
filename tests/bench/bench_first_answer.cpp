// From the start of the desktop program to its first painted window, first token and whole answer, in ms.
// The embedded model, no display needed: bench_first_answer path/to/kaikou [runs]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRuns = 5;
constexpr std::array<const char*, 4> kStages = {"window", "asked", "first token", "finished"};

// Reads the stages of one start; false = the program did not get to its end.
bool measure(const std::string& command, std::map<std::string, std::vector<double>>& times)
{
    const auto begin = Clock::now();
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr)
        return false;
    std::array<char, 64> line {};
    while (fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
        const std::chrono::duration<double, std::milli> passed = Clock::now() - begin;
        std::string stage(line.data());
        stage.erase(stage.find_last_not_of('\n') + 1);
        times[stage].push_back(passed.count());
    }
    return pclose(pipe) == 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_first_answer path/to/kaikou [runs]\n");
        return 2;
    }
    const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : kRuns;
    std::string folder = (std::filesystem::temp_directory_path() / "kaikou-bench-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
        std::fprintf(stderr, "no temporary folder\n");
        return 1;
    }
    const std::string command = "QT_QPA_PLATFORM=offscreen '" + std::string(argv[1])
        + "' --lang zh_CN --settings '" + folder + "/kaikou.ini' --ask 你好 --stages";
    std::map<std::string, std::vector<double>> times;
    for (int run = 0; run < runs; ++run) {
        if (!measure(command, times)) {
            std::fprintf(stderr, "%s did not answer\n", argv[1]);
            return 1;
        }
    }
    std::error_code ignored; // a left-over folder changes no number
    std::filesystem::remove_all(folder, ignored);
    std::printf(
        "%-12s %9s %9s %9s   ms after the start, %d runs\n", "stage", "best", "median", "worst", runs);
    for (const char* stage : kStages) {
        std::vector<double>& values = times[stage];
        if (values.empty())
            continue;
        std::ranges::sort(values);
        std::printf(
            "%-12s %9.0f %9.0f %9.0f\n", stage, values.front(), values[values.size() / 2], values.back());
    }
    return 0;
}
