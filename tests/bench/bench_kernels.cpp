// Milliseconds of the CPU backend, printed; no test. bench_kernels [MODEL [THREADS]]: MODEL is a file or
// folder, THREADS 0 lets the backend choose. Run it on an otherwise idle machine.
#include "inference/backend/cpu/arena.h"
#include "inference/backend/cpu/cpu_backend.h"
#include "inference/backend/cpu/kernel_table.h"
#include "inference/load/open_checkpoint.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace kaikou;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class Work>
double medianOf5(const Work& work)
{
    std::vector<double> times;
    for (int i = 0; i < 5; ++i)
        times.push_back(work());
    std::sort(times.begin(), times.end());
    std::printf(
        "    min %.3f ms, median %.3f ms, max %.3f ms\n", times[0] * 1e3, times[2] * 1e3, times[4] * 1e3);
    return times[2];
}

// GB/s of weights through the product with one column, and GFLOP/s with many.
void benchMatmul(WeightLayout layout, const char* name, std::uint32_t rows, std::uint32_t cols)
{
    PackedMatrix weights {layout, rows, cols, nullptr};
    const auto memory = Arena::allocate(weights.bytes());
    if (!memory.ok())
        return;
    weights.data = memory->data();
    std::fill_n(reinterpret_cast<float*>(weights.data), weights.bytes() / sizeof(float), 0.01F);
    for (const std::uint32_t columns : {1U, 5U, 64U}) {
        const std::vector<float> x(std::size_t {columns} * cols, 0.5F);
        std::vector<float> y(std::size_t {columns} * rows);
        const double flops = 2.0 * rows * cols * columns;
        const auto repeats = static_cast<int>(std::clamp(2e9 / flops, 1.0, 1e5));
        std::printf("%s %u x %u, %u columns:\n", name, rows, cols, columns);
        const double seconds = medianOf5([&] {
            const auto start = Clock::now();
            for (int i = 0; i < repeats; ++i)
                kernelTable().matmul(
                    {&weights, x.data(), cols, y.data(), rows, columns, 0, weights.groups()});
            return secondsSince(start) / repeats;
        });
        std::printf("    %.1f GB/s of weights, %.1f GFLOP/s\n",
            static_cast<double>(weights.bytes()) / seconds * 1e-9, flops / seconds * 1e-9);
    }
}

std::vector<BatchRow> promptRows(KvSlot slot, std::uint32_t tokens, std::uint32_t vocabRows)
{
    std::vector<BatchRow> rows;
    for (std::uint32_t i = 0; i < tokens; ++i)
        rows.push_back({slot, i, i, i * 37 % vocabRows, i + 1 == tokens ? Output::Logits : Output::None});
    return rows;
}

void benchPrefill(Model& model, std::uint32_t tokens)
{
    std::printf("prefill of %u tokens, logits of the last (time to first token without sampling):\n", tokens);
    const double seconds = medianOf5([&] {
        const KvSlot slot = *model.openSlot(tokens);
        const auto rows = promptRows(slot, tokens, model.info().config.vocabRows);
        const auto start = Clock::now();
        const auto result = model.step(rows, {});
        const double time = secondsSince(start);
        model.closeSlot(slot);
        return result.ok() ? time : 0.0;
    });
    std::printf("    %.0f tokens/s\n", tokens / seconds);
}

// `prompt` tokens, then `generated` single-token steps of `sequences` slots together, head included.
void benchDecode(Model& model, std::uint32_t prompt, std::uint32_t generated, std::uint32_t sequences)
{
    const std::uint32_t vocabRows = model.info().config.vocabRows;
    std::printf("decode of %u tokens after %u, %u sequences:\n", generated, prompt, sequences);
    const double seconds = medianOf5([&] {
        std::vector<KvSlot> open;
        for (std::uint32_t s = 0; s < sequences; ++s) {
            open.push_back(*model.openSlot(prompt + generated));
            static_cast<void>(model.step(promptRows(open.back(), prompt, vocabRows), {}));
        }
        const auto start = Clock::now();
        for (std::uint32_t i = 0; i < generated; ++i) {
            std::vector<BatchRow> rows;
            for (const KvSlot slot : open)
                rows.push_back({slot, prompt + i, prompt + i, i * 91 % vocabRows, Output::Logits});
            static_cast<void>(model.step(rows, {}));
        }
        const double time = secondsSince(start);
        for (const KvSlot slot : open)
            model.closeSlot(slot);
        return time;
    });
    std::printf(
        "    %.0f tokens/s, %.3f ms a step\n", generated * sequences / seconds, seconds / generated * 1e3);
}

int benchModel(const char* path, std::uint32_t threads)
{
    const auto checkpoint = openCheckpoint(path);
    if (!checkpoint.ok()) {
        std::fprintf(stderr, "%s\n", checkpoint.error().message.c_str());
        return 1;
    }
    LoadOptions options;
    options.threads = threads;
    CpuBackend backend;
    const auto start = Clock::now();
    const auto model = backend.load(*checkpoint, options, {});
    if (!model.ok()) {
        std::fprintf(stderr, "%s\n", model.error().message.c_str());
        return 1;
    }
    const ModelInfo& info = (*model)->info();
    std::printf("%s: loaded in %.1f ms, %s, %.1f MB of weights\n", path, secondsSince(start) * 1e3,
        info.device.c_str(), static_cast<double>(info.memory.weights) * 1e-6);
    benchPrefill(**model, std::min(100U, info.context));
    const std::uint32_t prompt = std::min(64U, info.context / 2);
    benchDecode(**model, prompt, std::min(64U, info.context - prompt), 1);
    if (info.slotCount >= 5)
        benchDecode(**model, prompt, std::min(64U, info.context - prompt), 5);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    std::printf("kernels: %s\n", isaName(kernelTable().isa).data());
    if (argc > 1)
        return benchModel(argv[1], argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 0);
    for (const std::uint32_t rows : {512U, 8192U, 98304U}) { // 0.5, 8 and 100 MB in f32
        benchMatmul(WeightLayout::F32R8, "f32", rows, 256);
        benchMatmul(WeightLayout::BF16R8, "bf16", rows, 256);
        benchMatmul(WeightLayout::F16R8, "f16", rows, 256);
    }
    return 0;
}
