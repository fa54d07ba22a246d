#include "app/cli/model_argument.h"

#include "app/cli/print.h"
#include "inference/backend/registry.h"
#include "inference/load/open_checkpoint.h"

#ifdef KAIKOU_EMBEDDED_MODEL
#include "resources/embedded_model.h"
#endif

#include <CLI/CLI.hpp>

namespace kaikou::cli {

namespace {

Result<Checkpoint> openBuiltin()
{
#ifdef KAIKOU_EMBEDDED_MODEL
    const EmbeddedModel files = embeddedModel();
    return openEmbedded({files.config, files.weights, files.tokenizer, files.generationConfig});
#else
    return Error {ErrorCode::FileNotFound, "this build has no embedded model", "builtin"};
#endif
}

Result<LoadOptions> loadOptions(const ModelOptions& options, std::uint32_t slotCount)
{
    LoadOptions load;
    load.slotCount = slotCount;
    load.threads = options.threads;
    load.context = options.context;
    load.precision = options.precision == "exact" ? Precision::Exact : Precision::Auto;
    load.kv = options.kv == "f32" ? KvType::F32 : options.kv == "f16" ? KvType::F16 : KvType::Auto;
    if (options.backend == "cuda")
        return Error {ErrorCode::DeviceUnavailable,
            "this version computes on the CPU only (see kaikou-cli devices)", "--backend"};
    return load;
}

Progress progressOf(const Console& console, const char* what)
{
    Progress progress;
    progress.report = [&console, what](double fraction) { progressLine(console, what, fraction); };
    return progress;
}

void showWarnings(const std::vector<Warning>& warnings, const Console& console)
{
    for (const Warning& warning : warnings)
        note(console, "note: " + warning.message + (warning.where.empty() ? "" : " — " + warning.where));
}

} // namespace

void ModelOptions::addTo(CLI::App& app, Console& console, bool positional)
{
    if (positional)
        app.add_option("MODEL", model, "A file, a folder, or builtin")->required();
    app.add_option("--tokenizer", tokenizer, "A tokenizer.json instead of the one beside the weights");
    app.add_option("--backend", backend, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    app.add_option("--precision", precision, "auto or exact")->check(CLI::IsMember({"auto", "exact"}));
    app.add_option("--kv", kv, "KV cache: auto, f32 or f16")->check(CLI::IsMember({"auto", "f32", "f16"}));
    app.add_option("--threads", threads, "Worker threads; 0 = one per core")->check(CLI::Range(0, 1024));
    app.add_option(
        "--context", context, "Positions per sequence, up to the model's own; 0 = the model's, at most 4096");
    app.add_flag("--json", console.json, "One JSON object on stdout");
    app.add_flag("--quiet", console.quiet, "No notes and no progress on stderr");
}

Result<Checkpoint> openModel(const ModelOptions& options, const Console& console)
{
    if (options.model == "builtin" && !options.tokenizer.empty())
        return Error {
            ErrorCode::ParameterUnsupported, "the built-in model brings its own tokenizer", "--tokenizer"};
    OpenOptions open;
    if (!options.tokenizer.empty())
        open.tokenizer = options.tokenizer;
    Result<Checkpoint> checkpoint = options.model == "builtin"
        ? openBuiltin()
        : openCheckpoint(options.model, open, progressOf(console, "opening"));
    endProgress(console);
    if (checkpoint && options.context > checkpoint->config.context)
        return Error {ErrorCode::ParameterRange,
            std::to_string(options.context) + " positions where the model was made for "
                + std::to_string(checkpoint->config.context),
            "--context"};
    return checkpoint;
}

Result<LoadedModel> loadModel(const ModelOptions& options, const Console& console, std::uint32_t slotCount)
{
    KAIKOU_TRY(const LoadOptions load, loadOptions(options, slotCount));
    KAIKOU_TRY(Checkpoint checkpoint, openModel(options, console));
    Result<LoadedModel> loaded = kaikou::loadModel(std::move(checkpoint), cpuOnlyRegistry(), load,
        progressOf(console, "loading"), options.backend == "auto" ? "cpu" : options.backend);
    endProgress(console);
    if (loaded)
        showWarnings(loaded->meta.warnings, console);
    return loaded;
}

Result<Engine> startEngine(const ModelOptions& options, const Console& console, std::uint32_t slotCount)
{
    KAIKOU_TRY(LoadedModel loaded, loadModel(options, console, slotCount));
    Engine engine;
    engine.kind = modelKind(loaded.meta);
    engine.hints = loaded.meta.generation;
    engine.service = std::make_unique<Scheduler>(std::move(loaded));
    return engine;
}

} // namespace kaikou::cli
