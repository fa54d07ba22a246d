// The engine over the real CPU backend: loading, and the same bits alone, in a batch, warm, scored.
#include "tests/inference/generate/cpu_rig.h"
#include "tests/inference/generate/engine_rig.h"
#include "tests/support/test_registry.h"

#include <QtTest/QtTest>

using namespace kaikou;
using namespace kaikou::test;

class TstCpuEngine : public QObject
{
    Q_OBJECT

private slots:
    void loadsWithItsTexts();
    void refusesForeignVocabulary();
    void loadsOnTheNamedBackend();
    void warnsOfDoubts();
    void batchEqualsSingle();
    void warmEqualsCold();
    void scoreEqualsTheRun();
    void choicesEqualSingleRuns();
    void saidEqualsTheRun();
};

namespace {

Outcome runOn(Scheduler& service, const Request& request)
{
    Collector collector;
    const Result<Ticket> ticket = service.submit(request, collector.queue);
    if (!ticket || !collector.untilEnded(*ticket))
        return {};
    return collector.outcomes[*ticket];
}

// Requests of the trained kinds: turns and raw text, both position modes, greedy and dice.
std::vector<Request> requests(std::uint32_t count, std::uint32_t tokens)
{
    const std::vector<std::string> texts {"什么是温度？", "The model keeps 10 tokens.", "今天我们去公园里",
        "15 乘以 6 等于多少？", "词表里的每个词都有一个概率。", "你是谁？"};
    std::vector<Request> all;
    for (std::uint32_t i = 0; i < count; ++i) {
        Request request;
        Turns turns;
        for (std::uint32_t t = 0; t < i % 3; ++t) {
            turns.turns.push_back({Role::User, texts[(i + t) % texts.size()]});
            turns.turns.push_back({Role::Assistant, texts[(i + t + 1) % texts.size()]});
        }
        turns.turns.push_back({Role::User, texts[i % texts.size()] + std::to_string(i)});
        request.prompt = turns;
        request.maxTokens = tokens;
        request.seed = 77 + i;
        request.trace = TraceLevel::Full;
        request.stops.automatic = false;
        request.ignoreEos = true;
        request.positions = i % 2 == 0 ? PositionMode::GptTeacher : PositionMode::Correct;
        request.sampling.temperature = i % 4 == 0 ? 0.0F : 1.0F;
        request.sampling.repetitionPenalty = 1.2F;
        all.push_back(std::move(request));
    }
    return all;
}

std::unique_ptr<Scheduler> service(std::uint32_t slotCount = 8)
{
    LoadOptions options;
    options.slotCount = slotCount;
    options.threads = 2;
    auto made = cpuService(tinyTeacher(), options);
    return made ? std::move(*made) : nullptr;
}

} // namespace

void TstCpuEngine::loadsWithItsTexts()
{
    const auto engine = service(3);
    QVERIFY(engine);
    const Capabilities capabilities = engine->capabilities();
    QCOMPARE(capabilities.family, Family::GptTeacher);
    QCOMPARE(capabilities.form, ChatForm::UserAssistant);
    QCOMPARE(capabilities.slotCount, 3U);
    QVERIFY(!capabilities.fingerprint.empty());
    Request request = requests(1, 4)[0];
    const Result<PromptInfo> preview = engine->text()->preview(request);
    QVERIFY(preview.ok());
    QCOMPARE(runOn(*engine, request).started.at(0).prompt->ids, preview->ids);
}

void TstCpuEngine::refusesForeignVocabulary()
{
    Result<Checkpoint> checkpoint = openCheckpoint(tinyTeacher());
    QVERIFY(checkpoint.ok());
    checkpoint->config.vocabRows = 100;
    const Result<LoadedModel> loaded = loadModel(std::move(*checkpoint), cpuOnlyRegistry(), {});
    QVERIFY(!loaded);
    QCOMPARE(loaded.error().code, ErrorCode::TokenizerMismatch);
    QVERIFY(loaded.error().message.find("100") != std::string::npos);
    Result<Checkpoint> whole = openCheckpoint(tinyTeacher());
    QCOMPARE(loadModel(std::move(*whole), BackendRegistry(), {}).error().code, ErrorCode::DeviceUnavailable);
}

void TstCpuEngine::loadsOnTheNamedBackend()
{
    BackendRegistry registry;
    registry.add("first", [] { return Error {ErrorCode::NoDevice, "not asked for", {}}; });
    registry.add("cpu", [] { return cpuOnlyRegistry().make("cpu"); });
    const auto load = [&registry](std::string_view backend) {
        return loadModel(*openCheckpoint(tinyTeacher()), registry, {}, {}, backend);
    };
    QCOMPARE(load("cpu")->model->info().backend, std::string("cpu"));
    QCOMPARE(load("first").error().code, ErrorCode::NoDevice);
    QCOMPARE(load("cuda").error().code, ErrorCode::DeviceUnavailable);
}

void TstCpuEngine::warnsOfDoubts()
{
    Result<Checkpoint> checkpoint = openCheckpoint(tinyTeacher());
    QVERIFY(checkpoint.ok());
    checkpoint->warnings.clear();
    checkpoint->tokenizer.expectedMd5 = "0123456789ab";
    const Result<LoadedModel> loaded = loadModel(std::move(*checkpoint), cpuOnlyRegistry(), {});
    QVERIFY(loaded.ok());
    QCOMPARE(loaded->meta.warnings.size(), std::size_t {1});
    QCOMPARE(loaded->meta.warnings[0].code, ErrorCode::TokenizerMismatch);
    QVERIFY(loaded->meta.weights.layers.empty()); // the file's map is closed
}

void TstCpuEngine::batchEqualsSingle()
{
    const std::vector<Request> all = requests(longRun() ? 200 : 20, longRun() ? 40 : 16);
    std::vector<Reply> alone;
    const auto single = service(1);
    QVERIFY(single);
    for (const Request& request : all)
        alone.push_back(runOn(*single, request).only());
    for (const std::uint32_t batch : {3U, 8U}) {
        for (const bool reversed : {false, true}) {
            const auto engine = service(batch);
            Collector collector;
            std::vector<Ticket> tickets(all.size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                const std::size_t index = reversed ? all.size() - 1 - i : i;
                tickets[index] = engine->submit(all[index], collector.queue).value();
            }
            for (std::size_t i = 0; i < all.size(); ++i) {
                QVERIFY(collector.untilEnded(tickets[i]));
                QVERIFY2(
                    sameRun(alone[i], collector.outcomes[tickets[i]].only()), qPrintable(QString::number(i)));
            }
        }
    }
}

void TstCpuEngine::warmEqualsCold()
{
    const Request request = requests(4, 12)[3];
    const auto engine = service();
    const Reply cold = runOn(*engine, request).only();
    const Outcome warm = runOn(*engine, request);
    QVERIFY(warm.started[0].cachedTokens + 1 == warm.started[0].promptTokens);
    QVERIFY(sameRun(cold, warm.only()));
    SchedulerOptions options;
    options.engine.batch.prefillRows = 3;
    options.engine.batch.minPrefillRows = 3;
    const auto chunked = cpuService(tinyTeacher(), {}, options);
    QVERIFY(sameRun(cold, runOn(**chunked, request).only()));
}

void TstCpuEngine::scoreEqualsTheRun()
{
    for (const Request& request : requests(4, 20)) {
        const auto engine = service();
        const Reply run = runOn(*engine, request).only();
        Request again = request;
        again.mode = Mode::Score;
        again.said = run.ids();
        const Reply score = runOn(*engine, again).only();
        QVERIFY(sameRun(run, score));
        for (std::size_t i = 0; i < run.tokens.size(); ++i)
            QVERIFY(run.tokens[i].stats.pSample == score.tokens[i].stats.pSample);
    }
}

void TstCpuEngine::choicesEqualSingleRuns()
{
    Request request = requests(4, 10)[1];
    request.choices = 12;
    const auto engine = service(4);
    const Outcome outcome = runOn(*engine, request);
    QCOMPARE(outcome.replies.size(), std::size_t {12});
    const std::uint64_t seed = request.seed;
    request.choices = 1;
    for (std::uint32_t choice = 0; choice < 12; ++choice) {
        request.seed = seed + choice;
        QVERIFY(sameRun(runOn(*engine, request).only(), outcome.replies.at(choice)));
    }
}

void TstCpuEngine::saidEqualsTheRun()
{
    for (const Request& request : requests(2, 20)) {
        const auto engine = service();
        const Reply run = runOn(*engine, request).only();
        Request rest = request;
        const std::vector<TokenId> ids = run.ids();
        rest.said.assign(ids.begin(), ids.begin() + 7);
        rest.maxTokens = 13;
        QVERIFY(sameRun(run, runOn(*engine, rest).only(), 7, 0)); // warm
        QVERIFY(sameRun(run, runOn(*service(), rest).only(), 7, 0)); // cold
    }
}

KAIKOU_TEST(TstCpuEngine)

#include "tst_cpu_engine.moc"
