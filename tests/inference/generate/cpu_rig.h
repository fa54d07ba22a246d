#pragma once

#include "inference/generate/scheduler.h"
#include "inference/load/open_checkpoint.h"
#include "tests/support/paths.h"

#include <filesystem>
#include <memory>

namespace kaikou::test {

// The small GPT_teacher checkpoint with random weights that lies in the repository.
inline std::filesystem::path tinyTeacher()
{
    return sourceDir() / "tests/golden/models/gpt_teacher/out/best.safetensors";
}

inline Result<std::unique_ptr<Scheduler>> cpuService(
    const std::filesystem::path& file, const LoadOptions& options = {}, SchedulerOptions scheduler = {})
{
    KAIKOU_TRY(Checkpoint checkpoint, openCheckpoint(file));
    KAIKOU_TRY(LoadedModel loaded, loadModel(std::move(checkpoint), cpuOnlyRegistry(), options));
    return std::make_unique<Scheduler>(std::move(loaded), scheduler);
}

} // namespace kaikou::test
