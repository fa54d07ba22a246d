#include "resources/embedded_model.h"

#include "inference/backend/registry.h"
#include "inference/base/json.h"
#include "inference/generate/loaded_model.h"
#include "inference/generate/scheduler.h"
#include "inference/load/open_checkpoint.h"
#include "tests/support/paths.h"
#include "tests/support/test_registry.h"

#include <cmath>

using namespace kaikou;

namespace {

constexpr double kTolerance = 1e-3; // of a logit: bf16 weights widened to f32 on both sides
constexpr double kNearTie = 5e-3;

Result<LoadedModel> loadBuiltin()
{
    const EmbeddedModel files = embeddedModel();
    KAIKOU_TRY(Checkpoint checkpoint,
        openEmbedded({files.config, files.weights, files.tokenizer, files.generationConfig}));
    BackendRegistry registry = cpuOnlyRegistry();
    return loadModel(std::move(checkpoint), registry, {});
}

std::vector<TokenId> idsOf(JsonValue list)
{
    std::vector<TokenId> ids;
    for (const JsonValue id : list.children())
        ids.push_back(static_cast<TokenId>(*id.count()));
    return ids;
}

std::vector<double> numbersOf(JsonValue list)
{
    std::vector<double> numbers;
    for (const JsonValue number : list.children())
        numbers.push_back(*number.number());
    return numbers;
}

Turns turnsOf(JsonValue messages)
{
    Turns turns;
    for (const JsonValue message : messages.children()) {
        const Role role = *message["role"].string() == "user" ? Role::User : Role::Assistant;
        turns.turns.push_back({role, std::string(*message["content"].string())});
    }
    return turns;
}

} // namespace

// The embedded model as the product runs it against PyTorch on the same weights
// (resources/model/train/golden.py).
class TstBuiltin : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void isWhatItsCardSays();
    void promptIdsEqualTheTrainers();
    void logitsEqualTorch();
    void greedyIdsEqualTorch();

private:
    [[nodiscard]] JsonValue rows() const { return m_golden->root()["rows"]; }

    std::optional<JsonDocument> m_golden;
};

void TstBuiltin::initTestCase()
{
    QFile file(QString::fromStdString((test::sourceDir() / "tests/golden/builtin.json").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    auto document = JsonDocument::parse(file.readAll().toStdString(), "builtin.json");
    QVERIFY(document.ok());
    m_golden = std::move(*document);
    QCOMPARE(rows().size(), std::size_t {20});
}

void TstBuiltin::isWhatItsCardSays()
{
    const auto loaded = loadBuiltin();
    QVERIFY(loaded.ok());
    QCOMPARE(loaded->meta.parameters, std::uint64_t {3668736});
    QCOMPARE(loaded->form, ChatForm::UserAssistant);
    QCOMPARE(loaded->model->info().config.family, Family::Llama);
    QVERIFY(loaded->meta.warnings.empty());
}

void TstBuiltin::promptIdsEqualTheTrainers()
{
    auto loaded = loadBuiltin();
    QVERIFY(loaded.ok());
    const Scheduler service(std::move(*loaded));
    for (const JsonValue row : rows().children()) {
        Request request;
        request.prompt = turnsOf(row["messages"]);
        const auto prompt = service.text()->preview(request);
        QVERIFY(prompt.ok());
        QCOMPARE(prompt->ids, idsOf(row["ids"]));
    }
}

void TstBuiltin::logitsEqualTorch()
{
    const auto loaded = loadBuiltin();
    QVERIFY(loaded.ok());
    for (const JsonValue row : rows().children()) {
        const std::vector<TokenId> ids = idsOf(row["ids"]);
        const auto slot = loaded->model->openSlot(static_cast<std::uint32_t>(ids.size()));
        QVERIFY(slot.ok());
        std::vector<BatchRow> batch;
        for (std::uint32_t i = 0; i < ids.size(); ++i)
            batch.push_back({*slot, i, i, ids[i], i + 1 == ids.size() ? Output::Logits : Output::None});
        const auto logits = loaded->model->step(batch, {});
        QVERIFY(logits.ok());
        const std::vector<TokenId> top = idsOf(row["top_ids"]);
        const std::vector<double> expected = numbersOf(row["top_logits"]);
        for (std::size_t i = 0; i < top.size(); ++i)
            QVERIFY2(std::abs(double {logits->row(0)[top[i]]} - expected[i]) <= kTolerance,
                qPrintable(QString::number(top[i])));
        loaded->model->closeSlot(*slot);
    }
}

void TstBuiltin::greedyIdsEqualTorch()
{
    auto loaded = loadBuiltin();
    QVERIFY(loaded.ok());
    Scheduler service(std::move(*loaded));
    for (const JsonValue row : rows().children()) {
        const std::vector<TokenId> expected = idsOf(row["greedy"]);
        const std::vector<double> margins = numbersOf(row["margins"]);
        Request request;
        request.prompt = idsOf(row["ids"]);
        request.sampling.temperature = 0.0F;
        request.stops.automatic = false;
        request.maxTokens = static_cast<std::uint32_t>(expected.size());
        const auto events = std::make_shared<EventQueue>();
        QVERIFY(service.submit(std::move(request), events).ok());
        std::vector<TokenId> got;
        for (bool done = false; !done;) {
            for (const Event& event : events->waitAndTake(10000)) {
                if (const auto* token = std::get_if<Token>(&event))
                    got.push_back(token->id);
                QVERIFY(!std::holds_alternative<Failed>(event));
                done = done || std::holds_alternative<Finished>(event);
            }
        }
        for (std::size_t i = 0; i < expected.size() && margins[i] >= kNearTie; ++i) {
            QVERIFY(i < got.size());
            QCOMPARE(got[i], expected[i]);
            if (expected[i] == 1) // <eos>: the answer is over
                break;
        }
    }
}

KAIKOU_TEST(TstBuiltin)
#include "tst_builtin.moc"
